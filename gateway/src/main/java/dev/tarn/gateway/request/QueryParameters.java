package dev.tarn.gateway.request;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.error.S3Exception;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A query string, parsed once. The parameters keep the order sent and include duplicates. Each
 * parameter is available decoded and as sent. {@code ?uploads} and {@code ?uploads=} are
 * equivalent. Names are case-sensitive.
 *
 * @param raw the query exactly as sent, without the question mark
 * @param list all parameters in the order sent
 */
public record QueryParameters(String raw, List<Parameter> list) {
  /** No parameters. */
  public static final QueryParameters NONE = new QueryParameters("", List.of());

  public QueryParameters {
    requireNonNull(raw, "raw is null");
    list = List.copyOf(list);
  }

  /**
   * One parameter.
   *
   * @param name decoded
   * @param value decoded; empty if there is none
   * @param rawName as sent
   * @param rawValue as sent; empty if there is none
   */
  public record Parameter(String name, String value, String rawName, String rawValue) {}

  /**
   * Parses the text after the question mark. Empty pieces between ampersands are skipped.
   *
   * @throws S3Exception InvalidURI if an escape is broken or the bytes are not UTF-8
   */
  public static QueryParameters parse(String raw) {
    if (requireNonNull(raw, "raw is null").isEmpty()) {
      return NONE;
    }
    List<Parameter> parameters = new ArrayList<>();
    int start = 0;
    while (start <= raw.length()) {
      int ampersand = raw.indexOf('&', start);
      int end = ampersand < 0 ? raw.length() : ampersand;
      if (end > start) {
        parameters.add(parameter(raw, start, end));
      }
      start = end + 1;
    }
    return new QueryParameters(raw, parameters);
  }

  private static Parameter parameter(String raw, int start, int end) {
    int equals = raw.indexOf('=', start);
    boolean hasValue = equals >= 0 && equals < end;
    String rawName = raw.substring(start, hasValue ? equals : end);
    String rawValue = hasValue ? raw.substring(equals + 1, end) : "";
    return new Parameter(
        PercentEncoding.decodeQuery(rawName),
        PercentEncoding.decodeQuery(rawValue),
        rawName,
        rawValue);
  }

  /** Whether there are no parameters. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Whether there is a parameter of this name, with or without a value. */
  public boolean contains(String name) {
    return first(name) != null;
  }

  /** The decoded value of the first parameter of this name, or null. */
  public @Nullable String first(String name) {
    for (Parameter parameter : list) {
      if (parameter.name.equals(name)) {
        return parameter.value;
      }
    }
    return null;
  }

  /** The decoded value of the first parameter of this name. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(first(name));
  }

  /** The decoded values of all parameters of this name in the order sent. */
  public List<String> all(String name) {
    List<String> found = new ArrayList<>(1);
    for (Parameter parameter : list) {
      if (parameter.name.equals(name)) {
        found.add(parameter.value);
      }
    }
    return found;
  }

  /** Only the names, because values may be signatures. */
  @Override
  public String toString() {
    return "query " + Arrays.toString(list.stream().map(Parameter::name).toArray());
  }
}
