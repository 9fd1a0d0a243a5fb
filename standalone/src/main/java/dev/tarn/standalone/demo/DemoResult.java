package dev.tarn.standalone.demo;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The result of the demo.
 *
 * @param packed the time to pack
 * @param smallInFlight the number of requests in flight at which small reads were fastest
 */
record DemoResult(
    DemoFiles source,
    Epoch upload,
    Duration packed,
    long shards,
    int smallInFlight,
    Epoch small,
    Epoch sharded) {
  DemoResult {
    requireNonNull(source, "source is null");
    requireNonNull(upload, "upload is null");
    requireNonNull(packed, "packed is null");
    requireNonNull(small, "small is null");
    requireNonNull(sharded, "sharded is null");
  }

  /** The rate of files from shards divided by the rate of small-object reads. */
  double speedup() {
    return sharded.filesPerSecond() / small.filesPerSecond();
  }

  /** The result as a table. */
  String table() {
    return String.format(
        ROOT,
        """
        files                       %,12d
        bytes                       %,12d
        median size                 %,12d bytes
        upload                      %,12.0f objects/s
        pack                        %,12.0f files/s into %d shards
        small-object reads          %,12.0f files/s with %d in flight
        shards                      %,12.0f files/s in %,.0f samples/s
        speed-up                    %,12.1f times
        """,
        source.files().size(),
        source.bytes(),
        source.medianBytes(),
        upload.filesPerSecond(),
        source.files().size() * 1e9 / packed.toNanos(),
        shards,
        small.filesPerSecond(),
        smallInFlight,
        sharded.filesPerSecond(),
        sharded.samplesPerSecond(),
        speedup());
  }

  /** The last line of the output, for scripts. Its form does not change. */
  String lastLine() {
    return String.format(
        ROOT,
        "demo files=%d bytes=%d small_gets_per_s=%.0f shard_samples_per_s=%.0f speedup=%.1f",
        source.files().size(),
        source.bytes(),
        small.samplesPerSecond(),
        sharded.samplesPerSecond(),
        speedup());
  }
}
