package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.client.decode.Decoders;
import dev.tarn.client.prefetch.FetchException;
import dev.tarn.client.prefetch.Prefetch;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The samples of all extents, one after the other, as they are fetched. */
final class SampleStream {
  private final Prefetch prefetch;
  private final Decoders decoders;
  private final boolean verifies;
  private final long sampleBytesMax;
  private @Nullable ExtentReading extent;

  /** How many samples were read of the present extent. */
  private long read;

  /** Uncompressed bytes of the shards before the present one, if all were whole. */
  private long start;

  /**
   * @param decoders what samples are decoded by, when somebody asks
   * @param verifies whether members are checked against the index, if there is one
   */
  SampleStream(Prefetch prefetch, Decoders decoders, boolean verifies, long sampleBytesMax) {
    this.prefetch = prefetch;
    this.decoders = decoders;
    this.verifies = verifies;
    this.sampleBytesMax = sampleBytesMax;
  }

  /** The next sample, its offset counted over all shards; null after the last. */
  @Nullable Placed next() throws IOException {
    while (true) {
      if (extent == null) {
        extent = ExtentReading.next(prefetch, verifies, sampleBytesMax);
        if (extent == null) {
          return null;
        }
        read = 0;
      }
      Placed placed = extent.next();
      if (placed != null) {
        read++;
        requireCount(extent, read > extent.samples().orElse(Long.MAX_VALUE));
        return new Placed(placed.sample().decodedBy(decoders), start + placed.offset());
      }
      requireCount(extent, read < extent.samples().orElse(0));
      start += extent.position();
      extent.close();
      extent = null;
    }
  }

  /** Samples are known by their numbers: one more or less, and all behind it were others. */
  private void requireCount(ExtentReading of, boolean isWrong) throws ShardFormatException {
    if (isWrong) {
      throw new ShardFormatException(
          of.shard().url().toString(),
          of.position(),
          "sample %d of the %d that the manifest says: shard and manifest are of different datasets"
              .formatted(read, of.samples().orElse(0)));
    }
  }

  /** What a failure of {@link #next} is to the consumer. */
  RuntimeException failure(IOException e) {
    if (e instanceof FetchException fetch) {
      return new DatasetException(
          fetch.url(), fetch.offset(), String.valueOf(fetch.getMessage()), fetch.getCause());
    }
    if (extent == null) {
      return new UncheckedIOException(e);
    }
    long offset = e instanceof ShardFormatException format ? format.offset() : extent.position();
    return new DatasetException(extent.shard().url(), offset, String.valueOf(e.getMessage()), e);
  }
}
