package dev.tarn.standalone.demo;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.StorageSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The files in shards: packed from the small objects, read as samples. */
record Shards(Storage storage, StorageUrl objects, StorageUrl dataset) {
  private static final int PACK_JOBS = 32;

  /** Small enough for several shards from the demo's data; a shuffle needs more than one. */
  private static final long SHARD_BYTES_MAX = 32L << 20;

  private static final long SHUFFLE_BLOCK_BYTES = 16L << 20;

  Shards {
    requireNonNull(storage, "storage is null");
    requireNonNull(objects, "objects is null");
    requireNonNull(dataset, "dataset is null");
  }

  /** A dataset and the time to pack it. */
  record Packed(DatasetManifest manifest, Duration elapsed) {}

  /** Reads all objects and writes the shards in a random order that depends on the seed. */
  Packed pack(long seed) throws IOException {
    long start = System.nanoTime();
    Source source = new StorageSource(storage, objects);
    Planner planner =
        new Planner(
            PlanOptions.builder().maximumSize(SHARD_BYTES_MAX).order(Order.shuffled(seed)).build(),
            Packer.ENCODER,
            SortSpace.usual());
    try (Plan plan = planner.plan(List.of(source), dataset.toString())) {
      DatasetManifest manifest =
          new Packer(storage, dataset, PACK_JOBS).pack(plan, List.of(source), new Progress());
      return new Packed(manifest, Duration.ofNanos(System.nanoTime() - start));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while packing", e);
    }
  }

  /** Reads all samples of an epoch, shuffled in blocks of 16 MiB. */
  Epoch read(long epoch) throws IOException {
    EpochDigest digest = new EpochDigest();
    long samples = 0;
    long start = System.nanoTime();
    try (ShardDataset shards =
            ShardDataset.builder()
                .storage(storage)
                .manifest(dataset.toString())
                .shuffle(Shuffle.blocks(SHUFFLE_BLOCK_BYTES))
                .build();
        SampleIterator iterator = shards.iterate(epoch)) {
      while (iterator.hasNext()) {
        Sample sample = iterator.next();
        for (String extension : sample.extensions()) {
          digest.add(sample.key(), extension, sample.get(extension));
        }
        samples++;
      }
    }
    return new Epoch(digest.delivered(), samples, Duration.ofNanos(System.nanoTime() - start));
  }
}
