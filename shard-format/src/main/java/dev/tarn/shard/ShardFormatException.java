package dev.tarn.shard;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/** The bytes of a shard, of its index or of a manifest are not what their format allows. */
public final class ShardFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String source;
  private final long offset;
  private final String problem;

  /**
   * @param source the file or URL that was read
   * @param offset the byte, uncompressed, where the problem lies
   * @param problem what is wrong, and what would be right
   */
  public ShardFormatException(String source, long offset, String problem) {
    super(requireNonNull(source, "source is null") + " at byte " + offset + ": " + problem);
    this.source = source;
    this.offset = offset;
    this.problem = problem;
  }

  /** The file or URL that was read. */
  public String source() {
    return source;
  }

  /** The byte, after decompression, where the problem lies. */
  public long offset() {
    return offset;
  }

  /** What is wrong, and what would be right: the message without source and offset. */
  public String problem() {
    return problem;
  }
}
