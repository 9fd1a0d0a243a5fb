package dev.tarn.shard;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/** The bytes of a shard, of its index or of a manifest violate their format. */
public final class ShardFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String source;
  private final long offset;
  private final String problem;

  /**
   * @param source the file or URL that was read
   * @param offset the uncompressed offset of the problem, in bytes
   * @param problem the actual and the expected value
   */
  public ShardFormatException(String source, long offset, String problem) {
    super(requireNonNull(source, "source is null") + " at byte " + offset + ": " + problem);
    this.source = source;
    this.offset = offset;
    this.problem = problem;
  }

  /** Returns the file or URL that was read. */
  public String source() {
    return source;
  }

  /** Returns the uncompressed offset of the problem, in bytes. */
  public long offset() {
    return offset;
  }

  /** Returns the message without source and offset. */
  public String problem() {
    return problem;
  }
}
