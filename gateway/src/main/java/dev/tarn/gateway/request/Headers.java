package dev.tarn.gateway.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request in the order sent, including duplicates. Names are
 * case-insensitive and stored in lower case. Values are text that is sent as UTF-8. Immutable.
 */
public final class Headers {
  /** No fields. */
  public static final Headers NONE = new Headers(new String[0], new String[0]);

  private final String[] names;
  private final String[] values;

  private Headers(String[] names, String[] values) {
    this.names = names;
    this.values = values;
  }

  /**
   * Creates fields from alternating names and values.
   *
   * @throws IllegalArgumentException if the last name has no value
   */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("header " + namesAndValues[namesAndValues.length - 1]);
    }
    Builder builder = builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return builder.build();
  }

  /** Creates an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Creates a builder that contains these fields. */
  public Builder toBuilder() {
    Builder builder = builder();
    for (int i = 0; i < names.length; i++) {
      builder.add(names[i], values[i]);
    }
    return builder;
  }

  /** The number of fields, including duplicates. */
  public int size() {
    return names.length;
  }

  /** The lower-case name of the field at {@code index}. */
  public String nameAt(int index) {
    return names[index];
  }

  /** The value of the field at {@code index}. */
  public String valueAt(int index) {
    return values[index];
  }

  /** The value of the first field of this name, or null. */
  public @Nullable String first(String name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equalsIgnoreCase(name)) {
        return values[i];
      }
    }
    return null;
  }

  /** The value of the first field of this name. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(first(name));
  }

  /** Whether there is a field of this name. */
  public boolean contains(String name) {
    return first(name) != null;
  }

  /** The values of all fields of this name in the order sent. */
  public List<String> all(String name) {
    String lowerCase = lowerCase(name);
    List<String> found = new ArrayList<>(1);
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(lowerCase)) {
        found.add(values[i]);
      }
    }
    return found;
  }

  /** A copy with exactly one field of this name, as the last field. */
  public Headers with(String name, String value) {
    String lowerCase = lowerCase(name);
    Builder builder = builder();
    for (int i = 0; i < names.length; i++) {
      if (!names[i].equals(lowerCase)) {
        builder.add(names[i], values[i]);
      }
    }
    return builder.add(lowerCase, value).build();
  }

  /** The name in ASCII lower case; the same string if it has no upper-case letters. */
  private static String lowerCase(String name) {
    for (int i = 0; i < name.length(); i++) {
      char character = name.charAt(i);
      if (character >= 'A' && character <= 'Z') {
        return name.toLowerCase(Locale.ROOT);
      }
    }
    return name;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Headers headers
        && Arrays.equals(names, headers.names)
        && Arrays.equals(values, headers.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(names) + Arrays.hashCode(values);
  }

  /** Only the names, because values may be credentials. */
  @Override
  public String toString() {
    return "headers " + Arrays.toString(names);
  }

  /** Collects fields in order. */
  public static final class Builder {
    private String[] names = new String[16];
    private String[] values = new String[16];
    private int count;

    private Builder() {}

    /** Adds a field with a text value. */
    public Builder add(String name, String value) {
      if (count == names.length) {
        names = Arrays.copyOf(names, 2 * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      names[count] = lowerCase(requireNonNull(name, "name is null"));
      values[count] = requireNonNull(value, "value is null");
      count++;
      return this;
    }

    /**
     * Adds a field with a value from an HTTP decoder: one character for each byte.
     *
     * @throws S3Exception InvalidRequest if the name is empty, which HTTP decoders accept
     */
    public Builder addWire(String name, String value) {
      if (name.isEmpty()) {
        throw S3Exception.of(S3ErrorCode.INVALID_REQUEST, "A header of the request has no name.");
      }
      // The encoder works on whole words; a loop would check each character.
      boolean ascii = value.getBytes(UTF_8).length == value.length();
      return add(name, ascii ? value : new String(value.getBytes(ISO_8859_1), UTF_8));
    }

    /** The fields gathered so far. */
    public Headers build() {
      return new Headers(Arrays.copyOf(names, count), Arrays.copyOf(values, count));
    }
  }
}
