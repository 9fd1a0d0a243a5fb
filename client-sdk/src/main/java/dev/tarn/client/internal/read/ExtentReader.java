package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.index.ShardIndex;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the samples of one extent: takes chunks and gives samples that are views of them. */
public interface ExtentReader {
  /**
   * Starts to read the next extent. Samples are found by the index if only parts of the shard are
   * read, or if damage is tolerated, because damage may be in the tar headers.
   *
   * @param verifies whether members are verified against the index, if there is one
   * @param tolerates whether damaged samples are skipped
   * @return null after the last extent
   */
  static @Nullable ExtentReader next(
      Prefetch prefetch, boolean verifies, boolean tolerates, long sampleBytesMax)
      throws IOException {
    Chunk first = prefetch.take();
    if (first == null) {
      return null;
    }
    if (!first.extent().isWhole() || (tolerates && first.index().isPresent())) {
      return new IndexedReader(prefetch, first, verifies, sampleBytesMax);
    }
    ShardIndex index = verifies ? first.index().orElse(null) : null;
    String shard = first.extent().shard().url().printable();
    return new ArchiveReader(
        prefetch, first, index == null ? null : new MemberChecksums(shard, index), sampleBytesMax);
  }

  /** The shard that the extent is a part of. */
  ShardSource shard();

  /** How many samples the extent has, if that is known. */
  OptionalLong samples();

  /** The offset up to which the uncompressed shard was read. */
  long position();

  /**
   * Reads the next sample. After the last sample of a whole shard, {@link #position} is the length
   * of the uncompressed shard.
   *
   * @param before length of all uncompressed shards before this one; added to the sample's
   *     placement
   * @return null after the last sample
   * @throws DamagedSampleException if the sample is damaged; the next ones can still be read
   * @throws IOException if neither this sample nor any later one can be read
   */
  @Nullable ReadSample next(long before) throws IOException, DamagedSampleException;

  /** Skips the rest and releases its memory. */
  void close() throws IOException;

  /** Releases its memory without reading the rest; the prefetch skips the remaining chunks. */
  void abandon();
}
