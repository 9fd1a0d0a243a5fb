package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.internal.stage.Closing;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.SeededOrder;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A dataset of WebDataset shards, or a mix of several. Shards are plain or compressed tar files:
 * local, on a web server or in S3.
 *
 * <pre>{@code
 * try (ShardDataset dataset =
 *         ShardDataset.builder().manifest("s3://data/train").seed(7).shuffle(blocks(16 << 20)).build();
 *     SampleIterator samples = dataset.iterate(epoch)) {
 *   while (samples.hasNext()) {
 *     Sample sample = samples.next();
 *     train(sample.get("jpg"), sample.get("cls"));
 *   }
 * }
 * }</pre>
 *
 * <p>Shards are fetched and decompressed in the background within the memory budget. Samples are
 * views of fetched bytes. They are parsed in the consumer's thread, or a block ahead if they are
 * shuffled or mixed. The order is a pure function of the manifests, the seed and the epoch. Safe
 * for several threads; each iterator is for one thread.
 */
public final class ShardDataset implements AutoCloseable {
  private final List<ShardSource> shards;
  private final Optional<EpochPlan> plan;
  private final Ordering ordering;
  private final Ranks ranks;
  private final EpochReader reader;
  private final Optional<SampleAccess> access;
  private final Closing closing;
  private volatile long epoch;
  private volatile boolean closed;

  /**
   * Makes a dataset.
   *
   * @param plan of the epochs, if the samples have numbers
   * @param closing resources that were opened for the dataset
   */
  ShardDataset(
      List<ShardSource> shards,
      Optional<EpochPlan> plan,
      Ordering ordering,
      Ranks ranks,
      EpochReader reader,
      Closing closing) {
    this.shards = shards;
    this.plan = plan;
    this.ordering = ordering;
    this.ranks = ranks;
    this.reader = reader;
    this.access = plan.map(planned -> reader.access(shards));
    this.closing = closing;
    if (sampleCount().isPresent()) {
      shares().warn(ranks, "an epoch");
    }
  }

  /** Starts with the defaults: no shuffle, 64 MiB of memory, four connections. */
  public static DatasetBuilder builder() {
    return new DatasetBuilder();
  }

  /** The URLs of the shards, in the dataset's order. */
  public List<StorageUrl> shards() {
    return shards.stream().map(ShardSource::url).toList();
  }

  /**
   * How many samples an epoch of all ranks has; empty without a manifest, or if epochs are endless.
   */
  public OptionalLong sampleCount() {
    return plan.isPresent() ? finite(plan.orElseThrow().length()) : OptionalLong.empty();
  }

  /** How many samples each rank receives in an epoch. */
  public OptionalLong rankSampleCount() {
    return sampleCount().isPresent()
        ? OptionalLong.of(ranks.of(Positions.below(sampleCount().orElseThrow())).length())
        : OptionalLong.empty();
  }

  /**
   * How many samples of an epoch no rank receives, since they cannot be divided equally; 0 with
   * {@link Uneven#PAD}. Empty if {@link #sampleCount} is.
   */
  public OptionalLong droppedSampleCount() {
    return sampleCount().isPresent() ? OptionalLong.of(shares().dropped()) : OptionalLong.empty();
  }

  /**
   * How many samples of an epoch are repeated to make the ranks' parts equal; 0 with {@link
   * Uneven#DROP}. Empty if {@link #sampleCount} is.
   */
  public OptionalLong repeatedSampleCount() {
    return sampleCount().isPresent() ? OptionalLong.of(shares().repeated()) : OptionalLong.empty();
  }

  private Shares shares() {
    return Shares.of(ranks.of(Positions.below(sampleCount().orElseThrow())));
  }

  private static OptionalLong finite(long length) {
    return length == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(length);
  }

  /**
   * Sets the epoch for {@link #iterate()} and {@link #stream()}, which is 0 at first.
   *
   * @param epoch 0 or more
   * @throws IllegalArgumentException if there is no such epoch; the message names the range
   */
  public void setEpoch(long epoch) {
    requireEpoch(epoch);
    this.epoch = epoch;
  }

  /** Starts the epoch that is set. */
  public SampleIterator iterate() {
    return open().iterator();
  }

  /**
   * Starts an epoch; fetching begins immediately.
   *
   * @param epoch 0 or more; with a shuffle, each number gives another order
   * @throws IllegalArgumentException if there is no such epoch; the message names the range
   */
  public SampleIterator iterate(long epoch) {
    return open(epoch).iterator();
  }

