package dev.tarn.client;

import dev.tarn.client.internal.prefetch.FetchException;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.read.DamagedSampleException;
import dev.tarn.client.internal.read.ExtentReader;
import dev.tarn.client.internal.read.ReadSample;
import dev.tarn.client.internal.read.SampleBlocks;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The samples of all extents in the order in which they are fetched; skips damage if it may. */
final class SampleStream implements SampleBlocks.Source {
  private final Prefetch prefetch;
  private final boolean verifies;
  private final DamageReport report;
  private final boolean tolerates;
  private final long sampleBytesMax;
  private @Nullable ExtentReader extent;

  /** How many samples of the current extent were read or skipped. */
  private long read;

  /** How many samples the current extent has; {@link Long#MAX_VALUE} if that is unknown. */
  private long expected;

  /** How many samples of an abandoned extent are still to be skipped. */
  private long missing;

  /** Length of the uncompressed shards before the current one, if all were read whole. */
  private long start;

  /**
   * Makes the stream.
   *
   * @param verifies whether members are verified against the index, if there is one
   * @param report collects what is skipped
   * @param tolerates whether damaged samples are skipped
   * @param sampleBytesMax bound of one sample
   */
  SampleStream(
      Prefetch prefetch,
      boolean verifies,
      DamageReport report,
      boolean tolerates,
      long sampleBytesMax) {
    this.prefetch = prefetch;
    this.verifies = verifies;
    this.report = report;
    this.tolerates = tolerates;
    this.sampleBytesMax = sampleBytesMax;
  }

  @Override
  public @Nullable ReadSample next() throws IOException {
    while (missing == 0) {
      try {
        if (extent == null) {
          extent = ExtentReader.next(prefetch, verifies, tolerates, sampleBytesMax);
          if (extent == null) {
            return null;
          }
          read = 0;
          expected = extent.samples().orElse(Long.MAX_VALUE);
        }
        ReadSample sample = next(extent);
        if (sample != null) {
          return sample;
        }
        start += extent.position();
        extent.close();
        extent = null;
      } catch (IOException e) {
        giveUp(e);
      }
    }
    missing--;
    return ReadSample.skipped(start);
  }

  private @Nullable ReadSample next(ExtentReader of) throws IOException {
    try {
      ReadSample sample = of.next(start);
      if (sample == null) {
        requireCount(of, read < of.samples().orElse(0));
        return null;
      }
      read++;
      if (read > expected) {
        sample.memory().release();
        requireCount(of, true);
      }
      return sample;
    } catch (DamagedSampleException e) {
      read++;
      report.add(damage(of, e.member(), e.damage(), 1), e.damage());
      return ReadSample.skipped(start + e.damage().offset());
    }
  }

  /** One sample more or less would give all samples behind it other numbers. */
  private void requireCount(ExtentReader of, boolean isWrong) throws ShardFormatException {
    if (isWrong) {
      throw new ShardFormatException(
          of.shard().url().printable(),
          of.position(),
          "sample %d of the %d that the manifest says: shard and manifest are of different datasets"
              .formatted(read, of.samples().orElse(0)));
    }
  }

  /** Skips the rest of an extent that cannot be read, if the error policy allows it. */
  private void giveUp(IOException e) throws IOException {
    ExtentReader begun = extent;
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

  private static Damage damage(ExtentReader of, String member, IOException e, long samples) {
    long offset = e instanceof ShardFormatException format ? format.offset() : of.position();
    return new Damage(of.shard().url(), member, offset, of.shard().reason(e), samples);
  }

  /** The consumer's exception for a failure of {@link #next}. */
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
