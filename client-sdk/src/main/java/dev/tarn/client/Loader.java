package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.stage.Batching;
import dev.tarn.client.internal.stage.Filtering;
import dev.tarn.client.internal.stage.Parallel;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.client.internal.stage.StageSettings;
import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.loader.Transform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is made of a dataset's samples before the consumer has them.
 *
 * <pre>{@code
 * Loader<Batch> batches =
 *     dataset.loader()
 *         .filter(sample -> sample.has("cls"))
 *         .map(8, MapOrder.ORDERED, sample -> decode(sample))
 *         .batch(64, LastBatch.DROP, Batch::of);
 * try (ResumableIterator<Batch> epoch = batches.iterate()) {
 *   epoch.forEachRemaining(batch -> train(batch));
 * }
 * }</pre>
 *
 * <p>A sample's views are valid until the function returns that it was given to; what functions
 * return is their own. Checkpoints count what went into the values that the consumer has received.
 * Immutable: each call gives another loader.
 */
public final class Loader<T> {
  /** How many threads a {@link #map} may have. */
  public static final int THREADS_MAX = 4096;

  // Under the name of the class that users know the dataset by.
  private static final Logger LOG = System.getLogger(ShardDataset.class.getName());

  private final ShardDataset dataset;
  private final Stages<T> stages;
  private final Count count;

  /** Makes the stages of one epoch. */
  interface Stages<T> {
    /** Puts them behind the samples. */
    Stage<T> on(Stage<Sample> samples, StageSettings settings);
  }

  /** How many values become of so many samples; -1 if nobody knows. */
  private interface Count {
    long of(long samples);
  }

  private Loader(ShardDataset dataset, Stages<T> stages, Count count) {
    this.dataset = dataset;
    this.stages = stages;
    this.count = count;
  }

  /** The samples as they are. */
  static Loader<Sample> of(ShardDataset dataset) {
    return new Loader<>(dataset, (samples, settings) -> samples, samples -> samples);
  }

  /**
   * Leaves out what is not wanted. Ranks may make different numbers of steps then. A sample that
   * the predicate fails on ends the epoch or is skipped, as {@link DatasetBuilder#errors} says.
   */
  public Loader<T> filter(Predicate<? super T> wanted) {
    requireNonNull(wanted, "wanted is null");
    return new Loader<>(
        dataset,
        (samples, settings) -> new Filtering<>(stages.on(samples, settings), settings, wanted),
        samples -> -1);
  }

  /**
   * Makes something else of each value, in threads of its own. A sample that the function fails on,
   * as on a picture that cannot be decoded, ends the epoch or is skipped, as {@link
   * DatasetBuilder#errors} says.
   *
   * <p>At most {@code 2 * threads} values are worked on or wait for what takes them, whether it is
   * the consumer or the next stage; {@code 16 * threads} as long as the samples that they are made
   * of have less than {@code 32 * threads} KiB together. Samples count in this with the bytes of
   * their members, which are part of the {@link DatasetBuilder#memoryBudget memory budget} and hold
   * a quarter of it at most, but for one sample. What the function returns does not: it is bounded
   * by that number alone, whatever its size. A {@link #batch} behind it holds as many results more
   * as go into one, and {@link #prefetch} its own. Where results are large, make room on the heap
   * for as many of the largest, or take fewer threads, or return less. Small samples that become
   * large are the case to count: there are {@code 16 * threads} of them.
   *
   * @param threads 1 to {@value #THREADS_MAX}
   * @param order in which what the threads make comes out
   * @param function called by several threads at a time; what it returns is not null, and its own
   */
  public <R> Loader<R> map(
      int threads, MapOrder order, Transform<? super T, ? extends R> function) {
    if (threads < 1 || threads > THREADS_MAX) {
      throw new IllegalArgumentException(
          "%d threads, expected 1 to %d".formatted(threads, THREADS_MAX));
    }
    requireNonNull(order, "order is null");
    requireNonNull(function, "function is null");
    boolean ordered = order == MapOrder.ORDERED;
    return new Loader<>(
        dataset,
        (samples, settings) ->
            Parallel.map(stages.on(samples, settings), threads, ordered, settings, function),
        count);
  }

  /**
   * Makes one value of several that follow each other; in the thread of what takes it: see {@link
   * #prefetch}.
   *
   * <p>Samples that were not mapped lie in memory until their batch is made, and what they take is
   * not there to fetch ahead with: those of a batch may have as many bytes as the {@link
   * DatasetBuilder#memoryBudget memory budget}, or the epoch ends with an {@link
   * IllegalStateException} that says how many they have.
   *
   * @param size how many values a batch has, at least one
   * @param last what becomes of the last values of an epoch, if they are too few for a batch
   * @param collate makes the batch; it may keep nothing of samples but copies
   */
  public <R> Loader<R> batch(
      int size, LastBatch last, Transform<? super List<T>, ? extends R> collate) {
    if (size < 1) {
      throw new IllegalArgumentException("batches of %d, expected at least 1".formatted(size));
    }
    requireNonNull(last, "last is null");
    requireNonNull(collate, "collate is null");
    return new Loader<>(
        dataset,
        (samples, settings) ->
            new Batching<>(stages.on(samples, settings), size, last, settings, collate),
        samples -> batches(count.of(samples), size, last));
  }

  private static long batches(long values, int size, LastBatch last) {
    boolean hasRest = values % size != 0 && last != LastBatch.DROP;
    return values < 0 ? -1 : values / size + (hasRest ? 1 : 0);
  }

  /**
   * Makes everything before it in a thread of its own, so many values ahead of the consumer, so
   * that the consumer does not wait for it while it computes. Values that were mapped or batched
   * are bounded by their number alone; samples that were not hold a quarter of the {@link
   * DatasetBuilder#memoryBudget memory budget} at most, but for one sample.
   *
   * @param values how many are made or wait at most, beside the one that the consumer has; at least
   *     one
   */
  public Loader<T> prefetch(int values) {
    if (values < 1) {
      throw new IllegalArgumentException("%d values ahead, expected at least 1".formatted(values));
    }
    return new Loader<>(
        dataset,
        (samples, settings) -> Parallel.ahead(stages.on(samples, settings), values, settings),
        count);
  }

  /** How many values an epoch of this rank has; unknown behind a filter. */
  public OptionalLong count() {
    OptionalLong samples = dataset.rankSampleCount();
    long values = samples.isEmpty() ? -1 : count.of(samples.orElseThrow());
    return values < 0 ? OptionalLong.empty() : OptionalLong.of(values);
  }

  /** Starts the epoch that is set. */
  public ResumableIterator<T> iterate() {
    sayEmpty();
    return dataset.open().through(stages);
  }

  /** Starts an epoch; see {@link ShardDataset#iterate(long)}. */
  public ResumableIterator<T> iterate(long epoch) {
    sayEmpty();
    return dataset.open(epoch).through(stages);
  }

  private void sayEmpty() {
    long samples = dataset.rankSampleCount().orElse(0);
    if (samples > 0 && count().orElse(1) == 0) {
      LOG.log(
          Level.WARNING,
          "the %d samples of a rank's epoch are too few for a batch, and are left out: set smaller"
                  .formatted(samples)
              + " batches, or LastBatch.KEEP");
    }
  }

  /** Goes on with an epoch; see {@link ShardDataset#resume}. */
  public ResumableIterator<T> resume(Checkpoint checkpoint) {
    return dataset.reopen(checkpoint).through(stages);
  }

  /** The values of the epoch that is set as a sequential stream, which is to be closed. */
  public Stream<T> stream() {
    return iterate().stream();
  }
}
