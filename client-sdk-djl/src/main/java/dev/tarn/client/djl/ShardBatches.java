package dev.tarn.client.djl;

import static java.util.Objects.requireNonNull;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.translate.Batchifier;
import ai.djl.util.Progress;
import dev.tarn.client.Checkpoint;
import dev.tarn.client.Damage;
import dev.tarn.client.Loader;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.loader.LastBatch;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of shards for the Deep Java Library. Each pass over it is the next epoch, in batches of
 * arrays.
 *
 * <pre>{@code
 * ShardBatches training = ShardBatches.builder(dataset, converter).batchSize(64).build();
 * EasyTrain.fit(trainer, 10, training, null);
 * }</pre>
 *
 * <p>One pass at a time, by one thread: to begin another ends the one before. The shards are
 * fetched ahead in the background; so are samples converted, in threads of their own, and batches
 * made of them.
 */
public final class ShardBatches implements Dataset, AutoCloseable {
  private final ShardDataset dataset;
  private final SampleConverter converter;
  private final int batchSize;
  private final LastBatch last;
  private final int threads;
  private final int prefetch;
  private final Batchifier dataBatchifier;
  private final Batchifier labelBatchifier;
  private final OptionalLong batchCount;
  private long epoch;
  private @Nullable Checkpoint resumed;
  private @Nullable BatchIterator pass;

  private ShardBatches(Builder builder) {
    this.dataset = builder.dataset;
    this.converter = builder.converter;
    this.batchSize = builder.batchSize;
    this.last = builder.last;
    this.threads = builder.threads;
    this.prefetch = builder.prefetch;
    this.dataBatchifier = builder.dataBatchifier;
    this.labelBatchifier = builder.labelBatchifier;
    this.batchCount = dataset.loader().batch(batchSize, last, batch -> batch).count();
    this.epoch = builder.epoch;
  }

  /**
   * Starts with the defaults: stacked batches of 32, the last one smaller, epochs from 0, one
   * thread that converts samples, and two batches made ahead.
   *
   * @param dataset which the caller closes
   */
  public static Builder builder(ShardDataset dataset, SampleConverter converter) {
    return new Builder(dataset, converter);
  }

  /** Does nothing: shards are read when they are needed. */
  @Override
  public void prepare(@Nullable Progress progress) {}

