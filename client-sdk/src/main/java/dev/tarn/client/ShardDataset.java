package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.client.internal.shards.ShardSource;
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
 * A dataset of WebDataset shards, or several mixed: plain or compressed tar files, local, on a web
 * server or in S3.
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
 * <p>Shards are fetched, and compressed ones decompressed, in the background within the memory
 * budget; samples are views of what was fetched, parsed in the consumer's thread, or a block ahead
 * where samples are shuffled or mixed. The order is a pure function of the manifests, the seed and
 * the epoch. Safe for several threads; each iterator is for one.
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
   * @param plan of the epochs, if there are manifests
   * @param closing what was opened for it
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
      shares().say(ranks, "an epoch");
    }
  }

  /** Starts from the defaults: no shuffle, 64 MiB of memory, four connections. */
  public static DatasetBuilder builder() {
    return new DatasetBuilder();
  }

  /** The URLs of the shards, in the dataset's order. */
  public List<StorageUrl> shards() {
    return shards.stream().map(ShardSource::url).toList();
  }

  /** How many samples an epoch of all ranks has; known where there is a manifest and an end. */
  public OptionalLong sampleCount() {
    return plan.isPresent() ? finite(plan.orElseThrow().length()) : OptionalLong.empty();
  }

  /** How many samples this rank receives in an epoch, as every rank does. */
  public OptionalLong rankSampleCount() {
    return sampleCount().isPresent()
        ? OptionalLong.of(ranks.of(Positions.below(sampleCount().orElseThrow())).length())
        : OptionalLong.empty();
  }

  /**
   * How many samples of an epoch no rank receives, since they do not go into equal parts; none with
   * {@link Uneven#PAD}. Known where {@link #sampleCount} is.
   */
  public OptionalLong droppedSampleCount() {
    return sampleCount().isPresent() ? OptionalLong.of(shares().dropped()) : OptionalLong.empty();
  }

  /**
   * How many samples of an epoch come once more, to make the ranks' parts equal; none with {@link
   * Uneven#DROP}. Known where {@link #sampleCount} is.
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
   * Sets the epoch that {@link #iterate()} and {@link #stream()} start; 0 if not set.
   *
   * @param epoch its number, 0 or more
   * @throws IllegalArgumentException naming the epochs that there are
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
   * Starts an epoch: fetching begins at once.
   *
   * @param epoch its number, 0 or more; another number gives another order, where there is a
   *     shuffle
   * @throws IllegalArgumentException naming the epochs that there are
   */
  public SampleIterator iterate(long epoch) {
    return open(epoch).iterator();
  }

  /**
   * Goes on with an epoch that a checkpoint is of: what was delivered does not come again. It takes
   * as long wherever the epoch is.
   *
   * @throws IllegalArgumentException saying why, if the checkpoint is not of this dataset, seed and
   *     shuffle, or of another rank and not merged
   */
  public SampleIterator resume(Checkpoint checkpoint) {
    return reopen(checkpoint).iterator();
  }

  /** The samples of the epoch that is set; see {@link ResumableIterator#stream}. */
  public Stream<Sample> stream() {
    return iterate().stream();
  }

  /** What is made of samples before the consumer has them: filtered, mapped, in batches. */
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
   * Makes sure that there is such an epoch.
   *
   * @throws IllegalArgumentException saying which there are
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
      return reader.readStreamed(shards, ordering, new SeededOrder(ordering.seed(), number));
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
                "without a manifest or a cache for indexes the samples of a dataset have no"
                    + " numbers: no checkpoint is of it"));
    requireEpoch(checkpoint.epoch());
    checkpoint.name().requireSame(planned.name(checkpoint.epoch()), "the checkpoint");
    Progress progress = checkpoint.resume(ranks.rank(), ranks.ranks(), ranks.isPadded());
    boolean isReassigned = checkpoint.progress().filter(progress::equals).isEmpty();
    if (isReassigned && sampleCount().isPresent()) {
      Shares.of(progress.assignment()).say(ranks, "what is left of epoch " + checkpoint.epoch());
    }
    return open(planned, new Delivery(checkpoint.name(), progress), true);
  }

  private OpenEpoch open(EpochPlan planned, Delivery delivery, boolean isResumed) {
    return reader.read(shards, planned.order(delivery.epoch()), delivery, isResumed);
  }

  /**
   * One sample by its number, from 0 through the shards in the dataset's order, whatever the
   * shuffle: by one ranged read, once its shard's index is there. Its bytes are the caller's for
   * good.
   *
   * @throws IndexOutOfBoundsException naming how many samples there are
   * @throws IllegalStateException if the shards have no indexes
   * @throws DatasetException if it cannot be read
   */
  public Sample get(long number) {
    return access().get(number);
  }

  /**
   * One sample by its key, the first of those that have it; as {@link #get(long)}. The first call
   * reads the indexes of all shards, and keeps eight bytes in memory for each sample; where there
   * is a cache it keeps them there, too, for the next process.
   *
   * @throws NoSuchElementException if none has that key
   * @throws IllegalStateException if the shards have no indexes
   * @throws UncheckedIOException if one of them cannot be read
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
            "without a manifest the shards have no indexes, and nobody knows where a sample"
                + " lies: name a cache for the dataset, where indexes are made"));
  }

  @Override
  public String toString() {
    String samples =
        sampleCount().isPresent() ? ", %d samples".formatted(sampleCount().orElseThrow()) : "";
    return "ShardDataset[%d shards%s]".formatted(shards.size(), samples);
  }

  /**
   * Closes the storage, if it was opened for this dataset; iterators must be closed before. From
   * then on no epoch is started and no sample found: that is an {@link IllegalStateException},
   * wherever the shards are. A second call does nothing.
   */
  @Override
  public void close() {
    closed = true;
    closing.close();
  }
}
