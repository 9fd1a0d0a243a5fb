package dev.tarn.client;

import dev.tarn.client.internal.shards.ShardCatalog;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.EpochOrder;
import dev.tarn.shard.order.EpochOrders;
import dev.tarn.shard.order.MixSchedule;
import dev.tarn.shard.order.Passes;
import dev.tarn.shard.order.SeededOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Maps each position of an epoch to a sample, for one dataset with a manifest or several that a
 * schedule mixes. Immutable.
 */
final class EpochPlan {
  /**
   * Bound of the samples that are looked up and held together if the order does not determine it.
   */
  private static final int READ_LENGTH_MAX = 1024;

  private final List<ShardCatalog> datasets;
  private final MixSchedule schedule;
  private final Ordering ordering;
  private final int blockLength;
  private final int readLength;

  /**
   * Makes a plan.
   *
   * @param schedule how many samples of each dataset an epoch has
   * @param readBytes approximate bound of samples that are held together if the order does not
   *     determine it
   */
  EpochPlan(List<ShardCatalog> datasets, MixSchedule schedule, Ordering ordering, long readBytes) {
    this.datasets = List.copyOf(datasets);
    this.schedule = schedule;
    this.ordering = ordering;
    this.blockLength = ordering.shuffle() instanceof Shuffle.Blocks b ? samplesOf(b.bytes()) : 1;
    this.readLength = Math.min(READ_LENGTH_MAX, samplesOf(readBytes));
  }

  /** The shards of all datasets, in the numbering of the orders. */
  List<ShardSource> shards() {
    return datasets.stream().flatMap(dataset -> dataset.shards().stream()).toList();
  }

  /** The number of positions of an epoch; {@link Long#MAX_VALUE} if it is endless. */
  long length() {
    long all = ordering.resampled() ? Long.MAX_VALUE : schedule.length();
    return Math.min(all, ordering.limit().orElse(Long.MAX_VALUE));
  }

  /** The last epoch that can be computed: a mix numbers its samples through all epochs. */
  long lastEpoch() {
    boolean isMix = datasets.size() > 1 && !ordering.resampled();
    return isMix ? Long.MAX_VALUE / Math.max(1, schedule.length()) - 1 : Long.MAX_VALUE;
  }

  /** The name of an epoch: everything that determines its order. */
  EpochName name(long epoch) {
    Shuffle shuffle = ordering.shuffle();
    String order = ordering.resampled() ? "resampled " : "";
    order += shuffle.name() + (shuffle instanceof Shuffle.Blocks ? ":" + blockLength : "");
    if (datasets.size() > 1) {
      order +=
          IntStream.range(0, datasets.size())
              .mapToObj(i -> Long.toString(schedule.items(i)))
              .collect(Collectors.joining(":", " mix:", ""));
    }
    List<String> digests = datasets.stream().map(set -> set.digest().orElseThrow()).toList();
    return new EpochName(digests, order, ordering.seed(), epoch, length());
  }

  /** The order of an epoch. */
  EpochOrder order(long epoch) {
    SeededOrder seeded = new SeededOrder(ordering.seed(), epoch);
    if (datasets.size() == 1) {
      return order(datasets.get(0).counts(), seeded);
    }
    List<Passes> passes = new ArrayList<>();
    int shards = 0;
    for (int i = 0; i < datasets.size(); i++) {
      ShardCatalog dataset = datasets.get(i);
      passes.add(
          ordering.resampled() ? drawn(shards, dataset, i, epoch) : passes(shards, dataset, i));
      shards += dataset.shards().size();
    }
    boolean isBlocks = ordering.shuffle() instanceof Shuffle.Blocks;
    int window = isBlocks ? blockLength : readLength;
    List<SeededOrder> shuffles =
        isBlocks
            ? IntStream.range(0, datasets.size()).mapToObj(seeded::ofDataset).toList()
            : List.of();
    return ordering.resampled()
        ? EpochOrders.mixedWithoutEnd(schedule, passes, window, shuffles)
        : EpochOrders.mixed(schedule, passes, epoch, window, shuffles);
  }

  private EpochOrder order(int[] counts, SeededOrder seeded) {
    if (ordering.resampled()) {
      return EpochOrders.resampled(counts, seeded, blockLength, true);
    }
    return ordering.shuffle() instanceof Shuffle.Blocks
        ? EpochOrders.blocks(counts, seeded, blockLength)
        : pass(counts, seeded);
  }

  /** The order of one pass over a dataset. A mix shuffles blocks itself. */
  private EpochOrder pass(int[] counts, SeededOrder seeded) {
    if (ordering.shuffle() instanceof Shuffle.Full) {
      return EpochOrders.full(counts, seeded, readLength);
    }
    return ordering.shuffle() instanceof Shuffle.None
        ? EpochOrders.stored(counts)
        : EpochOrders.shards(counts, seeded);
  }

  private Passes passes(int shardsBefore, ShardCatalog dataset, int number) {
    int[] counts = dataset.counts();
    return new Passes(
        shardsBefore,
        dataset.samples(),
        pass -> pass(counts, new SeededOrder(ordering.seed(), pass).ofDataset(number)));
  }

  private Passes drawn(int shardsBefore, ShardCatalog dataset, int number, long epoch) {
    SeededOrder seeded = new SeededOrder(ordering.seed(), epoch).ofDataset(number);
    EpochOrder draws = EpochOrders.resampled(dataset.counts(), seeded, blockLength, false);
    return new Passes(shardsBefore, Long.MAX_VALUE, pass -> draws);
  }

  /** How many samples have about {@code bytes} bytes, at least one. */
  private int samplesOf(long bytes) {
    double all = 0;
    for (int i = 0; i < datasets.size(); i++) {
      ShardCatalog dataset = datasets.get(i);
      all += schedule.items(i) * ((double) dataset.bytes() / Math.max(1, dataset.samples()));
    }
    double mean = Math.max(1, all / Math.max(1, schedule.length()));
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(bytes / mean)));
  }
}
