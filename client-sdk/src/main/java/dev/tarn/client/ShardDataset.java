package dev.tarn.client;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.client.cache.CacheFolder;
import dev.tarn.client.decode.Decoders;
import dev.tarn.client.index.IndexStore;
import dev.tarn.client.index.KeptIndexes;
import dev.tarn.client.order.Deal;
import dev.tarn.client.order.EpochName;
import dev.tarn.client.order.EpochOrder;
import dev.tarn.client.order.EpochOrders;
import dev.tarn.client.order.Positions;
import dev.tarn.client.order.SeededOrder;
import dev.tarn.client.prefetch.Extent;
import dev.tarn.client.prefetch.Prefetch;
import dev.tarn.client.prefetch.PrefetchLimits;
import dev.tarn.client.shards.ShardCatalog;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.shards.ShardSources;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of WebDataset shards: plain or compressed tar files, local, on a web server or in S3.
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
 * budget; samples are parsed in the consumer's thread as views of what was fetched. The order is a
 * pure function of the shards' names and contents, the seed and the epoch. Safe for several
 * threads; each iterator is for one.
 */
public final class ShardDataset implements AutoCloseable {
  /** Indexes are mapped files, of which a process may have tens of thousands. */
  private static final int INDEXES_MAX = 4096;

  private final ShardCatalog catalog;
  private final Storage storage;
  private final boolean ownsStorage;
  private final IndexStore indexes;
  private final long seed;
  private final Shuffle shuffle;
  private final Ranks ranks;
  private final boolean verify;
  private final Decoders decoders;
  private final PrefetchLimits limits;
  private final Optional<SampleAccess> access;

  private ShardDataset(Builder builder, ShardCatalog catalog, Storage storage) {
    this.catalog = catalog;
    this.storage = storage;
    this.ownsStorage = builder.storage == null;
    this.indexes = new IndexStore(storage, INDEXES_MAX);
    this.seed = builder.seed;
    this.shuffle = builder.shuffle;
    this.ranks = builder.ranks();
    this.verify = builder.verify;
    this.decoders = builder.decoders;
    this.limits = PrefetchLimits.of(builder.memoryBudgetBytes, builder.connections);
    this.access =
        catalog
            .digest()
            .map(digest ->
                new SampleAccess(
                    storage,
                    catalog.shards(),
                    indexes,
                    verify,
                    builder.memoryBudgetBytes,
                    builder.connections));
  }

  /** Starts from the defaults: no shuffle, 64 MiB of memory, four connections. */
  public static Builder builder() {
    return new Builder();
  }

  /** The URLs of the shards, in the dataset's order. */
  public List<StorageUrl> shards() {
    return catalog.shards().stream().map(ShardSource::url).toList();
  }

  /** How many samples an epoch of all ranks has; known where there is a manifest. */
  public OptionalLong sampleCount() {
    return catalog.digest().isPresent() ? OptionalLong.of(catalog.samples()) : OptionalLong.empty();
  }

  /** How many samples this rank receives in an epoch, as every rank does. */
  public OptionalLong rankSampleCount() {
    return sampleCount().isPresent()
        ? OptionalLong.of(ranks.of(Positions.below(sampleCount().orElseThrow())).length())
        : OptionalLong.empty();
  }

  /**
   * Starts an epoch: fetching begins at once.
   *
   * @param epoch its number; another number gives another order, where there is a shuffle
   */
  public SampleIterator iterate(long epoch) {
    SeededOrder order = new SeededOrder(seed, epoch);
    return catalog.digest().isPresent() ? iterate(order, begin(epoch)) : iterateStreamed(order);
  }

  /**
   * Goes on with an epoch that a checkpoint is of: what was delivered does not come again. It takes
   * as long wherever the epoch is.
   *
   * @throws IllegalArgumentException saying why, if the checkpoint is not of this dataset, seed and
   *     shuffle, or of another rank and not merged
   */
  public SampleIterator resume(Checkpoint checkpoint) {
    long epoch = checkpoint.epoch();
    if (catalog.digest().isEmpty()) {
      throw new IllegalArgumentException(
          "without a manifest the samples of a dataset have no numbers: no checkpoint is of it");
    }
    checkpoint.name().requireSame(name(epoch), "the checkpoint");
    Progress progress = checkpoint.resume(ranks.rank(), ranks.ranks(), ranks.uneven());
    return iterate(new SeededOrder(seed, epoch), new Delivery(checkpoint.name(), progress));
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
    return access().get(number).decodedBy(decoders);
  }

  /**
   * One sample by its key, the first of those that have it; as {@link #get(long)}. The first call
   * reads the indexes of all shards, and keeps eight bytes in memory for each sample.
   *
   * @throws NoSuchElementException if none has that key
   * @throws IllegalStateException if the shards have no indexes
   * @throws UncheckedIOException if one of them cannot be read
   * @throws DatasetException if the sample cannot be read
   */
  public Sample get(String key) {
    return access().get(key).decodedBy(decoders);
  }

