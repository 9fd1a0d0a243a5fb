package dev.tarn.targetnode.store.index;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The index of one disk, derived from its log.
 *
 * <p>It has no write-ahead log of its own. All changes of a commit are written together with the
 * log position that they lead to, and RocksDB keeps writes in order. A crash therefore leaves the
 * index as it was at an earlier moment, with the log position of that moment; replay continues from
 * there.
 *
 * <p>The durable index must never be ahead of the log. {@link #checkpoint} is therefore called when
 * the log is synced, and often enough that RocksDB never flushes by itself.
 */
public final class Index implements AutoCloseable {
  private static final byte[] FORMAT_KEY = {IndexKeys.FORMAT};
  private static final byte[] POSITION_KEY = {IndexKeys.POSITION};
  private static final byte[] MAGIC = "TARNIDX1".getBytes(US_ASCII);
  private static final int FORMAT_VERSION = 3;

  /** An index of this version lacks what buckets hold; it is rebuilt. */
  private static final int VERSION_WITHOUT_USAGE = 2;

  /**
   * More than is written between two checkpoints. RocksDB also needs this much free space to
   * resume.
   */
  private static final long MEMTABLE_BYTES = 96L << 20;

  static {
    RocksDB.loadLibrary();
  }

  private final LRUCache cache;
  private final Options options;
  private final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
  private final ReadOptions readOptions = new ReadOptions().setTotalOrderSeek(true);
  private final ReadOptions nowOptions =
      new ReadOptions().setTotalOrderSeek(true).setReadTier(ReadTier.BLOCK_CACHE_TIER);
  private final RecentEntries recent = new RecentEntries();
  private final RocksDB db;
  private boolean outdated;

  private Index(Path directory, long cacheBytes) throws IOException {
    Files.createDirectories(directory);
    cache = new LRUCache(cacheBytes);
    options = options(cache);
    try {
      db = RocksDB.open(options, directory.toString());
    } catch (RocksDBException e) {
      closeOptions();
      throw new IndexException("the index in " + directory + " cannot be opened", e);
    }
  }

  private static Options options(LRUCache cache) {
    return new Options()
        .setCreateIfMissing(true)
        .setAvoidFlushDuringShutdown(true)
        .setParanoidChecks(true)
        .setWriteBufferSize(MEMTABLE_BYTES)
        .setMaxWriteBufferNumber(3)
        .setMaxBackgroundJobs(2)
        .setMaxOpenFiles(256)
        .setKeepLogFileNum(2)
        .setMaxLogFileSize(4 << 20)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFormatVersion(5)
                .setBlockSize(16 << 10));
  }

  /**
   * Opens the index, or creates it.
   *
   * @param cacheBytes memory for what has been read
   * @throws IndexException if the index is damaged
   * @throws UnreadableFormatException if a newer release wrote it
   */
  public static Index open(Path directory, long cacheBytes) throws IOException {
    Index index = new Index(directory, cacheBytes);
    try {
      index.checkFormat(directory);
      return index;
    } catch (IOException e) {
      index.close();
      throw e;
    }
  }

  private void checkFormat(Path directory) throws IOException {
    byte[] present = get(FORMAT_KEY);
    if (present == null) {
      probe();
      return;
    }
    int version = ByteBuffer.wrap(present).getInt(8);
    long features = ByteBuffer.wrap(present).getLong(12);
    outdated = version == VERSION_WITHOUT_USAGE && features == 0;
    if ((version != FORMAT_VERSION && !outdated) || features != 0) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.OTHER_RELEASE,
          "the index in "
              + directory
              + " has format version "
              + version
              + " and requires feature bits "
              + Long.toHexString(features)
              + "; this program reads version "
              + FORMAT_VERSION
              + " without features");
    }
  }

  /** Whether an earlier release wrote it, so that it must be rebuilt from the log. */
  public boolean isOutdated() {
    return outdated;
  }

  /** Does a write without effect, to find out whether the index takes writes. */
  public void probe() throws IOException {
    try {
      db.put(
          writeOptions,
          FORMAT_KEY,
          ByteBuffer.allocate(20).put(MAGIC).putInt(FORMAT_VERSION).putLong(0).array());
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be written", e);
    }
  }

  /** The log position up to which the index contains the log; empty for a new index. */
  public Optional<IndexedPosition> position() throws IOException {
    byte[] value = get(POSITION_KEY);
    return value == null ? Optional.empty() : Optional.of(IndexedPosition.decode(value));
  }

  /** The newest version of a name, if the look-up does not wait for the device. */
  public Lookup findNow(ObjectName name) throws IOException {
    IndexEntry cached = recent.cached(name);
    if (cached != null) {
      return new Lookup.Found(cached);
    }
    NowLookup lookup = new NowLookup();
    IndexEntry entry = recent.cachedOrLoaded(name, lookup);
    return entry == null ? lookup.without() : new Lookup.Found(entry);
  }

  /** Looks a name up in memory; keeps the reason if it found none. */
  private final class NowLookup implements Function<ObjectName, RecentEntries.@Nullable Loaded> {
    private @Nullable RocksDBException failure;

    @Override
    public RecentEntries.@Nullable Loaded apply(ObjectName name) {
      byte[] prefix = IndexKeys.name(IndexKeys.OBJECT, name);
      try (RocksIterator iterator = db.newIterator(nowOptions)) {
        iterator.seek(prefix);
        while (iterator.isValid() && IndexKeys.startsWith(iterator.key(), prefix)) {
          byte[] value = iterator.value();
          if (!IndexEntry.cancels(value)) {
            return new RecentEntries.Loaded(IndexEntry.decode(value), value.length);
          }
          iterator.next();
        }
        iterator.status();
      } catch (RocksDBException e) {
        failure = e;
      }
      return null;
    }

    Lookup without() throws IOException {
      RocksDBException cause = failure;
      if (cause == null) {
        return new Lookup.Missing();
      }
      Status status = cause.getStatus();
      if (status != null && status.getCode() == Status.Code.Incomplete) {
        return new Lookup.WouldWait();
      }
      throw new IndexException("the index cannot be read", cause);
    }
  }

  /**
   * The newest version of a name, which may be a delete marker, or null. Takes one step for each
   * tombstone of a newer version.
   */
  public @Nullable IndexEntry find(ObjectName name) throws IOException {
    return first(name, entry -> !entry.cancels());
  }

  /** The entry of exactly this version (null version or not) or of its tombstone, or null. */
  public @Nullable IndexEntry find(ObjectName name, ObjectVersion version) throws IOException {
    return decode(get(IndexKeys.object(name, version)));
  }

  /**
   * The null version of a name, or its tombstone, or null. Takes one step for each newer entry of
   * the name.
   */
  public @Nullable IndexEntry findNull(ObjectName name) throws IOException {
    return first(name, IndexEntry::isNull);
  }

  /** The newest entry of a name that matches, tombstones included, or null. */
  @Nullable IndexEntry first(ObjectName name, Predicate<IndexEntry> wanted) throws IOException {
    byte[] prefix = IndexKeys.name(IndexKeys.OBJECT, name);
    try (RocksIterator iterator = newIterator()) {
      iterator.seek(prefix);
      while (iterator.isValid() && IndexKeys.startsWith(iterator.key(), prefix)) {
        IndexEntry entry = IndexEntry.decode(iterator.value());
        if (wanted.test(entry)) {
          return entry;
        }
        iterator.next();
      }
      iterator.status();
      return null;
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be read", e);
    }
  }

  RocksIterator newIterator() {
    return db.newIterator(readOptions);
  }

  /** The entry of an upload, open or ended, or null. */
  public @Nullable IndexEntry findUpload(ObjectName name, String uploadId) throws IOException {
    return decode(get(IndexKeys.upload(name, uploadId)));
  }

  /** The entry of a part, or null. */
  public @Nullable IndexEntry findPart(String uploadId, int number) throws IOException {
    return decode(get(IndexKeys.part(uploadId, number)));
  }

  private static @Nullable IndexEntry decode(byte @Nullable [] value) {
    return value == null ? null : IndexEntry.decode(value);
  }

  /** The objects and tombstones of a bucket whose keys begin with these bytes, in key order. */
  public IndexCursor objects(BucketId bucket, byte[] prefix) {
    return cursor(IndexKeys.prefix(IndexKeys.OBJECT, bucket, prefix));
  }

  /** The uploads of a bucket, open and ended, whose keys begin with these bytes, in key order. */
  public IndexCursor uploads(BucketId bucket, byte[] prefix) {
    return cursor(IndexKeys.prefix(IndexKeys.UPLOAD, bucket, prefix));
  }

  /** The parts of an upload in order of number. */
  public IndexCursor parts(String uploadId) {
    return cursor(IndexKeys.parts(uploadId));
  }

  /** All objects and tombstones of the disk. */
  public IndexCursor allObjects() {
    return cursor(new byte[] {IndexKeys.OBJECT});
  }

  /** All uploads of the disk. */
  public IndexCursor allUploads() {
    return cursor(new byte[] {IndexKeys.UPLOAD});
  }

  /** All objects and tombstones of the disk, for a walk that does not fill the cache. */
  public IndexCursor allObjectsInPassing() {
    return new IndexCursor(db, new byte[] {IndexKeys.OBJECT}, false);
  }

  /** All uploads of the disk, for a walk that does not fill the cache. */
  public IndexCursor allUploadsInPassing() {
    return new IndexCursor(db, new byte[] {IndexKeys.UPLOAD}, false);
  }

  /** All parts of the disk. */
  public IndexCursor allParts() {
    return cursor(new byte[] {IndexKeys.PART});
  }

  private IndexCursor cursor(byte[] prefix) {
    return new IndexCursor(db, prefix, true);
  }

  /** The number of records that name an extent. */
  public long references(long extent) throws IOException {
    return toLong(get(IndexKeys.number(IndexKeys.REFERENCES, extent)));
  }

  /** The number of live bytes of a segment. */
  public long liveBytes(long segment) throws IOException {
    return toLong(get(IndexKeys.number(IndexKeys.LIVE_BYTES, segment)));
  }

  /** The usage of each bucket on the disk, without the buckets that hold nothing. */
  public Map<BucketId, BucketUsage> usage() throws IOException {
    Map<BucketId, BucketUsage> usage = new HashMap<>();
    try (IndexCursor cursor = cursor(new byte[] {IndexKeys.USAGE})) {
      while (cursor.next()) {
        usage.put(cursor.bucket(), BucketUsage.decode(cursor.value()));
      }
    }
    return usage;
  }

  static long toLong(byte @Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  /** Begins a set of changes that become visible together. */
  public IndexTransaction begin() {
    return new IndexTransaction(this);
  }

  /** The approximate number of entries. */
  public long estimatedEntries() throws IOException {
    try {
      return db.getLongProperty("rocksdb.estimate-num-keys");
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be read", e);
    }
  }

  /**
   * Makes the present content durable. The log must be durable up to the same position.
   *
   * @param wait whether to return only when the content is durable
   */
  public void checkpoint(boolean wait) throws IOException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
      db.flush(flush);
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be flushed", e);
    }
  }

  byte @Nullable [] get(byte[] key) throws IOException {
    try {
      return db.get(readOptions, key);
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be read", e);
    }
  }

  void write(WriteBatch batch, IndexedPosition position, Set<ObjectName> changed)
      throws IOException {
    try {
      batch.put(POSITION_KEY, position.encode());
      recent.change(changed, () -> db.write(writeOptions, batch));
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be written", e);
    }
  }

  @Override
  public void close() {
    recent.clear();
    db.close();
    closeOptions();
  }

  private void closeOptions() {
    readOptions.close();
    nowOptions.close();
    writeOptions.close();
    options.close();
    cache.close();
  }
}
