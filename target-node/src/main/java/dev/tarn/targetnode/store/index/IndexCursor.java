package dev.tarn.targetnode.store.index;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import java.io.IOException;
import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Walks entries in key order over a snapshot of the index. A new cursor is before the first entry.
 * It must be closed.
 */
public final class IndexCursor implements AutoCloseable {
  /** Up to this many entries of a name are skipped one by one, more by a seek. */
  private static final int STEPS_MAX = 8;

  private final Slice upperBound;
  private final ReadOptions options;
  private final RocksIterator iterator;
  private final byte[] first;
  private boolean started;

  IndexCursor(RocksDB db, byte[] prefix, boolean fillsCache) {
    upperBound = new Slice(IndexKeys.behind(prefix));
    options =
        new ReadOptions()
            .setTotalOrderSeek(true)
            .setIterateUpperBound(upperBound)
            .setFillCache(fillsCache)
            .setReadaheadSize(256 << 10);
    iterator = db.newIterator(options);
    first = prefix;
    iterator.seek(prefix);
  }

  /** Moves to the next entry; false if there is none. */
  public boolean next() throws IOException {
    if (started) {
      iterator.next();
    }
    started = true;
    return valid();
  }

  /**
   * Moves to the newest version of the next name that has one; skips older versions and tombstones.
   * False if there is none.
   */
  public boolean nextObject() throws IOException {
    if (started) {
      passName();
    }
    started = true;
    while (iterator.isValid() && cancels()) {
      iterator.next();
    }
    return valid();
  }

  /** Moves past all entries of the current name: step by step, or by a seek if there are many. */
  private void passName() {
    byte[] key = iterator.key();
    byte[] name = Arrays.copyOf(key, key.length - IndexKeys.VERSION_LENGTH);
    for (int step = 0; step < STEPS_MAX; step++) {
      iterator.next();
      if (!iterator.isValid() || !IndexKeys.startsWith(iterator.key(), name)) {
        return;
      }
    }
    iterator.seek(IndexKeys.behind(name));
  }

  /** The bucket of the current entry; not for parts. */
  public BucketId bucket() {
    return IndexKeys.bucket(iterator.key());
  }

  /** The name of the current entry, without decoding the entry; not for parts. */
  public ObjectName name() {
    return IndexKeys.name(iterator.key());
  }

  /** Moves before the first entry of a later bucket; not for parts. */
  public void seekBehind(BucketId bucket) {
    seekForward(IndexKeys.behind(IndexKeys.prefix(first[0], bucket, new byte[0])));
  }

  /**
   * Moves before the first object whose key is greater than {@code key}.
   *
   * @param withPrefixed whether longer keys that begin with {@code key} count
   */
  public void seekObjectBehind(BucketId bucket, byte[] key, boolean withPrefixed) {
    byte[] at = IndexKeys.prefix(IndexKeys.OBJECT, bucket, key);
    seekForward(withPrefixed ? IndexKeys.behindTerminated(at) : IndexKeys.behind(at));
  }

  /** Moves before the newest entry of a name, or where it would be. */
  public void seekObject(ObjectName name) {
    seekForward(IndexKeys.name(IndexKeys.OBJECT, name));
  }

  /**
   * Moves before the first entry of a name that is older than this version, or where it would be.
   */
  public void seekVersionBehind(ObjectName name, ObjectVersion version) {
    byte[] at = IndexKeys.object(name, version);
    seekForward(Arrays.copyOf(at, at.length + 1));
  }

  /**
   * Moves before the first upload whose key is {@code key} or greater.
   *
   * @param pastPrefixed whether to go past all keys that begin with {@code key}
   */
  public void seekUploadFrom(BucketId bucket, byte[] key, boolean pastPrefixed) {
    byte[] at = IndexKeys.prefix(IndexKeys.UPLOAD, bucket, key);
    seekForward(pastPrefixed ? IndexKeys.behind(at) : at);
  }

  /** Seeks to this key, but never to before the cursor's first key. */
  private void seekForward(byte[] at) {
    iterator.seek(Arrays.compareUnsigned(at, first) < 0 ? first : at);
    started = false;
  }

  /** The current entry. */
  public IndexEntry entry() {
    return IndexEntry.decode(iterator.value());
  }

  /**
   * Whether the current entry only cancels others: a tombstone, or the mark of an ended upload.
   * Cheaper than decoding the entry.
   */
  public boolean cancels() {
    return IndexEntry.cancels(iterator.value());
  }

  byte[] key() {
    return iterator.key();
  }

  byte[] value() {
    return iterator.value();
  }

  private boolean valid() throws IOException {
    if (iterator.isValid()) {
      return true;
    }
    try {
      iterator.status();
      return false;
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be read", e);
    }
  }

  @Override
  public void close() {
    iterator.close();
    options.close();
    upperBound.close();
  }
}
