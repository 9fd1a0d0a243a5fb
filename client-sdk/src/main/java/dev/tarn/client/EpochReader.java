package dev.tarn.client;

import dev.tarn.client.decode.Decoders;
import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.prefetch.EpochExtents;
import dev.tarn.client.internal.prefetch.Extent;
import dev.tarn.client.internal.prefetch.FetchOptions;
import dev.tarn.client.internal.prefetch.Gaps;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.prefetch.PrefetchLimits;
import dev.tarn.client.internal.read.Lookahead;
import dev.tarn.client.internal.read.OrderedBlocks;
import dev.tarn.client.internal.read.SampleBlocks;
import dev.tarn.client.internal.read.StreamedBlocks;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.shard.order.EpochBlocks;
import dev.tarn.shard.order.EpochOrder;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.SeededOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a dataset's samples: starts epochs, and reads single samples.
 *
 * @param storage of the shards, for single samples
 * @param decoders by which samples decode their members
 * @param verify whether members are verified against the indexes, if there are any
 * @param errors what happens to samples that cannot be read
 * @param limits of each iterator
 * @param listeners of epochs; nothing is measured without any
 * @param epochStorage opens the storage of an epoch, which closes it: a {@code SharedStorage}, or a
 *     {@code CachedStorage} of the local cache
 */
record EpochReader(
    Storage storage,
    IndexStore indexes,
    Decoders decoders,
    boolean verify,
    ErrorPolicy errors,
    PrefetchLimits limits,
    List<EpochListener> listeners,
    Supplier<Storage> epochStorage) {
  private static final int GAPS_OF_WANTED = 16;

  /** Reading a gap up to this length takes less time than another request. */
  private static final long GAP_BYTES_MAX = 128 * 1024;

  /** If there are gaps everywhere, reading only the smallest saves the most requests. */
  private static final long SCATTERED_GAP_BYTES_MAX = 4096;

  /**
   * Begins the rest of an epoch whose samples have numbers.
   *
   * @param isResumed whether the rest may begin within a block, which may then be read whole
   */
  OpenEpoch begin(
      List<ShardSource> shards, EpochOrder order, Delivery delivery, boolean isResumed) {
    List<Positions> left = delivery.positions();
    Iterator<Extent> extents = new EpochExtents(shards, new EpochBlocks(order, left));
    double sampleBytes = sampleBytes(shards);
    long togetherBytes = (long) (order.readTogether() * sampleBytes);
    Gaps gaps =
        new Gaps(
            order.isScattered() ? SCATTERED_GAP_BYTES_MAX : GAP_BYTES_MAX,
            (long)
                (delivery.numbers().count() * sampleBytes / GAPS_OF_WANTED
                    + (isResumed ? togetherBytes : 0)));
    Prefetch prefetch = prefetch(shards, extents, gaps, order.readTogether() > 1);
    return openOn(prefetch, () -> begin(prefetch, order, delivery));
  }

  private OpenEpoch begin(Prefetch prefetch, EpochOrder order, Delivery delivery) {
    DamageReport report = new DamageReport(errors);
    SampleStream samples = samples(prefetch, report);
    SampleBlocks blocks =
        ahead(new OrderedBlocks(samples, new EpochBlocks(order, delivery.positions())), prefetch);
    EpochMeter meter = meter(delivery.epoch(), delivery.count(), prefetch);
    SampleStage stage =
        new SampleStage(
            prefetch, samples, blocks, Optional.of(delivery.numbers()), decoders, meter);
    return new OpenEpoch(stage, Optional.of(delivery), report, meter, limits.budgetBytes());
  }

  /** Begins an epoch of shards without indexes, whose samples have no numbers. */
  OpenEpoch beginStreamed(List<ShardSource> shards, Ordering ordering, SeededOrder order) {
    Shuffle shuffle = ordering.shuffle();
    List<ShardSource> ordered =
        shuffle instanceof Shuffle.None
            ? shards
            : Arrays.stream(order.shards(shards.size())).mapToObj(shards::get).toList();
    Iterator<Extent> extents = ordered.stream().map(Extent::whole).iterator();
    Prefetch prefetch =
        prefetch(shards, extents, new Gaps(0, 0), shuffle instanceof Shuffle.Blocks);
    return openOn(prefetch, () -> beginStreamed(prefetch, ordering, order));
  }

  private OpenEpoch beginStreamed(Prefetch prefetch, Ordering ordering, SeededOrder order) {
    Shuffle shuffle = ordering.shuffle();
    DamageReport report = new DamageReport(errors);
    SampleStream samples = samples(prefetch, report);
    long blockBytes = shuffle instanceof Shuffle.Blocks blocks ? blocks.bytes() : 0;
    SampleBlocks blocks =
        ahead(new StreamedBlocks(samples, order, blockBytes, ordering.limit()), prefetch);
    EpochMeter meter = meter(order.epoch(), OptionalLong.empty(), prefetch);
    SampleStage stage =
        new SampleStage(prefetch, samples, blocks, Optional.empty(), decoders, meter);
    return new OpenEpoch(stage, Optional.empty(), report, meter, limits.budgetBytes());
  }

  private static SampleBlocks ahead(SampleBlocks blocks, Prefetch prefetch) {
    return prefetch.hasLookahead() ? Lookahead.start(blocks, prefetch) : blocks;
  }

  /** Opens an epoch; closes the prefetch if that fails, which ends its threads. */
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

  /** Reads single samples of shards that have indexes. */
  SampleAccess access(List<ShardSource> shards) {
    return new SampleAccess(
        storage, shards, indexes, decoders, verify, limits.budgetBytes(), limits.connections());
  }

  /** The mean length of a sample in the stored shards, in bytes. */
  private static double sampleBytes(List<ShardSource> shards) {
    double bytes = 0;
    double samples = 0;
    for (ShardSource shard : shards) {
      bytes += shard.size().orElse(0);
      samples += shard.samples().orElse(0);
    }
    return bytes / Math.max(1, samples);
  }

  private @Nullable EpochMeter meter(long epoch, OptionalLong samples, Prefetch prefetch) {
    if (listeners.isEmpty()) {
      return null;
    }
    EpochMeter.Queue queue =
        new EpochMeter.Queue(prefetch::waitedNanos, prefetch::usedBytes, prefetch::queuedParts);
    return new EpochMeter(epoch, samples, queue, listeners, System::nanoTime);
  }

  private Prefetch prefetch(
      List<ShardSource> shards, Iterator<Extent> extents, Gaps gaps, boolean hasLookahead) {
    boolean areOfFiles = shards.stream().allMatch(shard -> shard.url().scheme() == Scheme.FILE);
    FetchOptions options =
        new FetchOptions(
            verify || errors.isTolerant(), errors.isTolerant(), areOfFiles, hasLookahead, gaps);
    return new Prefetch(epochStorage.get(), extents, indexes, options, limits);
  }

  private SampleStream samples(Prefetch prefetch, DamageReport report) {
    return new SampleStream(prefetch, verify, report, errors.isTolerant(), limits.budgetBytes());
  }
}
