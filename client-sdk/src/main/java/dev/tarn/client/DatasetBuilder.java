package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.decode.Decoders;
import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.index.KeptKeys;
import dev.tarn.client.internal.prefetch.PrefetchLimits;
import dev.tarn.client.internal.shards.NamedDataset;
import dev.tarn.client.internal.shards.ShardCatalog;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.internal.shards.ShardSources;
import dev.tarn.client.internal.stage.Closing;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.origin.DataOrigin;
import dev.tarn.client.origin.OriginListener;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.shard.order.MixSchedule;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects a dataset's settings. A setter or {@link #build} throws if a setting is invalid; nothing
 * is read before that.
 */
public final class DatasetBuilder {
  // Users know the dataset's class.
  private static final Logger LOG = System.getLogger(ShardDataset.class.getName());

  static final long DEFAULT_BUDGET_BYTES = 64 << 20;
  static final int DEFAULT_CONNECTIONS = 4;

  /** Indexes are mapped files, and a process may have some tens of thousands of these. */
  private static final int INDEXES_MAX = 4096;

  /** One block is held whole while the next ones are fetched. */
  private static final int BLOCKS_OF_BUDGET_MIN = 4;

  private final List<NamedDataset> named = new ArrayList<>();
  private @Nullable Storage storage;
  private @Nullable StorageOptions storageOptions;
  private long seed;
  private Shuffle shuffle = Shuffle.NONE;
  private boolean resampled;
  private OptionalLong limit = OptionalLong.empty();
  private @Nullable Ranks ranks;
  private Uneven uneven = Uneven.DROP;
  private boolean verify = true;
  private ErrorPolicy errors = ErrorPolicy.FAIL;
  private Decoders decoders = Decoders.standard();
  private final List<EpochListener> listeners = new ArrayList<>();
  private long memoryBudgetBytes = DEFAULT_BUDGET_BYTES;
  private int connections = DEFAULT_CONNECTIONS;
  private int prefetchDepth = PrefetchLimits.UNBOUNDED_DEPTH;
  private @Nullable Path cache;
  private long cacheBytesMax;

  DatasetBuilder() {}

  /**
   * Adds the shards that a manifest lists, by the URL of the manifest or of the folder that holds
   * dataset.json.
   *
   * <p>If called several times, the datasets are mixed evenly: an epoch has all samples of each.
   */
  public DatasetBuilder manifest(String url) {
    requireNonNull(url, "url is null");
    return add(OptionalDouble.empty(), new NamedDataset.OfManifest(url));
  }

  /**
   * Adds the shards that a manifest lists, as one of several datasets that are mixed by weights.
   *
   * <p>An epoch has as many samples as all datasets together, and of each dataset its share. A
   * dataset that is larger than its share continues in the next epoch; a smaller one is read again
   * in another order. The proportions hold throughout an epoch.
   *
   * @param weight a positive number; only its proportion to the others counts
   */
  public DatasetBuilder manifest(String url, double weight) {
    requireNonNull(url, "url is null");
    return add(NamedDataset.weight(url, weight), new NamedDataset.OfManifest(url));
  }

  private DatasetBuilder add(OptionalDouble weight, NamedDataset.Naming naming) {
    named.add(new NamedDataset(naming, weight, Optional.empty()));
    return this;
  }

  /**
   * Adds the shards that a spec names, such as {@code s3://data/train-{000000..000146}.tar}, with
   * braces as in bash. {@code ::} joins several specs. Nothing is listed: {@code *} and {@code ?}
   * have no special meaning.
   */
  public DatasetBuilder shards(String spec) {
    requireNonNull(spec, "spec is null");
    return add(OptionalDouble.empty(), ofSpec(spec));
  }

  /**
   * Adds the shards that a spec names, as one of several datasets that are mixed by weights; see
   * {@link #manifest(String, double)}. It needs a {@link #cache} for their indexes.
   */
  public DatasetBuilder shards(String spec, double weight) {
    requireNonNull(spec, "spec is null");
    return add(NamedDataset.weight(spec, weight), ofSpec(spec));
  }

  private static NamedDataset.Naming ofSpec(String spec) {
    return new NamedDataset.OfUrls(() -> ShardSources.ofSpec(spec));
  }

  /** Adds the shards with these URLs, in this order. */
  public DatasetBuilder shards(List<String> urls) {
    List<String> copy = new ArrayList<>(requireNonNull(urls, "urls is null"));
    for (int i = 0; i < copy.size(); i++) {
      if (copy.get(i) == null) {
        throw new NullPointerException("the URL of shard %d of the list is null".formatted(i));
      }
    }
    return add(OptionalDouble.empty(), new NamedDataset.OfUrls(() -> ShardSources.ofUrls(copy)));
  }

