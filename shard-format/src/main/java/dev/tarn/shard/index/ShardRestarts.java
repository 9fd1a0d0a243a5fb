package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.compression.Compression;
import java.util.Arrays;

/**
 * The restarts of a compressed shard: offsets where decompression can start. Each restart begins a
 * gzip member, a zstd frame or similar that does not depend on earlier bytes.
 *
 * <p>Immutable and thread-safe.
 */
public final class ShardRestarts {
  private final Compression compression;
  private final long storedLength;
  private final long[] offsets;
  private final long[] storedOffsets;

  /**
   * @param storedLength of the compressed shard, in bytes
   * @param offsets of the restarts in the uncompressed shard, ascending from 0
   * @param storedOffsets of the restarts in the compressed shard, ascending from 0
   */
  public ShardRestarts(
      Compression compression, long storedLength, long[] offsets, long[] storedOffsets) {
    this.compression = requireNonNull(compression, "compression is null");
    this.storedLength = storedLength;
    this.offsets = offsets.clone();
    this.storedOffsets = storedOffsets.clone();
    if (offsets.length == 0 || offsets.length != storedOffsets.length) {
      throw new IllegalArgumentException(
          offsets.length + " restarts have " + storedOffsets.length + " places in the stored file");
    }
    requireAscending(offsets, Long.MAX_VALUE);
    requireAscending(storedOffsets, storedLength);
  }

  private static void requireAscending(long[] offsets, long end) {
    if (offsets[0] != 0) {
      throw new IllegalArgumentException("the first restart is not the shard's beginning");
    }
    for (int i = 1; i < offsets.length; i++) {
      if (offsets[i] <= offsets[i - 1]) {
        throw new IllegalArgumentException("restart " + i + " does not follow the one before it");
      }
    }
    if (offsets[offsets.length - 1] >= end) {
      throw new IllegalArgumentException("the last restart lies behind the shard's end");
    }
  }

  /** Returns the shard's compression. */
  public Compression compression() {
    return compression;
  }

  /** Returns the length of the compressed shard in bytes. */
  public long storedLength() {
    return storedLength;
  }

  /** Returns the number of restarts, at least 1. */
  public int count() {
    return offsets.length;
  }

  /** Returns the offset of a restart in the uncompressed shard. */
  public long offset(int number) {
    return offsets[number];
  }

  /** Returns the offset of a restart in the compressed shard. */
  public long storedOffset(int number) {
    return storedOffsets[number];
  }

  /** Returns the last restart at or before an offset in the uncompressed shard. */
  public int before(long offset) {
    int found = Arrays.binarySearch(offsets, offset);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Returns the end of the compressed bytes that are needed up to an offset in the uncompressed
   * shard: the next restart, or the end of the file.
   */
  public long storedEnd(long end) {
    int found = Arrays.binarySearch(offsets, end);
    int next = found >= 0 ? found : -found - 1;
    return next == offsets.length ? storedLength : storedOffsets[next];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardRestarts that
        && compression == that.compression
        && storedLength == that.storedLength
        && Arrays.equals(offsets, that.offsets)
        && Arrays.equals(storedOffsets, that.storedOffsets);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Long.hashCode(storedLength);
  }
}
