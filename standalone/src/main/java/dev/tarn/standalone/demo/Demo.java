package dev.tarn.standalone.demo;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** The demo's steps against an existing bucket. A line announces each step. */
final class Demo {
  private static final List<Integer> CONCURRENCIES = List.of(1, 8, 32, 128);
  private static final int TRIAL_READS = 3_000;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration MEASURED = Duration.ofSeconds(3);
  private static final long SEED = 1;

  private final DemoFiles files;
  private final SmallObjects objects;
  private final Shards shards;
  private final PrintWriter out;

  Demo(DemoFiles files, Storage storage, StorageUrl bucket, PrintWriter out) {
    this.files = requireNonNull(files, "files is null");
    StorageUrl folder = bucket.resolve("files");
    objects = new SmallObjects(storage, folder, files.files());
    shards = new Shards(storage, folder, bucket.resolve("shards"));
    this.out = requireNonNull(out, "out is null");
  }

  /**
   * Runs all steps.
   *
   * @throws IOException if the objects or the shards deliver other bytes than were uploaded
   */
  DemoResult run() throws IOException {
    tell(String.format(ROOT, "uploading %,d files as objects", files.files().size()));
    Epoch upload = objects.upload();
    tell(String.format(ROOT, "  %,.0f objects/s", upload.filesPerSecond()));
    tell("packing them into shards, through S3");
    Shards.Packed packed = shards.pack(SEED);
    int shardCount = packed.manifest().shards().size();
    tell(
        String.format(
            ROOT,
            "  %,.0f files/s into %d shards",
            files.files().size() / (packed.elapsed().toNanos() / 1e9),
            shardCount));
    tell("reading them as small objects in random order");
    int inFlight = bestConcurrency();
    Epoch small = same(upload, objects.readAll(inFlight, SEED), "small objects");
    tell(
        String.format(
            ROOT, "  all, %d in flight: %,.0f files/s", inFlight, small.filesPerSecond()));
    tell(String.format(ROOT, "reading them as samples out of %d shards", shardCount));
    readShards(upload, WARM_UP);
    Epoch sharded = readShards(upload, MEASURED);
    tell(String.format(ROOT, "  %,.0f files/s", sharded.filesPerSecond()));
    return new DemoResult(files, upload, packed.elapsed(), shardCount, inFlight, small, sharded);
  }

  /**
   * Reads epochs until they have taken this time, and returns their mean. One epoch takes a
   * fraction of a second, which is too short to measure.
   */
  private Epoch readShards(Epoch upload, Duration timeMin) throws IOException {
    Duration elapsed = Duration.ZERO;
    Epoch epoch;
    int epochs = 0;
    do {
      epoch = same(upload, shards.read(epochs), "shards");
      elapsed = elapsed.plus(epoch.elapsed());
      epochs++;
    } while (elapsed.compareTo(timeMin) < 0);
    return new Epoch(epoch.delivered(), epoch.samples(), elapsed.dividedBy(epochs));
  }

  private int bestConcurrency() throws IOException {
    // Not measured: this epoch warms up the JVM and opens the connections.
    objects.readAll(CONCURRENCIES.getLast(), SEED);
    int best = 1;
    double bestRate = 0;
    for (int inFlight : CONCURRENCIES) {
      double rate = objects.readSome(TRIAL_READS, inFlight, SEED + inFlight).filesPerSecond();
      tell(String.format(ROOT, "  some, %d in flight: %,.0f files/s", inFlight, rate));
      if (rate > bestRate) {
        bestRate = rate;
        best = inFlight;
      }
    }
    return best;
  }

  private static Epoch same(Epoch upload, Epoch read, String what) throws IOException {
    if (!read.delivered().equals(upload.delivered())) {
      throw new IOException(
          "the %s delivered %s, but what was uploaded is %s"
              .formatted(what, read.delivered(), upload.delivered()));
    }
    return read;
  }

  private void tell(String step) {
    out.println(step);
    out.flush();
  }
}
