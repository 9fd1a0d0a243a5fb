package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Reads a whole corpus in random order: as samples of shards, or as small objects. */
record EpochReads(Storage storage, Corpus corpus) {
  static final StorageUrl DATASET = StorageUrl.parse("s3://" + BenchmarkBucket.NAME + "/dataset");

  static final long SHUFFLE_BLOCK_BYTES = 16L << 20;
  private static final int DRAIN_BUFFER_BYTES = 1 << 20;
  private static final List<Integer> CONCURRENCIES = List.of(1, 8, 32, 128);

  EpochReads {
    requireNonNull(storage, "storage is null");
    requireNonNull(corpus, "corpus is null");
  }

  static StorageUrl objects(Corpus corpus) {
    return StorageUrl.parse("s3://" + BenchmarkBucket.NAME + "/" + corpus.name());
  }

  /** Reads samples from shards on the calling thread, shuffled in blocks of 16 MiB. */
  Measurement shards(long epoch) throws IOException {
    return shards(Shuffle.blocks(SHUFFLE_BLOCK_BYTES), epoch);
  }

  /** Reads samples from shards on the calling thread, with this shuffle. */
  Measurement shards(Shuffle shuffle, long epoch) throws IOException {
    long samples = 0;
    long bytes = 0;
    long start = System.nanoTime();
    try (ShardDataset dataset =
            ShardDataset.builder()
                .storage(storage)
                .manifest(DATASET.toString())
                .shuffle(shuffle)
                .build();
        SampleIterator iterator = dataset.iterate(epoch)) {
      while (iterator.hasNext()) {
        bytes += iterator.next().size();
        samples++;
      }
    }
    return corpus.read(samples, bytes, System.nanoTime() - start);
  }

  /** Reads and discards the bytes of the shards, one GET after the other. */
  Measurement drain() throws IOException {
    byte[] buffer = new byte[DRAIN_BUFFER_BYTES];
    long start = System.nanoTime();
    try (ShardDataset dataset =
        ShardDataset.builder().storage(storage).manifest(DATASET.toString()).build()) {
      for (StorageUrl shard : dataset.shards()) {
        try (ObjectStream stream = storage.open(shard)) {
          while (stream.read(buffer) >= 0) {
            // Discard the bytes.
          }
        }
      }
    }
    long bytes = (long) corpus.count() * corpus.fileBytes();
    return corpus.read(corpus.count(), bytes, System.nanoTime() - start);
  }

  /** Reads the corpus as objects, with this number of requests in flight. */
  Measurement small(int inFlight) throws IOException {
    List<StorageUrl> order =
        new ArrayList<>(
            IntStream.range(0, corpus.count())
                .mapToObj(
                    i -> StorageUrl.parse("s3://" + BenchmarkBucket.NAME + "/" + corpus.path(i)))
                .toList());
    Collections.shuffle(order, new Random(1));
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    long bytes = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(inFlight)) {
      List<Future<Long>> lanes = new ArrayList<>();
      for (int i = 0; i < inFlight; i++) {
        lanes.add(threads.submit(() -> lane(order, next)));
      }
      for (Future<Long> lane : lanes) {
        bytes += lane.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a small GET failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    }
    return corpus.read(order.size(), bytes, System.nanoTime() - start);
  }

  /**
   * The number of requests in flight with the highest rate. Each trial warms up the next one; a
   * round that is not measured warms up the first.
   */
  int bestConcurrency() throws IOException {
    small(CONCURRENCIES.getLast());
    int best = 1;
    double bestRate = 0;
    for (int inFlight : CONCURRENCIES) {
      double rate = small(inFlight).operationsPerSecond();
      if (rate > bestRate) {
        bestRate = rate;
        best = inFlight;
      }
    }
    return best;
  }

  private long lane(List<StorageUrl> order, AtomicInteger next) throws IOException {
    long bytes = 0;
    for (int i = next.getAndIncrement(); i < order.size(); i = next.getAndIncrement()) {
      bytes += storage.readAll(order.get(i), corpus.fileBytes()).length;
    }
    return bytes;
  }
}
