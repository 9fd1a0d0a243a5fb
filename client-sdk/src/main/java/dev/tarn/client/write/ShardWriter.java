package dev.tarn.client.write;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes a dataset sample by sample: tar shards of a bounded size with their indexes, and a
 * manifest when it is done.
 *
 * <pre>{@code
 * try (ShardWriter writer = ShardWriter.builder("s3://data/train").bytesMax(256 << 20).build()) {
 *   for (Photo photo : photos) {
 *     writer.write(photo.id(), Map.of("jpg", photo.jpeg(), "cls", photo.label().getBytes(UTF_8)));
 *   }
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p>A shard appears whole, its index after it, and the manifest last: what is read by its manifest
 * is whole, wherever a writer was killed. The same samples in the same order give the same bytes.
 * Memory is bounded by one shard's index, some hundred bytes a sample. For one thread at a time.
 */
public final class ShardWriter implements AutoCloseable {
  /** Changes whenever the same samples give other bytes. */
  private static final String ENCODER = "tarn-shard-writer-1";

  private final Storage storage;
  private final boolean ownsStorage;
  private final StorageUrl dataset;
  private final Leftovers place;
  private final ShardPattern pattern;
  private final Optional<String> split;
  private final String folder;
  private final int samplesMax;
  private final long bytesMax;
  private final List<OpenShard.Finished> finished = new ArrayList<>();
  private @Nullable OpenShard shard;
  private @Nullable String lastKey;
  private long samples;

  /** Why nothing more can be written; null while writing is possible. */
  private @Nullable String ended;

  private ShardWriter(Builder builder, Storage storage) {
    this.storage = storage;
    this.ownsStorage = builder.storage == null;
    this.dataset = builder.dataset;
    this.pattern = builder.pattern;
    this.split = Optional.ofNullable(builder.split);
    this.folder = split.map(name -> name + "/").orElse("");
    this.samplesMax = builder.samplesMax;
    this.bytesMax = builder.bytesMax;
    this.place = new Leftovers(storage, dataset, pattern, folder);
  }

  /**
   * Starts with the defaults: shards of at most 1 GiB and 100,000 samples.
   *
   * @param url of the dataset's folder: a path, or s3://bucket/folder
   * @throws IllegalArgumentException if the URL is not valid; the message says what is expected
   */
  public static Builder builder(String url) {
    StorageUrl folder = StorageUrl.parse(requireNonNull(url, "url is null"));
    if (folder.scheme() == Scheme.HTTP || folder.scheme() == Scheme.HTTPS) {
      throw new IllegalArgumentException(
          "%s: a web server cannot be written to: expected a local path or s3://bucket/folder"
              .formatted(folder.printable()));
    }
    return new Builder(folder);
  }

  /**
   * Adds a sample; its members are written in the order of their extensions.
   *
   * @param key must differ from that of the sample before; the part after its last slash has no dot
   * @param members bytes by extension, in lower case and without the first dot, such as {@code jpg}
   * @throws IllegalArgumentException if the names do not form one sample of its own, or no shard
   *     can hold it; the sample is not added
   * @throws IOException if it cannot be written; the writer cannot be used any more
   */
  public void write(String key, Map<String, byte[]> members) throws IOException {
    Map<String, MemberContent> contents = new HashMap<>();
    members.forEach((extension, bytes) -> {
      requireNonNull(bytes, () -> "member %s of sample %s is null".formatted(extension, key));
      contents.put(extension, MemberContent.of(bytes));
    });
    writeContents(key, contents);
  }

  /**
   * Adds a sample as {@link #write} does; the contents of its members need not be in memory.
   *
   * @throws IOException also if a content does not have its declared length
   */
  public void writeContents(String key, Map<String, MemberContent> members) throws IOException {
    requireWritable();
    SampleMembers sample = SampleMembers.of(key, members);
    if (key.equals(lastKey)) {
      throw new IllegalArgumentException(
          "key %s is also the key of the sample before; readers would take them for one sample"
              .formatted(MemberNames.printable(key)));
    }
    if (!fits(sample.tarLength())) {
      throw new IllegalArgumentException(
          "sample %s needs a shard of %d bytes, but bytesMax is %d; set a larger one"
              .formatted(
                  MemberNames.printable(key),
                  sample.tarLength() + TarLayout.endLength(sample.tarLength()),
                  bytesMax));
    }
    ended = "it failed at sample " + MemberNames.printable(key);
    if (shard != null
        && (shard.samples() >= samplesMax || !fits(shard.length() + sample.tarLength()))) {
      finishShard();
    }
    if (shard == null) {
      shard = new OpenShard(storage, dataset, shardName());
    }
    shard.add(sample);
    lastKey = key;
    samples++;
    ended = null;
  }

  /** How many samples were added. */
  public long samples() {
    return samples;
  }

  /**
   * Completes the dataset: finishes the last shard and writes the manifest. Nothing can be added
   * after it.
   *
   * @throws IllegalStateException if no sample was added, or the writer has failed
   * @throws FileAlreadyExistsException if another writer has completed a dataset there meanwhile
   * @throws IOException if the dataset cannot be written, or another writer has replaced its files;
   *     there is no dataset then
   */
  public void commit() throws IOException {
    requireWritable();
    if (samples == 0) {
      throw new IllegalStateException("no sample was added; a dataset needs at least one");
    }
    ended = "its commit failed";
    finishShard();
    place.requireNoManifest();
    List<StoredObject> files = finished.stream().flatMap(shard -> shard.files().stream()).toList();
    WrittenFiles.requireUntouched(storage, dataset, files);
    List<ShardEntry> entries = finished.stream().map(OpenShard.Finished::entry).toList();
    PackEntry pack = new PackEntry(ENCODER, options(), entries.size());
    DatasetManifest manifest = new DatasetManifest(List.of(pack), Optional.empty(), entries);
    storage.write(dataset.child(DatasetManifest.FILE_NAME), ByteBuffer.wrap(manifest.toJson()));
    ended = "it is committed";
  }

  /**
   * Closes the writer. Without {@link #commit} the unfinished shard is discarded. Finished shards
   * stay without a manifest until a writer replaces them.
   */
  @Override
  public void close() throws IOException {
    if (ended == null) {
      ended = "it is closed";
    }
    OpenShard open = shard;
    shard = null;
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      if (ownsStorage) {
        storage.close();
      }
    }
  }

  private boolean fits(long membersLength) {
    return membersLength + TarLayout.endLength(membersLength) <= bytesMax;
  }

  /** The name of the shard that receives samples. */
  private String shardName() {
    return folder + pattern.name(finished.size());
  }

  private void finishShard() throws IOException {
    place.requireFree(shardName());
    try (OpenShard whole = requireNonNull(shard, "no shard is open")) {
      finished.add(whole.finish(split));
    }
    shard = null;
  }

  private void requireWritable() {
    if (ended != null) {
      throw new IllegalStateException("nothing more can be written to " + dataset + ": " + ended);
    }
  }

  private SortedMap<String, String> options() {
    SortedMap<String, String> options = new TreeMap<>();
    options.put("pattern", pattern.text());
    options.put("max_count", Integer.toString(samplesMax));
    options.put("max_size", Long.toString(bytesMax));
    return options;
  }

  /** Collects a writer's settings. */
  public static final class Builder {
    private static final long DEFAULT_BYTES_MAX = 1 << 30;
    private static final int DEFAULT_SAMPLES_MAX = 100_000;

    private static final Pattern COMPRESSED =
        Pattern.compile("\\.(gz|tgz|bz2|xz|zst|zstd)$", Pattern.CASE_INSENSITIVE);

    private final StorageUrl dataset;
    private @Nullable Storage storage;
    private @Nullable StorageOptions storageOptions;
    private ShardPattern pattern = new ShardPattern("shard-%06d.tar");
    private @Nullable String split;
    private int samplesMax = DEFAULT_SAMPLES_MAX;
    private long bytesMax = DEFAULT_BYTES_MAX;
    private boolean replacesUnfinished;

    private Builder(StorageUrl dataset) {
      this.dataset = dataset;
    }

    /** Writes through this storage, which the caller closes. */
    public Builder storage(Storage storage) {
      this.storage = requireNonNull(storage, "storage is null");
      return this;
    }

    /**
     * Writes through the writer's own storage with these settings; with {@link
     * StorageOptions#defaults} if neither options nor a storage are set.
     */
    public Builder storageOptions(StorageOptions options) {
      storageOptions = requireNonNull(options, "options is null");
      return this;
    }

    /**
     * Sets how shards are named: {@code %06d} stands for the number; {@code shard-%06d.tar} if not
     * set.
     *
     * @param pattern of plain tars; the name of a compressed shard is not allowed
     * @throws IllegalArgumentException if it is not valid; the message says what is expected
     */
    public Builder pattern(String pattern) {
      if (COMPRESSED.matcher(pattern).find()) {
        throw new IllegalArgumentException(
            "pattern \"%s\": shards are written as plain tars, expected one as shard-%%06d.tar"
                .formatted(pattern));
      }
      this.pattern = new ShardPattern(pattern);
      return this;
    }

    /**
     * Sets the dataset's split that the shards belong to, such as {@code train}, which is also
     * their folder.
     */
    public Builder split(String split) {
      if (split.isEmpty() || split.startsWith(".") || split.contains("/")) {
        throw new IllegalArgumentException(
            "split \"%s\": expected a name without slash that begins with no dot".formatted(split));
      }
      this.split = split;
      return this;
    }

    /** Sets the bound of a shard's samples; 100,000 if not set. */
    public Builder samplesMax(int samples) {
      if (samples <= 0) {
        throw new IllegalArgumentException(
            "samplesMax is %d, expected a positive number".formatted(samples));
      }
      samplesMax = samples;
      return this;
    }

    /** Sets the bound of a shard's length in bytes; 1 GiB if not set. */
    public Builder bytesMax(long bytes) {
      if (bytes < TarLayout.RECORD) {
        throw new IllegalArgumentException(
            "bytesMax is %d, the smallest shard has %d".formatted(bytes, TarLayout.RECORD));
      }
      bytesMax = bytes;
      return this;
    }

    /**
     * Deletes existing shards with the same pattern and without a manifest, which a killed writer
     * has left. Without this setting they are an error, since another writer may own them.
     */
    public Builder replaceUnfinished() {
      replacesUnfinished = true;
      return this;
    }

    /**
     * Checks that the place is free; writes nothing yet.
     *
     * @throws IllegalArgumentException if both a storage and options are set
     * @throws FileAlreadyExistsException if there is a dataset, or shards without a manifest
     */
    public ShardWriter build() throws IOException {
      if (storage != null && storageOptions != null) {
        throw new IllegalArgumentException(
            "both a storage and storage options are set; set only one of them");
      }
      Storage opened = storage != null ? storage : Storage.open(options());
      boolean built = false;
      try {
        ShardWriter writer = new ShardWriter(this, opened);
        writer.place.clear(replacesUnfinished);
        built = true;
        return writer;
      } finally {
        if (!built && storage == null) {
          opened.close();
        }
      }
    }

    private StorageOptions options() {
      return storageOptions == null ? StorageOptions.defaults() : storageOptions;
    }
  }
}
