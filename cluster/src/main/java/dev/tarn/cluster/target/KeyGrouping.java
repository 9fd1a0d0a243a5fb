package dev.tarn.cluster.target;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import java.util.Arrays;
import java.util.Optional;

/**
 * How a listing's prefix and delimiter select and group keys. Immutable.
 *
 * <p>All comparisons are of bytes: a delimiter may be any text, also of several bytes.
 */
public final class KeyGrouping {
  private final byte[] prefix;
  private final byte[] delimiter;

  /**
   * The grouping of a listing.
   *
   * @param prefix of the listed keys; empty for all
   * @param delimiter groups the keys that contain it after the prefix; empty for no groups
   */
  public KeyGrouping(String prefix, String delimiter) {
    this.prefix = requireNonNull(prefix, "prefix is null").getBytes(UTF_8);
    this.delimiter = requireNonNull(delimiter, "delimiter is null").getBytes(UTF_8);
  }

  /** Whether the key is in the listing. */
  public boolean includes(ObjectKey key) {
    return key.startsWith(prefix);
  }

  /**
   * The common prefix under which the listing shows this included key; empty if it shows the key.
   */
  public Optional<ObjectKey> groupOf(ObjectKey key) {
    if (delimiter.length == 0) {
      return Optional.empty();
    }
    byte[] bytes = key.bytes();
    int end = groupEnd(bytes);
    return end < 0 ? Optional.empty() : Optional.of(ObjectKey.of(Arrays.copyOf(bytes, end)));
  }

  /** Whether the listing could show this text as a common prefix. */
  public boolean isGroup(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return delimiter.length > 0
        && bytes.length > prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length)
        && groupEnd(bytes) == bytes.length;
  }

  private int groupEnd(byte[] bytes) {
    for (int at = prefix.length; at <= bytes.length - delimiter.length; at++) {
      if (Arrays.equals(bytes, at, at + delimiter.length, delimiter, 0, delimiter.length)) {
        return at + delimiter.length;
      }
    }
    return -1;
  }
}
