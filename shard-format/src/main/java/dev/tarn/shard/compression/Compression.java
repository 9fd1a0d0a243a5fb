package dev.tarn.shard.compression;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/** The ways in which shards come compressed, known by the first bytes, never by the name. */
public enum Compression {
  GZIP("\u001f\u008b\b"),
  BZIP2("BZh"),
  XZ("\u00fd7zXZ\u0000"),
  ZSTD("(\u00b5/\u00fd");

  /** How many bytes of a stream it takes to tell. */
  static final int MAGIC_LENGTH = 10;

  /** Text may begin with "BZh", so the magic of bzip2's first block is asked for too. */
  private static final String BZIP2_BLOCK = "1AY&SY";

  private static final String BZIP2_END = "\u0017rE8P\u0090";
  private static final int BZIP2_BLOCK_OFFSET = 4;

  private final String magic;

  Compression(String magic) {
    this.magic = magic;
  }

  /** The compression of a stream that begins so; null if it is none of these. */
  public static @Nullable Compression of(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Compression compression : values()) {
      if (text.startsWith(compression.magic)
          && (compression != BZIP2
              || text.startsWith(BZIP2_BLOCK, BZIP2_BLOCK_OFFSET)
              || text.startsWith(BZIP2_END, BZIP2_BLOCK_OFFSET))) {
        return compression;
      }
    }
    return null;
  }
}
