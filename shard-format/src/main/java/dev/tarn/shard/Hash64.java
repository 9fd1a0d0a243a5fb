package dev.tarn.shard;

/**
 * 64-bit hashes: FNV-1a (Fowler, Noll and Vo) and the finalizer of SplitMix64 (Steele, Lea and
 * Flood, 2014). The orders and splits of datasets depend on them, so no library provides them;
 * docs/DATASET_FORMAT.md defines them for other languages.
 */
public final class Hash64 {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Hash64() {}

  /** Returns the FNV-1a hash of all bytes. */
  public static long fnv1a(byte[] bytes) {
    return fnv1a(bytes, 0, bytes.length);
  }

  /** Returns the FNV-1a hash of {@code length} bytes at {@code offset}. */
  public static long fnv1a(byte[] bytes, int offset, int length) {
    long hash = OFFSET_BASIS;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * PRIME;
    }
    return hash;
  }

  /** Returns SplitMix64's finalizer of a number: small differences affect all bits. */
  public static long mixed(long number) {
    long mixed = number;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
