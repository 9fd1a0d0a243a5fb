package dev.tarn.shard.compression;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The compressions of shards; the first bytes of a shard identify its compression, never its name.
 */
public enum Compression {
  GZIP("gzip", 1, "\u001f\u008b\b"),
  BZIP2("bzip2", 4, "BZh"),
  XZ("xz", 3, "\u00fd7zXZ\u0000"),
  ZSTD("zstd", 2, "(\u00b5/\u00fd");

  /** The number of first bytes that identify a compression. */
  public static final int MAGIC_LENGTH = 10;

  /** The magic of bzip2's first block, which is also required: text may begin with "BZh". */
  private static final String BZIP2_BLOCK = "1AY&SY";

  private static final String BZIP2_END = "\u0017rE8P\u0090";
  private static final int BZIP2_BLOCK_OFFSET = 4;

  /** The start of pzstd's output: a skippable frame, which has one of sixteen magics. */
  private static final String SKIPPABLE_ZSTD = "*M\u0018";

  private final String text;
  private final int number;
  private final String magic;

  Compression(String text, int number, String magic) {
    this.text = text;
    this.number = number;
    this.magic = magic;
  }

  /** Returns its name in manifests. */
  public String text() {
    return text;
  }

  /** Returns its number in indexes. */
  public int number() {
    return number;
  }

  /**
   * Returns the compression with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Compression named(String text) {
    for (Compression compression : values()) {
      if (compression.text.equals(text)) {
        return compression;
      }
    }
    throw new IllegalArgumentException(
        "the compression \""
            + text
            + "\" is unknown to this reader, which has "
            + Arrays.stream(values()).map(Compression::text).collect(Collectors.joining(", ")));
  }

  /** Returns the compression with a number; null if there is none. */
  public static @Nullable Compression numbered(int number) {
    for (Compression compression : values()) {
      if (compression.number == number) {
        return compression;
      }
    }
    return null;
  }

  /** Returns the compression of a stream by its first bytes; null if it is none of these. */
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
    boolean isSkippable = text.startsWith(SKIPPABLE_ZSTD, 1) && (start[0] & 0xf0) == 0x50;
    return isSkippable ? ZSTD : null;
  }
}
