package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.client.decode.Decoders;
import dev.tarn.client.internal.prefetch.FetchException;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The samples of all extents, one after the other, as they are fetched. */
final class SampleStream {
  private final Prefetch prefetch;
  private final Decoders decoders;
  private final boolean verifies;
  private final DamageReport report;
  private final boolean tolerates;
  private final long sampleBytesMax;
  private @Nullable ExtentReading extent;

  /** How many samples were read of the present extent, or skipped. */
  private long read;

  /** How many samples the present extent has, if that is known. */
  private long expected;

  /** How many samples of an extent that was given up are still to be passed over. */
  private long missing;

  /** Uncompressed bytes of the shards before the present one, if all were whole. */
  private long start;

  /**
   * @param decoders what samples are decoded by, when somebody asks
   * @param verifies whether members are checked against the index, if there is one
   * @param report what is told of samples that are skipped
   * @param tolerates whether any are
   */
  SampleStream(
      Prefetch prefetch,
      Decoders decoders,
      boolean verifies,
      DamageReport report,
      boolean tolerates,
      long sampleBytesMax) {
    this.prefetch = prefetch;
    this.decoders = decoders;
    this.verifies = verifies;
    this.report = report;
    this.tolerates = tolerates;
    this.sampleBytesMax = sampleBytesMax;
  }

  /** The next sample, its offset counted over all shards; null after the last. */
  @Nullable Placed next() throws IOException {
    while (missing == 0) {
      try {
        if (extent == null) {
          extent = ExtentReading.next(prefetch, verifies, tolerates, sampleBytesMax);
          if (extent == null) {
            return null;
          }
          read = 0;
          expected = extent.samples().orElse(Long.MAX_VALUE);
        }
        Placed placed = next(extent);
        if (placed != null) {
          return placed;
        }
        start += extent.position();
        extent.close();
        extent = null;
      } catch (IOException e) {
        giveUp(e);
      }
    }
    missing--;
    return new Placed(null, start);
  }

  private @Nullable Placed next(ExtentReading of) throws IOException {
    try {
      Placed placed = of.next(start);
      if (placed == null) {
        requireCount(of, read < of.samples().orElse(0));
        return null;
      }
      read++;
      Sample sample = placed.sample();
      if (sample != null) {
        sample.decodedBy(decoders);
      }
      if (read > expected) {
        placed.release();
        requireCount(of, true);
      }
      return placed;
    } catch (DamagedSampleException e) {
      read++;
      report.add(damage(of, e.member(), e.damage(), 1), e.damage());
      return new Placed(null, start + e.damage().offset());
    }
  }

  /** Samples are known by their numbers: one more or less, and all behind it were others. */
  private void requireCount(ExtentReading of, boolean isWrong) throws ShardFormatException {
    if (isWrong) {
      throw new ShardFormatException(
          of.shard().url().printable(),
          of.position(),
          "sample %d of the %d that the manifest says: shard and manifest are of different datasets"
              .formatted(read, of.samples().orElse(0)));
    }
  }

  /** Passes over the rest of an extent that cannot be read, if it may. */
  private void giveUp(IOException e) throws IOException {
    ExtentReading begun = extent;
    boolean isOfData = !(e instanceof FetchException) || e.getCause() instanceof IOException;
    if (e instanceof InterruptedIOException || prefetch.isClosed() || !isOfData) {
      throw e;
    }
    if (e instanceof FetchException fetch) {
      long rest = fetch.extent().samples().orElse(0) - (begun == null ? 0 : read);
      String cause = String.valueOf(e.getMessage());
      report.add(new Damage(fetch.url(), "", fetch.offset(), cause, Math.max(1, rest)), e);
      missing = Math.max(0, rest);
    } else if (begun != null) {
      long rest = begun.samples().orElse(0) - read;
      report.add(damage(begun, "", e, Math.max(1, rest)), e);
      missing = Math.max(0, rest);
    } else {
      throw e;
    }
    extent = null;
    if (begun != null) {
      begun.abandon();
    }
    prefetch.abandon();
  }

  private static Damage damage(ExtentReading of, String member, IOException e, long samples) {
    long offset = e instanceof ShardFormatException format ? format.offset() : of.position();
    return new Damage(of.shard().url(), member, offset, of.shard().reason(e), samples);
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
    return new DatasetException(extent.shard().url(), offset, extent.shard().reason(e), e);
  }
}
