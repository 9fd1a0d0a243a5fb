package dev.tarn.benchmarks.origin;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * An object whose key says how long it is. Objects of one length have the same bytes.
 *
 * @param key such as {@code 8192/00017}
 * @param length in bytes
 */
public record SyntheticObject(String key, long length) {
  private static final Pattern KEY = Pattern.compile("(\\d{1,13})/\\w+");
  private static final int PATTERN_BYTES = 1 << 20;
  private static final ByteBuffer PATTERN = pattern();

  public SyntheticObject {
    requireNonNull(key, "key is null");
  }

  private static ByteBuffer pattern() {
    byte[] bytes = new byte[PATTERN_BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    return ByteBuffer.allocateDirect(PATTERN_BYTES).put(bytes).flip().asReadOnlyBuffer();
  }

  /** The object of a number among those of a length. */
  public static SyntheticObject of(long length, long number) {
    return new SyntheticObject("%d/%09d".formatted(length, number), length);
  }

  /** Finds the object of a key; empty if there is none. */
  static Optional<SyntheticObject> find(String key) {
    Matcher matcher = KEY.matcher(key);
    return matcher.matches()
        ? Optional.of(new SyntheticObject(key, Long.parseLong(matcher.group(1))))
        : Optional.empty();
  }

  String etag() {
    return "\"%016x%016x\"".formatted(length, key.hashCode());
  }

  /** Bytes from an offset: at most {@code max}, and fewer at the end of the pattern. */
  static ByteBuffer bytes(long offset, long max) {
    int start = (int) (offset % PATTERN_BYTES);
    return PATTERN.slice(start, (int) Math.min(max, PATTERN_BYTES - start));
  }

  /** All bytes of an object of this length. */
  public static ByteBuffer body(int length) {
    ByteBuffer all = ByteBuffer.allocateDirect(length);
    while (all.hasRemaining()) {
      all.put(bytes(all.position(), all.remaining()));
    }
    return all.flip();
  }

  /** The CRC32C of bytes of the object. */
  public static long crc32c(long offset, long length) {
    CRC32C crc = new CRC32C();
    for (long at = offset; at < offset + length; ) {
      ByteBuffer next = bytes(at, offset + length - at);
      at += next.remaining();
      crc.update(next);
    }
    return crc.getValue();
  }
}