  /**
   * The batches of the next epoch, which starts when the iterator is requested.
   *
   * <p>Each batch must be closed, as DJL's training loops do, which closes its arrays.
   *
   * @param manager parent of the batches' managers
   */
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    requireNonNull(manager, "manager is null");
    return () -> begin(manager);
  }

  private BatchIterator begin(NDManager manager) {
    close();
    Checkpoint from = resumed;
    long number = from == null ? epoch : from.epoch();
    BatchIterator begun =
        new BatchIterator(
            this,
            manager,
            dataset.loader(),
            loader -> from == null ? loader.iterate(number) : loader.resume(from));
    resumed = null;
    epoch = number + 1;
    pass = begun;
    return begun;
  }

  /**
   * Sets the number of the next pass, unless it resumes a checkpoint.
   *
   * @param epoch 0 or more
   */
  public void setEpoch(long epoch) {
    requireEpoch(epoch);
    this.epoch = epoch;
  }

  private static void requireEpoch(long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch is %d, expected 0 or more".formatted(epoch));
    }
  }

  /**
   * The progress of the current pass: the samples of all batches that the consumer has received.
   *
   * @throws IllegalStateException if no pass has begun, or the samples have no numbers
   */
  public Checkpoint checkpoint() {
    if (pass == null) {
      throw new IllegalStateException("no pass was begun");
    }
    return pass.checkpoint();
  }

  /**
   * The samples that the current pass has skipped because they could not be read or converted, if
   * the dataset's {@link dev.tarn.client.ErrorPolicy} allows it.
   *
   * @throws IllegalStateException if no pass has begun
   */
  public List<Damage> damages() {
    if (pass == null) {
      throw new IllegalStateException("no pass was begun");
    }
    return pass.damages();
  }

  /**
   * Makes the next pass resume a checkpoint; later passes are whole epochs. If the checkpoint does
   * not fit, each pass throws when it begins, until another checkpoint is set.
   */
  public void resume(Checkpoint checkpoint) {
    resumed = requireNonNull(checkpoint, "checkpoint is null");
  }

  /** Ends the current pass; the dataset stays open. */
  @Override
  public void close() {
    BatchIterator present = pass;
    pass = null;
    if (present != null) {
      present.close();
    }
  }

  SampleConverter converter() {
    return converter;
  }

  int batchSize() {
    return batchSize;
  }

  LastBatch last() {
    return last;
  }

  int threads() {
    return threads;
  }

  int prefetch() {
    return prefetch;
  }

  Batchifier dataBatchifier() {
    return dataBatchifier;
  }

  Batchifier labelBatchifier() {
    return labelBatchifier;
  }

  /** How many batches an epoch has, if known. */
  public OptionalLong batchCount() {
    return batchCount;
  }

  /** Collects the settings of a dataset of batches. */
  public static final class Builder {
    private static final int DEFAULT_BATCH_SIZE = 32;
    private static final int DEFAULT_PREFETCH = 2;

    private final ShardDataset dataset;
    private final SampleConverter converter;
    private int batchSize = DEFAULT_BATCH_SIZE;
    private LastBatch last = LastBatch.KEEP;
    private int threads = 1;
    private int prefetch = DEFAULT_PREFETCH;
    private Batchifier dataBatchifier = Batchifier.STACK;
    private Batchifier labelBatchifier = Batchifier.STACK;
    private long epoch;

    private Builder(ShardDataset dataset, SampleConverter converter) {
      this.dataset = requireNonNull(dataset, "dataset is null");
      this.converter = requireNonNull(converter, "converter is null");
    }

    /** Sets the number of samples in a batch; 32 if not set. */
    public Builder batchSize(int samples) {
      if (samples <= 0) {
        throw new IllegalArgumentException(
            "batchSize is %d, expected a positive number".formatted(samples));
      }
      batchSize = samples;
      return this;
    }

    /** Leaves out a last batch that is not full; otherwise it is smaller. */
    public Builder dropLast() {
      last = LastBatch.DROP;
      return this;
    }

    /**
     * Sets how many threads convert samples; 1 if not set. Converted samples wait for their batch
     * as in {@link Loader#map}: two for each thread, or up to sixteen if samples are small.
     *
     * @param threads 1 to {@value Loader#THREADS_MAX}
     */
    public Builder threads(int threads) {
      if (threads < 1 || threads > Loader.THREADS_MAX) {
        throw new IllegalArgumentException(
            "%d threads, expected 1 to %d".formatted(threads, Loader.THREADS_MAX));
      }
      this.threads = threads;
      return this;
    }

    /**
     * Sets how many batches a thread makes ahead; 2 if not set. With 0 the thread that requests a
     * batch makes it of converted samples.
     *
     * @param batches 0 or more
     */
    public Builder prefetch(int batches) {
      if (batches < 0) {
        throw new IllegalArgumentException(
            "prefetch is %d batches, expected 0 or more".formatted(batches));
      }
      prefetch = batches;
      return this;
    }

    /**
     * Sets how the arrays of samples are joined into those of a batch; {@link Batchifier#STACK} if
     * not set.
     */
    public Builder batchifiers(Batchifier data, Batchifier labels) {
      dataBatchifier = requireNonNull(data, "data is null");
      labelBatchifier = requireNonNull(labels, "labels is null");
      return this;
    }

    /** Sets the number of the first pass; 0 if not set. */
    public Builder epoch(long epoch) {
      requireEpoch(epoch);
      this.epoch = epoch;
      return this;
    }

    /** Builds the dataset; nothing is read yet. */
    public ShardBatches build() {
      return new ShardBatches(this);
    }
  }
}
