package dev.tarn.gateway.cors;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.CorsRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the first rule that fits says to a web page.
 *
 * @param rule that fits
 * @param allowedOrigin {@code *}, or the page's own
 * @param requestedHeaders the names that a preflight asks for, in lower case
 */
public record CorsAnswer(CorsRule rule, String allowedOrigin, List<String> requestedHeaders) {
  /** On what the answer depends, for caches. */
  public static final String VARY =
      "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";

  private static final String ANY = "*";

  public CorsAnswer {
    requireNonNull(rule, "rule is null");
    requireNonNull(allowedOrigin, "allowedOrigin is null");
    requestedHeaders = List.copyOf(requestedHeaders);
  }

  /**
   * What the rules say to a page of this origin that uses this method.
   *
   * @param requestedHeaders as {@code Access-Control-Request-Headers} lists them; may be empty
   */
  public static Optional<CorsAnswer> find(
      List<CorsRule> rules, String origin, String method, String requestedHeaders) {
    List<String> names =
        Arrays.stream(requestedHeaders.split(",", -1))
            .map(name -> name.strip().toLowerCase(Locale.ROOT))
            .filter(name -> !name.isEmpty())
            .toList();
    for (CorsRule rule : rules) {
      if (rule.allowedMethods().contains(method) && allowsAll(rule.allowedHeaders(), names)) {
        for (String pattern : rule.allowedOrigins()) {
          if (fits(pattern, origin)) {
            return Optional.of(new CorsAnswer(rule, pattern.equals(ANY) ? ANY : origin, names));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean allowsAll(List<String> patterns, List<String> names) {
    return names.stream()
        .allMatch(name ->
            patterns.stream().anyMatch(pattern -> fits(pattern.toLowerCase(Locale.ROOT), name)));
  }

  private static boolean fits(String pattern, String text) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(text);
    }
    String end = pattern.substring(star + 1);
    return text.length() >= pattern.length() - 1
        && text.startsWith(pattern.substring(0, star))
        && text.endsWith(end);
  }

  /** The headers of the answer, names and values in turn. */
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
