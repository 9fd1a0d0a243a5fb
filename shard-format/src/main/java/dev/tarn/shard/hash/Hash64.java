package dev.tarn.shard.hash;

/**
 * Hashes of 64 bits: FNV-1a (Fowler, Noll and Vo) and the finalizer of SplitMix64 (Steele, Lea and
 * Flood, 2014). Orders and splits of datasets are made of them, so they are written out here;
 * docs/DATASET_FORMAT.md has them for other languages.
 */
public final class Hash64 {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Hash64() {}

  /** FNV-1a over all of these bytes. */
  public static long fnv1a(byte[] bytes) {
    return fnv1a(bytes, 0, bytes.length);
  }

  /** FNV-1a over {@code length} bytes from {@code offset}. */
  public static long fnv1a(byte[] bytes, int offset, int length) {
    long hash = OFFSET_BASIS;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * PRIME;
    }
    return hash;
  }

  /** Spreads what a number differs in over all of its bits. */
  public static long mixed(long number) {
    long mixed = number;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
