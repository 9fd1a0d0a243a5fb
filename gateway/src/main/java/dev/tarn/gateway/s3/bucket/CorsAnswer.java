package dev.tarn.gateway.s3.bucket;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.CorsRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer of the first matching CORS rule.
 *
 * @param rule that matches
 * @param allowedOrigin {@code *}, or the origin of the web page
 * @param requestedHeaders the names that a preflight requests, in lower case
 */
public record CorsAnswer(CorsRule rule, String allowedOrigin, List<String> requestedHeaders) {
  /** The request headers on which the answer depends, for caches. */
  public static final String VARY =
      "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";

  private static final String ANY = "*";

  public CorsAnswer {
    requireNonNull(rule, "rule is null");
    requireNonNull(allowedOrigin, "allowedOrigin is null");
    requestedHeaders = List.copyOf(requestedHeaders);
  }

  /**
   * Finds the first rule that allows this origin, method and headers.
   *
   * @param requestedHeaders the names that a preflight requests, in lower case; may be empty
   */
  public static Optional<CorsAnswer> find(
      List<CorsRule> rules, String origin, String method, List<String> requestedHeaders) {
    for (CorsRule rule : rules) {
      if (rule.allowedMethods().contains(method)) {
        for (String pattern : rule.allowedOrigins()) {
          if (fits(pattern, origin, false) && allowsAll(rule.allowedHeaders(), requestedHeaders)) {
            String allowed = pattern.equals(ANY) ? ANY : origin;
            return Optional.of(new CorsAnswer(rule, allowed, requestedHeaders));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean allowsAll(List<String> patterns, List<String> names) {
    return names.stream()
        .allMatch(name -> patterns.stream().anyMatch(pattern -> fits(pattern, name, true)));
  }

  private static boolean fits(String pattern, String text, boolean ignoreCase) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return ignoreCase ? pattern.equalsIgnoreCase(text) : pattern.equals(text);
    }
    int endLength = pattern.length() - star - 1;
    return text.length() >= star + endLength
        && text.regionMatches(ignoreCase, 0, pattern, 0, star)
        && text.regionMatches(ignoreCase, text.length() - endLength, pattern, star + 1, endLength);
  }

  /** The headers of the answer: alternating names and values. */
  public List<CharSequence> headers() {
    List<CharSequence> headers = new ArrayList<>(16);
    add(headers, "Access-Control-Allow-Origin", allowedOrigin);
    add(headers, "Access-Control-Allow-Methods", String.join(", ", rule.allowedMethods()));
    if (!requestedHeaders.isEmpty()) {
      add(headers, "Access-Control-Allow-Headers", String.join(", ", requestedHeaders));
    }
    if (!rule.exposeHeaders().isEmpty()) {
      add(headers, "Access-Control-Expose-Headers", String.join(", ", rule.exposeHeaders()));
    }
    rule.maxAgeSeconds()
        .ifPresent(seconds -> add(headers, "Access-Control-Max-Age", Integer.toString(seconds)));
    if (!allowedOrigin.equals(ANY)) {
      add(headers, "Access-Control-Allow-Credentials", "true");
    }
    return headers;
  }

  private static void add(List<CharSequence> headers, String name, String value) {
    headers.add(name);
    headers.add(value);
  }
}
