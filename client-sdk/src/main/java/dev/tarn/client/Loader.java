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
 * Filters, maps and batches a dataset's samples before the consumer receives them.
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
 * <p>A sample's views are valid until the function that received it returns; results must not share
 * memory with it. Checkpoints count the samples of the values that the consumer has received.
 * Immutable: each call returns another loader.
 */
public final class Loader<T> {
  /** Bound of the threads of a {@link #map}. */
  public static final int THREADS_MAX = 4096;

  // Users know the dataset's class.
  private static final Logger LOG = System.getLogger(ShardDataset.class.getName());

  private final ShardDataset dataset;
  private final Stages<T> stages;
  private final Count count;

  /** Makes the stages of one epoch. */
  interface Stages<T> {
    /** Puts the stages behind the samples. */
    Stage<T> on(Stage<Sample> samples, StageSettings settings);
  }

  /** How many values a number of samples becomes; -1 if that is unknown. */
  private interface Count {
    long of(long samples);
  }

  private Loader(ShardDataset dataset, Stages<T> stages, Count count) {
    this.dataset = dataset;
    this.stages = stages;
    this.count = count;
  }

  /** A loader of the samples without further stages. */
  static Loader<Sample> of(ShardDataset dataset) {
    return new Loader<>(dataset, (samples, settings) -> samples, samples -> samples);
  }

  /**
   * Keeps only the values that a predicate accepts, so that ranks may make different numbers of
   * steps. A sample on which the predicate fails ends the epoch or is skipped, as set by {@link
   * DatasetBuilder#errors}.
   */
  public Loader<T> filter(Predicate<? super T> wanted) {
    requireNonNull(wanted, "wanted is null");
    return new Loader<>(
        dataset,
        (samples, settings) -> new Filtering<>(stages.on(samples, settings), settings, wanted),
        samples -> -1);
  }

  /**
   * Maps each value by a function in several threads. A sample on which the function fails, such as
   * an image that cannot be decoded, ends the epoch or is skipped, as set by {@link
   * DatasetBuilder#errors}.
   *
   * <p>At most {@code 2 * threads} values are being mapped or wait for the next stage or the
   * consumer. While their samples have less than {@code 32 * threads} KiB together, it is {@code 16
   * * threads}. The samples' bytes are part of the {@link DatasetBuilder#memoryBudget memory
   * budget}; they take at most a quarter of it, or one sample.
   *
   * <p>Results of the function are not part of the budget: only their number is bounded. A {@link
   * #batch} behind the map holds the results of one batch in addition, and {@link #prefetch} its
   * own. If results are large, size the heap for that number of the largest, use fewer threads, or
   * return less. Small samples with large results need {@code 16 * threads} of them.
   *
   * @param threads 1 to {@value #THREADS_MAX}
   * @param order of the results
   * @param function called by several threads at once; its results must not be null, and must not
   *     share memory with the sample
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
   * Collates consecutive values into one, in the thread of the next stage; see {@link #prefetch}.
   *
   * <p>Samples that were not mapped stay in memory until their batch is made, so that less of the
   * budget remains for prefetching. If those of one batch exceed the {@link
   * DatasetBuilder#memoryBudget memory budget}, the epoch ends with an {@link
   * IllegalStateException} that says by how much.
   *
   * @param size number of values in a batch, at least 1
   * @param last what happens to the last values of an epoch if they do not fill a batch
   * @param collate makes a batch; it must copy what it keeps of samples
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
   * Runs all stages before it in a thread of its own, ahead of the consumer. Values that were
   * mapped or batched are bounded by their number alone. Samples that were not take at most a
   * quarter of the {@link DatasetBuilder#memoryBudget memory budget}, or one sample.
   *
   * @param values how many are made ahead, in addition to the one that the consumer has; at least 1
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

  /** How many values an epoch of this rank has; unknown after a filter. */
  public OptionalLong count() {
    OptionalLong samples = dataset.rankSampleCount();
    long values = samples.isEmpty() ? -1 : count.of(samples.orElseThrow());
    return values < 0 ? OptionalLong.empty() : OptionalLong.of(values);
  }

  /** Starts the epoch that {@link ShardDataset#setEpoch} has set. */
  public ResumableIterator<T> iterate() {
    warnIfEmpty();
    return dataset.open().through(stages);
  }

  /** Starts an epoch; see {@link ShardDataset#iterate(long)}. */
  public ResumableIterator<T> iterate(long epoch) {
    warnIfEmpty();
    return dataset.open(epoch).through(stages);
  }

  private void warnIfEmpty() {
    long samples = dataset.rankSampleCount().orElse(0);
    if (samples > 0 && count().orElse(1) == 0) {
      LOG.log(
          Level.WARNING,
          "the %d samples of a rank's epoch are too few for a batch, and are left out: set smaller"
                  .formatted(samples)
              + " batches, or LastBatch.KEEP");
    }
  }

  /** Resumes an epoch; see {@link ShardDataset#resume}. */
  public ResumableIterator<T> resume(Checkpoint checkpoint) {
    return dataset.reopen(checkpoint).through(stages);
  }

  /** The values of the epoch that is set, as a sequential stream, which must be closed. */
  public Stream<T> stream() {
    return iterate().stream();
  }
}
