package dev.tarn.targetnode.store.index;

import dev.tarn.cluster.object.BucketId;
import java.io.IOException;
import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Walks entries in the order of their keys, as they were when it was made. It stands before the
 * first one, and must be closed.
 */
public final class IndexCursor implements AutoCloseable {
  private final Slice upperBound;
  private final ReadOptions options;
  private final RocksIterator iterator;
  private boolean started;

  IndexCursor(RocksDB db, byte[] prefix) {
    upperBound = new Slice(IndexKeys.behind(prefix));
    options =
        new ReadOptions()
            .setTotalOrderSeek(true)
            .setIterateUpperBound(upperBound)
            .setReadaheadSize(256 << 10);
    iterator = db.newIterator(options);
    iterator.seek(prefix);
  }

  /** Goes to the next entry; false if there is none. */
  public boolean next() throws IOException {
    if (started) {
      iterator.next();
    }
    started = true;
    return valid();
  }

  /** Goes to the next name, past other entries of this one. */
  public boolean nextName() throws IOException {
    if (!started) {
      return next();
    }
    byte[] key = iterator.key();
    int end = key.length - IndexKeys.VERSION_LENGTH;
    iterator.next();
    while (iterator.isValid() && Arrays.equals(key, 0, end, head(end), 0, end)) {
      iterator.next();
    }
    return valid();
  }

  private byte[] head(int length) {
    byte[] key = iterator.key();
    return key.length >= length ? key : new byte[length];
  }

  /**
   * Goes to the first entry of a name that is greater than {@code key}.
   *
   * @param withPrefixed whether names that only begin with {@code key} count as greater
   */
  public void seekBehind(BucketId bucket, byte[] key, boolean withPrefixed, boolean uploads) {
    byte kind = uploads ? IndexKeys.UPLOAD : IndexKeys.OBJECT;
    byte[] prefix = IndexKeys.prefix(kind, bucket, key);
    byte[] at = prefix;
    if (withPrefixed) {
      at = Arrays.copyOf(prefix, prefix.length + 2);
      at[prefix.length + 1] = 1;
    } else {
      at = IndexKeys.behind(prefix);
    }
    iterator.seek(at);
    started = false;
  }

  /** The entry it stands on. */
  public IndexEntry entry() {
    return IndexEntry.decode(iterator.value());
  }

  byte[] key() {
    return iterator.key();
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
