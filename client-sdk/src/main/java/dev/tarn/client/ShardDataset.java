package dev.tarn.client;

import dev.tarn.client.prefetch.Prefetch;
import dev.tarn.client.prefetch.PrefetchLimits;
import dev.tarn.client.order.SeededOrder;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.shards.ShardSources;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private final List<ShardSource> shards;
  private final Storage storage;
  private final boolean ownsStorage;
  private final long seed;
  private final Shuffle shuffle;
  private final boolean verify;
  private final PrefetchLimits limits;

  private ShardDataset(Builder builder, List<ShardSource> shards, Storage storage) {
    this.shards = shards;
    this.storage = storage;
    this.ownsStorage = builder.storage == null;
    this.seed = builder.seed;
    this.shuffle = builder.shuffle;
    this.verify = builder.verify;
    this.limits = PrefetchLimits.of(builder.memoryBudgetBytes, builder.connections);
  }

  /** Starts from the defaults: no shuffle, 64 MiB of memory, four connections. */
  public static Builder builder() {
    return new Builder();
  }

  /** The URLs of the shards, in the dataset's order. */
  public List<StorageUrl> shards() {
    return shards.stream().map(ShardSource::url).toList();
  }

  /** How many samples an epoch has; known where there is a manifest. */
  public OptionalLong sampleCount() {
    long count = 0;
    for (ShardSource shard : shards) {
      if (shard.samples().isEmpty()) {
        return OptionalLong.empty();
      }
      count += shard.samples().orElseThrow();
    }
    return OptionalLong.of(count);
  }

  /**
   * Starts an epoch: fetching begins at once.
   *
   * @param epoch its number; another number gives another order, where there is a shuffle
   */
  public SampleIterator iterate(long epoch) {
    SeededOrder order = new SeededOrder(seed, epoch);
    List<ShardSource> ordered =
        shuffle instanceof Shuffle.None
            ? shards
            : Arrays.stream(order.shards(shards.size())).mapToObj(shards::get).toList();
    long blockBytes = shuffle instanceof Shuffle.Blocks blocks ? blocks.bytes() : 0;
    Prefetch prefetch = new Prefetch(storage, ordered, verify, limits);
    return new EpochIterator(prefetch, order, blockBytes, limits.budgetBytes());
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
    private boolean verify = true;
    private long memoryBudgetBytes = DEFAULT_BUDGET_BYTES;
    private int connections = DEFAULT_CONNECTIONS;

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

    /**
     * Bound of the memory that an iterator holds: bytes fetched ahead, the block that is shuffled,
     * and the samples delivered. At least 256 KiB and four blocks. A sample may not exceed it; one
     * larger than an eighth of it may for a while be held twice.
     */
    public Builder memoryBudget(long bytes) {
      memoryBudgetBytes = bytes;
      return this;
    }

    /** Requests at a time, per iterator. */
    public Builder connections(int connections) {
      this.connections = connections;
      return this;
    }

    /**
     * Reads the manifest, if there is one; shards are not looked at yet.
     *
     * @throws IllegalArgumentException naming the setting that is missing or wrong
     * @throws IOException if the manifest cannot be read
     */
    public ShardDataset build() throws IOException {
      check();
      Storage opened = storage != null ? storage : Storage.open(storageOptions);
      boolean built = false;
      try {
        List<ShardSource> sources = named.get(0).sources(opened);
        if (sources.isEmpty()) {
          throw new IllegalArgumentException("the dataset has no shards");
        }
        ShardDataset dataset = new ShardDataset(this, sources, opened);
        built = true;
        return dataset;
      } finally {
        if (!built && storage == null) {
          opened.close();
        }
      }
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
    List<ShardSource> sources(Storage storage) throws IOException;
  }
}
