package dev.tarn.client;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.index.ShardIndex;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The samples of one extent under way: chunks in, samples that view them out. */
interface ExtentReading {
  /**
   * A sample with its place.
   *
   * @param sample null if it is skipped
   * @param offset where its first header lies in all uncompressed shards together
   */
  record Placed(@Nullable Sample sample, long offset) {
    /** Lets go of a sample that nobody will have. */
    void release() {
      if (sample != null) {
        sample.held().release();
      }
    }
  }

  /**
   * Starts on the next extent: by its index, if that is there and damage is to be passed over,
   * which may be in the headers.
   *
   * @param verifies whether members are checked against the index, if there is one
   * @param tolerates whether damage is to be passed over
   * @return null if there is none
   */
  static @Nullable ExtentReading next(
      Prefetch prefetch, boolean verifies, boolean tolerates, long sampleBytesMax)
      throws IOException {
    Chunk first = prefetch.take();
    if (first == null) {
      return null;
    }
    if (!first.extent().isWhole() || (tolerates && first.index().isPresent())) {
      return new IndexedReading(prefetch, first, verifies, sampleBytesMax);
    }
    ShardIndex index = verifies ? first.index().orElse(null) : null;
    String shard = first.extent().shard().url().printable();
    return new ArchiveReading(
        prefetch, first, index == null ? null : new MemberChecksums(shard, index), sampleBytesMax);
  }

  /** What it is of. */
  ShardSource shard();

  /** How many samples it has, if that is known. */
  OptionalLong samples();

  /** The offset in the uncompressed shard up to which it was read. */
  long position();

  /**
   * The next sample; null at the end; of a whole shard {@link #position} is its length then.
   *
   * @param before how many bytes the shards before it have, which its place counts
   * @throws DamagedSampleException after which those behind it can be read
   * @throws IOException after which none can
   */
  @Nullable Placed next(long before) throws IOException, DamagedSampleException;

  /** Passes the rest, and lets go of the memory that it lies in. */
  void close() throws IOException;

  /** Lets go of it, wherever it is; what is left of its chunks is the prefetch's to pass over. */
  void abandon();
}