  private SampleAccess access() {
    return access.orElseThrow(() ->
        new IllegalStateException(
            "without a manifest the shards have no indexes, and nobody knows where a sample"
                + " lies: name a cache for the dataset, where indexes are made"));
  }

  private Delivery begin(long epoch) {
    EpochName name = name(epoch);
    Deal deal = ranks.of(Positions.below(name.length()));
    return new Delivery(name, new Progress(deal, 0, List.of()));
  }

  private EpochName name(long epoch) {
    String order = shuffle.name() + (shuffle instanceof Shuffle.Blocks ? ":" + blockLength() : "");
    return new EpochName(
        List.of(catalog.digest().orElseThrow()), order, seed, epoch, catalog.samples());
  }

  /** About as many samples as have the bytes of a block. */
  private int blockLength() {
    long bytes = shuffle instanceof Shuffle.Blocks blocks ? blocks.bytes() : 0;
    double mean = (double) catalog.bytes() / Math.max(1, catalog.samples());
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(bytes / Math.max(1, mean))));
  }

  private EpochOrder order(SeededOrder order) {
    int[] counts = catalog.counts();
    if (shuffle instanceof Shuffle.Full) {
      return EpochOrders.full(counts, order);
    }
    if (shuffle instanceof Shuffle.Blocks) {
      return EpochOrders.blocks(counts, order, blockLength());
    }
    return shuffle instanceof Shuffle.Shards
        ? EpochOrders.shards(counts, order)
        : EpochOrders.stored(counts);
  }

  private SampleIterator iterate(SeededOrder seeded, Delivery delivery) {
    EpochOrder order = order(seeded);
    List<Positions> left = delivery.left();
    Prefetch prefetch =
        new Prefetch(
            storage,
            new EpochExtents(catalog.shards(), new EpochBlocks(order, left)),
            indexes,
            verify,
            limits);
    SampleStream samples = new SampleStream(prefetch, decoders, verify, limits.budgetBytes());
    Gathering gathering = new OrderedGathering(samples, new EpochBlocks(order, left));
    return new EpochIterator(prefetch, samples, gathering, Optional.of(delivery));
  }

  private SampleIterator iterateStreamed(SeededOrder order) {
    List<ShardSource> shards = catalog.shards();
    List<ShardSource> ordered =
        shuffle instanceof Shuffle.None
            ? shards
            : Arrays.stream(order.shards(shards.size())).mapToObj(shards::get).toList();
    Prefetch prefetch =
        new Prefetch(
            storage, ordered.stream().map(Extent::whole).iterator(), indexes, verify, limits);
    SampleStream samples = new SampleStream(prefetch, decoders, verify, limits.budgetBytes());
    long blockBytes = shuffle instanceof Shuffle.Blocks blocks ? blocks.bytes() : 0;
    Gathering gathering = new StreamedGathering(samples, order, blockBytes);
    return new EpochIterator(prefetch, samples, gathering, Optional.empty());
  }

  /** Closes the storage, if it was opened for this dataset; iterators must be closed before. */
  @Override
  public void close() {
    if (ownsStorage) {
      storage.close();
    }
  }

  /** Collects what makes a dataset. */
  public static final class Builder {
    private static final long DEFAULT_BUDGET_BYTES = 64 << 20;
    private static final int DEFAULT_CONNECTIONS = 4;

    private final List<Naming> named = new ArrayList<>();
    private @Nullable Storage storage;
    private StorageOptions storageOptions = StorageOptions.defaults();
    private long seed;
    private Shuffle shuffle = Shuffle.NONE;
    private @Nullable Ranks ranks;
    private Deal.Uneven uneven = Deal.Uneven.DROP;
    private boolean verify = true;
    private Decoders decoders = Decoders.standard();
    private long memoryBudgetBytes = DEFAULT_BUDGET_BYTES;
    private int connections = DEFAULT_CONNECTIONS;
    private @Nullable Path cache;

    private Builder() {}

    /** The shards that a manifest lists: its URL, or that of the folder that holds dataset.json. */
    public Builder manifest(String url) {
      named.add(opened -> ShardSources.ofManifest(opened, StorageUrl.parse(url)));
      return this;
    }

    /**
     * The shards that a spec names, as {@code s3://data/train-{000000..000146}.tar}: braces as in
     * bash, several specs joined by {@code ::}.
     */
    public Builder shards(String spec) {
      named.add(opened -> ShardSources.ofSpec(spec));
      return this;
    }

    /** The shards of these URLs, in their order. */
    public Builder shards(List<String> urls) {
      List<String> copy = List.copyOf(urls);
      named.add(opened -> ShardSources.ofUrls(copy));
      return this;
    }

    /** Reads through this storage, which stays the caller's to close. */
    public Builder storage(Storage storage) {
      this.storage = storage;
      return this;
    }

    /** Reads through a storage of the dataset's own with these settings. */
    public Builder storageOptions(StorageOptions options) {
      storageOptions = options;
      return this;
    }

    /** What the order depends on beside the dataset and the epoch; 0 if not set. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Which of several consumers this is, each of which receives a part of the epoch; as the
     * variables RANK and WORLD_SIZE say if not set, and the only one without them.
     *
     * @param rank from 0
     * @param ranks how many there are
     */
    public Builder rank(int rank, int ranks) {
      this.ranks = new Ranks(rank, ranks, uneven);
      return this;
    }

    /**
     * What becomes of samples that do not go into equal parts for all ranks; {@link
     * Deal.Uneven#DROP} if not set.
     */
    public Builder uneven(Deal.Uneven uneven) {
      this.uneven = uneven;
      return this;
    }

    /** How far the order is from the shards'; {@link Shuffle#NONE} if not set. */
    public Builder shuffle(Shuffle shuffle) {
      this.shuffle = shuffle;
      return this;
    }

    /** Whether members are checked against the index's CRC32C where there is an index; they are. */
    public Builder verify(boolean verify) {
      this.verify = verify;
      return this;
    }

    /** What {@link Sample#decode} decodes by; {@link Decoders#standard} if not set. */
    public Builder decoders(Decoders decoders) {
      this.decoders = decoders;
      return this;
    }

    /**
     * Bound of the memory that an iterator holds: bytes fetched ahead, the block that is shuffled,
     * and the samples delivered. At least 256 KiB and four blocks. A sample may not exceed it; one
     * larger than an eighth of it may for a while be held twice.
     */
    public Builder memoryBudget(long bytes) {
      memoryBudgetBytes = bytes;
      return this;
    }

    /**
     * A folder on this machine for what the SDK keeps; empty, or made by it, and several processes
     * may share it. Shards without a manifest get their indexes there: {@link #build} reads those
     * whole that it sees for the first time, and they are as good as those of a manifest then.
     */
    public Builder cache(Path folder) {
      cache = folder;
      return this;
    }

    /** Requests at a time, per iterator. */
    public Builder connections(int connections) {
      this.connections = connections;
      return this;
    }

    /**
     * Reads the manifest, if there is one; shards are not looked at yet, unless they get indexes.
     *
     * @throws IllegalArgumentException naming the setting that is missing or wrong
     * @throws IOException if the manifest cannot be read
     */
    public ShardDataset build() throws IOException {
      check();
      Storage opened = storage != null ? storage : Storage.open(storageOptions);
      boolean built = false;
      try {
        ShardCatalog catalog = catalog(opened);
        check(catalog);
        ShardDataset dataset = new ShardDataset(this, catalog, opened);
        built = true;
        return dataset;
      } finally {
        if (!built && storage == null) {
          opened.close();
        }
      }
    }

    private ShardCatalog catalog(Storage opened) throws IOException {
      ShardCatalog catalog = named.get(0).catalog(opened);
      Path folder = cache;
      return catalog.digest().isPresent() || folder == null
          ? catalog
          : new KeptIndexes(opened, CacheFolder.open(folder))
              .complete(catalog.shards(), connections);
    }

    private void check(ShardCatalog catalog) {
      if (catalog.shards().isEmpty()) {
        throw new IllegalArgumentException("the dataset has no shards");
      }
      if (catalog.digest().isEmpty() && ranks().ranks() > 1) {
        throw new IllegalArgumentException(
            "%d ranks: without a manifest or a cache for indexes the samples of a dataset have no"
                    .formatted(ranks().ranks())
                + " numbers to deal them by");
      }
      if (catalog.digest().isEmpty() && shuffle instanceof Shuffle.Full) {
        throw new IllegalArgumentException(
            "a full shuffle needs the indexes that a manifest lists: name the dataset by its"
                + " manifest, or a cache where indexes are made");
      }
    }

    private Ranks ranks() {
      return ranks == null ? Ranks.of(System.getenv(), uneven) : ranks.with(uneven);
    }

    private void check() {
      if (named.size() != 1) {
        throw new IllegalArgumentException(
            "the shards are named %d times, expected one manifest, spec or list"
                .formatted(named.size()));
      }
      if (shuffle instanceof Shuffle.Blocks blocks && blocks.bytes() > memoryBudgetBytes / 4) {
        throw new IllegalArgumentException(
            "blocks of %d bytes in a memory budget of %d: expected room for four"
                .formatted(blocks.bytes(), memoryBudgetBytes));
      }
    }
  }

  /** One way of naming the shards, not yet looked up. */
  private interface Naming {
    ShardCatalog catalog(Storage storage) throws IOException;
  }
}