  /**
   * Sets where the files of the dataset that was named last come from. While Tarn cannot serve a
   * read after its retries, the dataset reads there: the same bytes in the same order. It reads
   * from Tarn again within 10 s of its being back.
   *
   * @param url of the folder that has the manifest, if there is one, and the shards
   * @param options of the origin; see {@link DataOrigin} for its endpoint and credentials
   * @throws IllegalStateException if no dataset was named yet
   */
  public DatasetBuilder origin(String url, StorageOptions options) {
    requireNonNull(url, "url is null");
    requireNonNull(options, "options is null");
    if (named.isEmpty()) {
      throw new IllegalStateException(
          "the origin %s has no dataset; name the dataset first"
              .formatted(NamedDataset.withoutSecrets(url)));
    }
    named.add(named.remove(named.size() - 1).withOrigin(url, options));
    return this;
  }

  /** Reads through this storage, which the caller closes. */
  public DatasetBuilder storage(Storage storage) {
    this.storage = requireNonNull(storage, "storage is null");
    return this;
  }

  /**
   * Reads through the dataset's own storage with these settings; with {@link
   * StorageOptions#defaults} if neither options nor a storage are set.
   */
  public DatasetBuilder storageOptions(StorageOptions options) {
    storageOptions = requireNonNull(options, "options is null");
    return this;
  }

  /** Sets the seed of the order; 0 if not set. */
  public DatasetBuilder seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets which of several consumers this is; each receives a part of the epoch. If not set, the
   * variables RANK and WORLD_SIZE apply; without them this is the only consumer.
   *
   * @param rank from 0
   * @param ranks how many consumers there are
   */
  public DatasetBuilder rank(int rank, int ranks) {
    this.ranks = new Ranks(rank, ranks, uneven);
    return this;
  }

  /**
   * Sets what happens to samples that cannot be divided equally among all ranks; {@link
   * Uneven#DROP} if not set.
   */
  public DatasetBuilder uneven(Uneven uneven) {
    this.uneven = requireNonNull(uneven, "uneven is null");
    return this;
  }

  /**
   * Sets how the order differs from that of the shards; {@link Shuffle#NONE} if not set.
   *
   * @param shuffle whose blocks, if any, are at most a quarter of the {@link #memoryBudget}
   */
  public DatasetBuilder shuffle(Shuffle shuffle) {
    this.shuffle = requireNonNull(shuffle, "shuffle is null");
    return this;
  }

  /**
   * Draws samples at random instead of reading each once, so that epochs end only at the {@link
   * #limit}. It needs a shuffle of blocks, each drawn at a random place, or a full shuffle.
   */
  public DatasetBuilder resample() {
    resampled = true;
    return this;
  }

  /**
   * Ends epochs after {@code samples} samples of all ranks together; no limit if not set.
   *
   * @param samples 0 or more
   */
  public DatasetBuilder limit(long samples) {
    limit = OptionalLong.of(samples);
    return this;
  }

  /**
   * Sets whether members are verified against the CRC32C in the index, if there is one; true if not
   * set.
   */
  public DatasetBuilder verify(boolean verify) {
    this.verify = verify;
    return this;
  }

  /** Sets what happens to samples that cannot be read; {@link ErrorPolicy#FAIL} if not set. */
  public DatasetBuilder errors(ErrorPolicy policy) {
    errors = requireNonNull(policy, "policy is null");
    return this;
  }

  /** Sets the decoders for {@link Sample#decode}; {@link Decoders#standard} if not set. */
  public DatasetBuilder decoders(Decoders decoders) {
    this.decoders = requireNonNull(decoders, "decoders is null");
    return this;
  }

  /** Adds a listener, which is notified when an epoch begins and ends. */
  public DatasetBuilder listener(EpochListener listener) {
    listeners.add(requireNonNull(listener, "listener is null"));
    return this;
  }

  /**
   * Sets the bound of the memory of an iterator, in bytes; 64 MiB if not set. It covers bytes
   * fetched ahead, the two blocks that are shuffled and delivered, and samples delivered. It must
   * be at least 256 KiB and four blocks.
   *
   * <p>A sample may not exceed the budget. A sample larger than an eighth of it may temporarily be
   * held twice. Blocks are cut by the mean stored length of samples: a block with longer or
   * compressed samples takes more.
   */
  public DatasetBuilder memoryBudget(long bytes) {
    memoryBudgetBytes = bytes;
    return this;
  }

