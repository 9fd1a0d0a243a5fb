package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.client.Checkpoint;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Measures the waiting times of a trainer: for the first sample of an epoch, for the first sample
 * after a resume, and for the samples of a batch during the computation on the batch before.
 */
final class EpochWaiting {
  private static final int BATCH_SAMPLES = 64;
  private static final Duration STEP = Duration.ofMillis(5);
  private static final Duration DELAY = Duration.ofMillis(50);
  private static final int STARTS = 15;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final double PERCENT = 100;
  private static final double NANOS_PER_MS = 1e6;
  private static final double WAITED_PERCENT_MAX = 1;
  private static final double FIRST_MS_MAX = 30;
  private static final double RESUMED_RATIO_MAX = 1.2;
  private static final double RESUMED_BEYOND_READ_MS_MAX = 50;

  private final Run run;
  private final Storage storage;
  private final Corpus corpus;

  EpochWaiting(Run run, Storage storage, Corpus corpus) {
    this.run = run;
    this.storage = storage;
    this.corpus = corpus;
  }

  void measure() throws IOException {
    double first = median(this::firstSampleNanos) / NANOS_PER_MS;
    add("first sample, its bound", first, FIRST_MS_MAX, "ms", new Goal.AtMost(FIRST_MS_MAX));
    Checkpoint early = checkpoint(1);
    Checkpoint late = checkpoint(90);
    double earlyMs = median(() -> resumedNanos(early)) / NANOS_PER_MS;
    double lateMs = median(() -> resumedNanos(late)) / NANOS_PER_MS;
    Goal resumedGoal = new Goal.RatioAtMost(RESUMED_RATIO_MAX);
    add("resumed at 90 % beside at 1 %", lateMs, earlyMs, "ms", resumedGoal);
    double readMs = median(this::blockReadNanos) / NANOS_PER_MS;
    Goal beyondGoal = new Goal.AtMostBeyond(RESUMED_BEYOND_READ_MS_MAX);
    add("resumed at 90 % beside a block's read", lateMs, readMs, "ms", beyondGoal);
    Goal waitedGoal = new Goal.AtMost(WAITED_PERCENT_MAX);
    add(
        "waited for batches, its bound",
        waitedPercent(storage),
        WAITED_PERCENT_MAX,
        "%",
        waitedGoal);
    add(
        "the same, GETs 50 ms late",
        waitedPercent(new DelayedStorage(storage, DELAY)),
        WAITED_PERCENT_MAX,
        "%",
        waitedGoal);
  }

  private ShardDataset open(Storage from) throws IOException {
    return ShardDataset.builder()
        .storage(from)
        .manifest(EpochReads.DATASET.toString())
        .shuffle(Shuffle.blocks(EpochReads.SHUFFLE_BLOCK_BYTES))
        .build();
  }

  private long firstSampleNanos() throws IOException {
    long start = System.nanoTime();
    try (ShardDataset dataset = open(storage);
        SampleIterator iterator = dataset.iterate(0)) {
      iterator.next();
      return System.nanoTime() - start;
    }
  }

  private Checkpoint checkpoint(int percent) throws IOException {
    try (ShardDataset dataset = open(storage);
        SampleIterator iterator = dataset.iterate(0)) {
      for (int i = 0; i < corpus.count() / 100 * percent; i++) {
        iterator.next();
      }
      return iterator.checkpoint();
    }
  }

  private long resumedNanos(Checkpoint checkpoint) throws IOException {
    long start = System.nanoTime();
    try (ShardDataset dataset = open(storage);
        SampleIterator iterator = dataset.resume(checkpoint)) {
      iterator.next();
      return System.nanoTime() - start;
    }
  }

  /** Times one request for the bytes of one shuffle block; discards them. */
  private long blockReadNanos() throws IOException {
    StorageUrl shard;
    try (ShardDataset dataset = open(storage)) {
      shard = dataset.shards().getFirst();
    }
    byte[] buffer = new byte[BUFFER_BYTES];
    long start = System.nanoTime();
    try (ObjectStream stream =
        storage.open(shard, BUFFER_BYTES, BUFFER_BYTES + EpochReads.SHUFFLE_BLOCK_BYTES, null)) {
      while (stream.read(buffer) >= 0) {
        // Discard the bytes.
      }
    }
    return System.nanoTime() - start;
  }

  /** The share of the time after the first batch that the consumer waited in the iterator. */
  private double waitedPercent(Storage from) throws IOException {
    try (ShardDataset dataset = open(from);
        SampleIterator iterator = dataset.iterate(0)) {
      boolean isMore = readBatch(iterator);
      long start = System.nanoTime();
      long waited = 0;
      while (isMore) {
        compute();
        long before = System.nanoTime();
        isMore = readBatch(iterator);
        waited += System.nanoTime() - before;
      }
      return PERCENT * waited / (System.nanoTime() - start);
    }
  }

  /** Reads a batch. Returns false if too few samples were left. */
  private static boolean readBatch(SampleIterator iterator) {
    for (int i = 0; i < BATCH_SAMPLES; i++) {
      if (!iterator.hasNext()) {
        return false;
      }
      iterator.next();
    }
    return true;
  }

  /** Simulates a step on a device: the CPU is free during the step. */
  private static void compute() throws IOException {
    try {
      Thread.sleep(STEP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a step").initCause(e);
    }
  }

  /** Takes one time in nanoseconds. */
  private interface Timing {
    long nanos() throws IOException;
  }

  private static double median(Timing timing) throws IOException {
    long[] nanos = new long[STARTS];
    for (int i = 0; i < STARTS; i++) {
      nanos[i] = timing.nanos();
    }
    Arrays.sort(nanos);
    return nanos[STARTS / 2];
  }

  private void add(String what, double measured, double yardstick, String unit, Goal goal) {
    String cell = "%s %s".formatted(corpus.name(), what);
    run.report()
        .add(new Cell(EpochBenchmark.NAME, cell, measured, yardstick, unit, Optional.of(goal)));
  }
}
