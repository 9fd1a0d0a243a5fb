package dev.tarn.client;

import dev.tarn.client.decode.Decoders;
import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.prefetch.Extent;
import dev.tarn.client.internal.prefetch.FetchOptions;
import dev.tarn.client.internal.prefetch.FetchOptions.GapLimits;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.prefetch.PrefetchLimits;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.shard.order.EpochOrder;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.SeededOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * What reads a dataset's samples: starts epochs, and finds single ones.
 *
 * @param storage where the shards are, for single samples
 * @param decoders what samples are decoded by, when somebody asks
 * @param verify whether members are checked against the indexes that there are
 * @param errors what becomes of samples that cannot be read
 * @param limits of each iterator
 * @param listeners told of epochs; without any nothing is measured
 * @param epochs opens where the shards are for an epoch, which closes it
 */
record EpochReader(
    Storage storage,
    IndexStore indexes,
    Decoders decoders,
    boolean verify,
    ErrorPolicy errors,
    PrefetchLimits limits,
    List<EpochListener> listeners,
    Supplier<Storage> epochs) {
  private static final int GAPS_OF_WANTED = 16;

  /** Takes less time to be read than another request. */
  private static final long GAP_BYTES_MAX = 128 * 1024;

  /** Of many gaps the smallest save most requests. */
  private static final long SCATTERED_GAP_BYTES_MAX = 4096;

  /**
   * Reads what is left of an epoch whose samples have numbers.
   *
   * @param isResumed whether it begins within what is read together: then that may be read whole
   */
  OpenEpoch read(List<ShardSource> shards, EpochOrder order, Delivery delivery, boolean isResumed) {
    List<Positions> left = delivery.positions();
    Iterator<Extent> extents = new EpochExtents(shards, new EpochBlocks(order, left));
    double sampleBytes = sampleBytes(shards);
    long togetherBytes = (long) (order.readTogether() * sampleBytes);
    GapLimits gaps =
        new GapLimits(
            order.isScattered() ? SCATTERED_GAP_BYTES_MAX : GAP_BYTES_MAX,
            (long)
                (delivery.numbers().count() * sampleBytes / GAPS_OF_WANTED
                    + (isResumed ? togetherBytes : 0)));
    Prefetch prefetch = prefetch(shards, extents, gaps);
    return openOn(prefetch, () -> read(prefetch, order, delivery));
  }

  private OpenEpoch read(Prefetch prefetch, EpochOrder order, Delivery delivery) {
    DamageReport report = new DamageReport(errors);
    SampleStream samples = samples(prefetch, report);
    Gathering gathering =
        new OrderedGathering(samples, new EpochBlocks(order, delivery.positions()));
    if (order.readTogether() > 1) {
      gathering = GatheringAhead.start(gathering, prefetch);
    }
    SampleStage stage =
        new SampleStage(prefetch, samples, gathering, Optional.of(delivery.numbers()));
    return new OpenEpoch(
        stage,
        Optional.of(delivery),
        report,
        meter(delivery.epoch(), delivery.count(), prefetch),
        limits.budgetBytes());
  }

  /** Reads shards of which nothing is known before. */
  OpenEpoch readStreamed(List<ShardSource> shards, Ordering ordering, SeededOrder order) {
    Shuffle shuffle = ordering.shuffle();
    List<ShardSource> ordered =
        shuffle instanceof Shuffle.None
            ? shards
            : Arrays.stream(order.shards(shards.size())).mapToObj(shards::get).toList();
    Iterator<Extent> extents = ordered.stream().map(Extent::whole).iterator();
    Prefetch prefetch = prefetch(shards, extents, GapLimits.NONE);
    return openOn(prefetch, () -> readStreamed(prefetch, ordering, order));
  }

  private OpenEpoch readStreamed(Prefetch prefetch, Ordering ordering, SeededOrder order) {
    Shuffle shuffle = ordering.shuffle();
    DamageReport report = new DamageReport(errors);
    SampleStream samples = samples(prefetch, report);
    long blockBytes = shuffle instanceof Shuffle.Blocks blocks ? blocks.bytes() : 0;
    Gathering gathering = new StreamedGathering(samples, order, blockBytes, ordering.limit());
    if (blockBytes > 0) {
      gathering = GatheringAhead.start(gathering, prefetch);
    }
    SampleStage stage = new SampleStage(prefetch, samples, gathering, Optional.empty());
    return new OpenEpoch(
        stage,
        Optional.empty(),
        report,
        meter(order.epoch(), OptionalLong.empty(), prefetch),
        limits.budgetBytes());
  }

  /** Threads that were started end where the rest of an epoch fails to. */
  private static OpenEpoch openOn(Prefetch prefetch, Supplier<OpenEpoch> opening) {
    boolean isOpen = false;
    try {
      OpenEpoch epoch = opening.get();
      isOpen = true;
      return epoch;
    } finally {
      if (!isOpen) {
        prefetch.close();
      }
    }
  }

  /** Reads samples by themselves, of shards that have indexes. */
  SampleAccess access(List<ShardSource> shards) {
    return new SampleAccess(
        storage, shards, indexes, verify, limits.budgetBytes(), limits.connections());
  }

  /** The same sample, which decodes its members as the dataset's user says. */
  Sample decoded(Sample sample) {
    return sample.decodedBy(decoders);
  }

  /** What a sample takes of a shard, on average. */
  private static double sampleBytes(List<ShardSource> shards) {
    double bytes = 0;
    double samples = 0;
    for (ShardSource shard : shards) {
      bytes += shard.size().orElse(0);
      samples += shard.samples().orElse(0);
    }
    return bytes / Math.max(1, samples);
  }

  private Optional<EpochMeter> meter(long epoch, OptionalLong samples, Prefetch prefetch) {
    if (listeners.isEmpty()) {
      return Optional.empty();
    }
    EpochMeter.Queue queue =
        new EpochMeter.Queue(prefetch::waitedNanos, prefetch::usedBytes, prefetch::queuedParts);
    return Optional.of(new EpochMeter(epoch, samples, queue, listeners, System::nanoTime));
  }

  private Prefetch prefetch(List<ShardSource> shards, Iterator<Extent> extents, GapLimits gaps) {
    boolean areOfFiles = shards.stream().allMatch(shard -> shard.url().scheme() == Scheme.FILE);
    FetchOptions options =
        new FetchOptions(verify || errors.isTolerant(), errors.isTolerant(), areOfFiles, gaps);
    return new Prefetch(epochs.get(), extents, indexes, options, limits);
  }

  private SampleStream samples(Prefetch prefetch, DamageReport report) {
    return new SampleStream(
        prefetch, decoders, verify, report, errors.isTolerant(), limits.budgetBytes());
  }
}