  /**
   * Sets a folder on this machine in which the SDK keeps data. It must be empty, missing, or made
   * by the SDK, which makes it for this user alone. Several processes may share it. Shards without
   * a manifest get indexes there: {@link #build} reads shards that it has not seen before, which
   * then are used like those of a manifest.
   */
  public DatasetBuilder cache(Path folder) {
    return cache(folder, 0);
  }

  /**
   * Sets a folder as {@link #cache(Path)}, which also keeps the shards, or the parts of them, that
   * are read. They are read from the folder as long as the shard has the same ETag and size, and
   * after their CRC32C was verified.
   *
   * @param bytesMax bound of the shards' bytes, for all processes that share the folder. If there
   *     is no room, replaced versions that no epoch reads are evicted, then shards of datasets that
   *     no process has open; other shards are read without being kept.
   */
  public DatasetBuilder cache(Path folder, long bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException(
          "the cache size is %d bytes, expected 0 or more".formatted(bytesMax));
    }
    cache = requireNonNull(folder, "folder is null");
    cacheBytesMax = bytesMax;
    return this;
  }

  /**
   * Sets how many requests an iterator makes at a time, each in its own thread; 4 if not set. Local
   * files are read by one thread, and by more only while the consumer waits. {@link #build} reads
   * as many shards at a time when it makes indexes.
   *
   * @param connections 1 to 1,024
   */
  public DatasetBuilder connections(int connections) {
    this.connections = connections;
    return this;
  }

  /**
   * Sets how many shards an iterator fetches ahead of the one that it reads; as many as the {@link
   * #memoryBudget} has room for if not set, and never more. With 0, no shard is requested before
   * the one before it is read to its end. With shuffled blocks, the iterator reads the shard of the
   * block that is read ahead. Mixes and full shuffles read parts of shards, and the number counts
   * these.
   *
   * @param shards 0 or more
   */
  public DatasetBuilder prefetchDepth(int shards) {
    prefetchDepth = shards;
    return this;
  }

  /**
   * Reads the manifest, if there is one. Shards are read only if they get indexes.
   *
   * @throws IllegalArgumentException if a setting is missing or invalid; the message names it
   * @throws IOException if the manifest cannot be read
   */
  public ShardDataset build() throws IOException {
    Ordering ordering = new Ordering(shuffle, seed, resampled, limit);
    PrefetchLimits limits = PrefetchLimits.of(memoryBudgetBytes, connections, prefetchDepth);
    check();
    Ranks consumer = ranks();
    warnOfHeap();
    Storage opened = storage != null ? storage : Storage.open(storageOptions());
    Closing closing = new Closing();
    if (storage == null) {
      closing.add(opened::close);
    }
    try {
      return open(withOrigins(opened, named, closing), closing, ordering, limits, consumer);
    } catch (IOException | RuntimeException | Error e) {
      closing.closeAfter(e);
      throw e;
    }
  }

  private Storage withOrigins(Storage storage, List<NamedDataset> datasets, Closing closing) {
    Storage opened = storage;
    for (NamedDataset dataset : datasets) {
      if (dataset.origin().isPresent()) {
        opened = dataset.through(new SharedStorage(opened), OriginListener.all(listeners));
        closing.add(opened::close);
      }
    }
    return opened;
  }

  private ShardDataset open(
      Storage storage, Closing closing, Ordering ordering, PrefetchLimits limits, Ranks consumer)
      throws IOException {
    List<ShardCatalog> catalogs = new ArrayList<>();
    List<NamedDataset> withNamedOrigins = new ArrayList<>();
    for (NamedDataset dataset : named) {
      catalogs.add(dataset.naming().catalog(storage));
      if (dataset.origin().isEmpty()) {
        withNamedOrigins.add(dataset.withNamedOrigin(storage, storageOptions()));
      }
    }
    Storage opened = withOrigins(storage, withNamedOrigins, closing);
    Storage read = opened;
    Supplier<Storage> epochs = () -> new SharedStorage(opened);
    Optional<KeptKeys> keys = Optional.empty();
    if (cache != null) {
      LocalCache local = LocalCache.open(cache, cacheBytesMax, opened, catalogs);
      closing.add(local::close);
      read = local.storage();
      epochs = local::beginEpoch;
      for (int i = 0; i < catalogs.size(); i++) {
        catalogs.set(i, local.indexed(catalogs.get(i), connections));
      }
      keys = local.keys(catalogs);
    }
    List<ShardSource> shards =
        catalogs.stream().flatMap(catalog -> catalog.shards().stream()).toList();
    Optional<EpochPlan> plan = plan(catalogs, ordering);
    check(shards, consumer, plan.isPresent());
    EpochReader reader =
        new EpochReader(
            read,
            new IndexStore(read, INDEXES_MAX, keys),
            decoders,
            verify,
            errors,
            limits,
            List.copyOf(listeners),
            epochs);
    return new ShardDataset(shards, plan, ordering, consumer, reader, closing);
  }

  private void check() {
    boolean isMix = named.size() > 1;
    boolean isWeighted = named.stream().anyMatch(dataset -> dataset.weight().isPresent());
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "the dataset names no shards; name a manifest, several manifests, a shard spec or a"
              + " list");
    }
    if (isMix && isWeighted && named.stream().anyMatch(dataset -> dataset.weight().isEmpty())) {
      throw new IllegalArgumentException(
          "only some of the datasets have weights; give a weight to all of them or to none");
    }
    double weights = named.stream().mapToDouble(dataset -> dataset.weight().orElse(0)).sum();
    if (Double.isInfinite(weights)) {
      throw new IllegalArgumentException(
          "the sum of the weights is too large; use smaller weights in the same proportions");
    }
    if (storage != null && storageOptions != null) {
      throw new IllegalArgumentException(
          "both a storage and storage options are set; set only one of them");
    }
    if (shuffle instanceof Shuffle.Blocks blocks
        && blocks.bytes() > memoryBudgetBytes / BLOCKS_OF_BUDGET_MIN) {
      throw new IllegalArgumentException(
          "four blocks of %d bytes exceed the memory budget of %d bytes; set blocks of at most %d bytes, or a larger budget"
              .formatted(
                  blocks.bytes(), memoryBudgetBytes, memoryBudgetBytes / BLOCKS_OF_BUDGET_MIN));
    }
  }

  private void check(List<ShardSource> shards, Ranks consumer, boolean isNumbered) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException(
          "the dataset has no shards: its manifest or list is empty");
    }
    if (isNumbered) {
      return;
    }
    if (named.size() > 1) {
      throw new IllegalArgumentException(
          ("the %d datasets cannot be mixed: a dataset without a manifest has no sample numbers;"
                  + " name its manifest, or a cache for indexes")
              .formatted(named.size()));
    }
    if (consumer.ranks() > 1) {
      throw new IllegalArgumentException(
          ("the samples cannot be assigned to %d ranks: a dataset without a manifest has no sample"
                  + " numbers; name its manifest, or a cache for indexes")
              .formatted(consumer.ranks()));
    }
    if (resampled) {
      throw new IllegalArgumentException(
          "the samples cannot be drawn: a dataset without a manifest has no sample numbers; name"
              + " its manifest, or a cache for indexes");
    }
    if (shuffle instanceof Shuffle.Full) {
      throw new IllegalArgumentException(
          "a full shuffle needs indexes: name the dataset's manifest, or a cache for indexes");
    }
  }

  private Optional<EpochPlan> plan(List<ShardCatalog> catalogs, Ordering ordering) {
    if (catalogs.stream().anyMatch(catalog -> catalog.digest().isEmpty())) {
      return Optional.empty();
    }
    long[] counts = catalogs.stream().mapToLong(ShardCatalog::samples).toArray();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0 && (counts.length > 1 || resampled)) {
        throw new IllegalArgumentException(
            "dataset %d of %d has no samples".formatted(i + 1, counts.length));
      }
    }
    MixSchedule schedule = NamedDataset.schedule(named, counts);
    long readBytes = memoryBudgetBytes / BLOCKS_OF_BUDGET_MIN;
    return Optional.of(new EpochPlan(catalogs, schedule, ordering, readBytes));
  }

  private void warnOfHeap() {
    long heapBytesMax = Runtime.getRuntime().maxMemory();
    if (memoryBudgetBytes > heapBytesMax) {
      LOG.log(
          Level.WARNING,
          "the memory budget of %d bytes exceeds the heap limit of %d bytes; set a smaller budget, or a larger -Xmx"
              .formatted(memoryBudgetBytes, heapBytesMax));
    }
  }

  private StorageOptions storageOptions() {
    return storageOptions == null ? StorageOptions.defaults() : storageOptions;
  }

  private Ranks ranks() {
    return ranks == null ? Ranks.of(System.getenv(), uneven) : ranks.with(uneven);
  }
}
