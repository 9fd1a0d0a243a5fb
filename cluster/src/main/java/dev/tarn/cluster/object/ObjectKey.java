package dev.tarn.cluster.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.util.Arrays;

/**
 * An object's key: 1 to 1024 bytes of UTF-8, ordered as unsigned bytes (not as Java strings, whose
 * order differs for supplementary characters). Immutable.
 */
public final class ObjectKey implements Comparable<ObjectKey> {
  /** The longest key in bytes, as in S3. */
  public static final int BYTES_MAX = 1024;

  private final byte[] bytes;
  private final int hash;

  private ObjectKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /**
   * The key with this text.
   *
   * @throws IllegalArgumentException if it is empty or longer than {@link #BYTES_MAX} bytes
   */
  public static ObjectKey of(String text) {
    return ofOwned(requireNonNull(text, "text is null").getBytes(UTF_8));
  }

  /**
   * The key with these bytes, which are copied.
   *
   * @throws IllegalArgumentException if there are none or more than {@link #BYTES_MAX}
   */
  public static ObjectKey of(byte[] bytes) {
    return ofOwned(requireNonNull(bytes, "bytes is null").clone());
  }

  /**
   * The key with the bytes of a range, which are copied.
   *
   * @throws IllegalArgumentException if the range is empty or longer than {@link #BYTES_MAX}
   */
  public static ObjectKey of(byte[] bytes, int offset, int length) {
    return ofOwned(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  private static ObjectKey ofOwned(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "key has " + bytes.length + " bytes, must have 1 to " + BYTES_MAX);
    }
    return new ObjectKey(bytes);
  }

  /** A copy of the key's bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The number of bytes, 1 to {@link #BYTES_MAX}. */
  public int length() {
    return bytes.length;
  }

  /** The byte at {@code index}, without a copy. */
  public byte byteAt(int index) {
    return bytes[index];
  }

  /** Copies all bytes into {@code destination}, from {@code offset} on. */
  public void copyTo(byte[] destination, int offset) {
    System.arraycopy(bytes, 0, destination, offset, bytes.length);
  }

  /** The XXH64 of the bytes. */
  public long xxh64(long seed) {
    return Xxh64.of(bytes, seed);
  }

  /** Whether the key begins with these bytes. */
  public boolean startsWith(byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** The key as text. */
  public String text() {
    return new String(bytes, UTF_8);
  }

  @Override
  public int compareTo(ObjectKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return text();
  }
}