  /**
   * Resumes the epoch of a checkpoint. Delivered samples are not repeated. The cost does not depend
   * on the position in the epoch.
   *
   * @throws IllegalArgumentException if the checkpoint is of another dataset, seed or shuffle, or
   *     of another rank and not merged; the message says why
   */
  public SampleIterator resume(Checkpoint checkpoint) {
    return reopen(checkpoint).iterator();
  }

  /** The samples of the epoch that is set; see {@link ResumableIterator#stream}. */
  public Stream<Sample> stream() {
    return iterate().stream();
  }

  /** A loader, which filters, maps and batches samples before the consumer receives them. */
  public Loader<Sample> loader() {
    requireOpen();
    return Loader.of(this);
  }

  OpenEpoch open() {
    return open(epoch);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "the dataset is closed: %s, the first shard %s"
              .formatted(this, shards.get(0).url().printable()));
    }
  }

  /**
   * Requires that there is such an epoch.
   *
   * @throws IllegalArgumentException naming the range
   */
  private void requireEpoch(long number) {
    long last = plan.isPresent() ? plan.orElseThrow().lastEpoch() : Long.MAX_VALUE;
    if (number < 0 || number > last) {
      throw new IllegalArgumentException("epoch %d, expected 0 to %d".formatted(number, last));
    }
  }

  OpenEpoch open(long number) {
    requireOpen();
    requireEpoch(number);
    if (plan.isEmpty()) {
      return reader.beginStreamed(shards, ordering, new SeededOrder(ordering.seed(), number));
    }
    EpochName name = plan.orElseThrow().name(number);
    Assignment assignment = ranks.of(Positions.below(name.length()));
    return open(plan.orElseThrow(), new Delivery(name, Progress.begin(assignment)), false);
  }

  OpenEpoch reopen(Checkpoint checkpoint) {
    requireNonNull(checkpoint, "checkpoint is null");
    requireOpen();
    EpochPlan planned =
        plan.orElseThrow(() ->
            new IllegalArgumentException(
                "the checkpoint cannot be resumed: a dataset without a manifest has no sample"
                    + " numbers; name its manifest, or a cache for indexes"));
    requireEpoch(checkpoint.epoch());
    checkpoint.name().requireSame(planned.name(checkpoint.epoch()), "the checkpoint");
    Progress progress = checkpoint.resume(ranks.rank(), ranks.ranks(), ranks.isPadded());
    boolean isReassigned = checkpoint.progress().filter(progress::equals).isEmpty();
    if (isReassigned && sampleCount().isPresent()) {
      Shares.of(progress.assignment()).warn(ranks, "the rest of epoch " + checkpoint.epoch());
    }
    return open(planned, new Delivery(checkpoint.name(), progress), true);
  }

  private OpenEpoch open(EpochPlan planned, Delivery delivery, boolean isResumed) {
    return reader.begin(shards, planned.order(delivery.epoch()), delivery, isResumed);
  }

  /**
   * Reads one sample by its number, counted from 0 through the shards in the dataset's order,
   * whatever the shuffle. It takes one ranged read, once the shard's index is loaded. The sample's
   * bytes stay valid.
   *
   * @throws IndexOutOfBoundsException if there is no such sample; the message names their number
   * @throws IllegalStateException if the shards have no indexes
   * @throws DatasetException if the sample cannot be read
   */
  public Sample get(long number) {
    return access().get(number);
  }

  /**
   * Reads the first sample with this key; as {@link #get(long)}. The first call reads the indexes
   * of all shards and keeps eight bytes of memory per sample. A cache keeps these on disk for later
   * processes.
   *
   * @throws NoSuchElementException if no sample has the key
   * @throws IllegalStateException if the shards have no indexes
   * @throws UncheckedIOException if an index cannot be read
   * @throws DatasetException if the sample cannot be read
   */
  public Sample get(String key) {
    requireNonNull(key, "key is null");
    return access().get(key);
  }

  private SampleAccess access() {
    requireOpen();
    return access.orElseThrow(() ->
        new IllegalStateException(
            "samples cannot be looked up: shards without a manifest have no indexes; name a cache"
                + " for indexes"));
  }

  @Override
  public String toString() {
    String samples =
        sampleCount().isPresent() ? ", %d samples".formatted(sampleCount().orElseThrow()) : "";
    return "ShardDataset[%d shards%s]".formatted(shards.size(), samples);
  }

  /**
   * Closes the dataset, and its storage if it was opened for it; close all iterators before. From
   * then on, starting an epoch or reading a sample throws an {@link IllegalStateException}. A
   * second call does nothing.
   */
  @Override
  public void close() {
    closed = true;
    closing.close();
  }
}
