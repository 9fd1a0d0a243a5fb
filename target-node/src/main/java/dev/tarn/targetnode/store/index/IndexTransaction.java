package dev.tarn.targetnode.store.index;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.log.RecordLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes to the index that become visible together. Its reads see its own changes. For one thread.
 */
public final class IndexTransaction implements AutoCloseable {
  private final Index index;
  private final WriteBatch batch = new WriteBatch();
  private final NavigableMap<byte[], Optional<byte[]>> changed =
      new TreeMap<>(Arrays::compareUnsigned);
  private final Map<ObjectName, Newest> newest = new HashMap<>();
  private final Set<ObjectName> changedNames = new HashSet<>();
  private final Map<Long, Long> liveBytes = new HashMap<>();

  private record Newest(@Nullable IndexEntry entry) {}

  IndexTransaction(Index index) {
    this.index = index;
  }

  /** The newest entry of a name, or null. */
  public @Nullable IndexEntry find(ObjectName name) throws IOException {
    Newest known = newest.get(name);
    if (known == null) {
      known = new Newest(index.find(name));
      newest.put(name, known);
    }
    return known.entry();
  }

  /** Replaces the entry that a name has by a new one of this version. */
  public void replace(
      ObjectName name,
      @Nullable ObjectVersion former,
      ObjectVersion version,
      IndexEntry entry,
      byte[] entryBytes)
      throws IOException {
    if (former != null && !former.equals(version)) {
      delete(IndexKeys.object(name, former));
    }
    put(
        IndexKeys.object(name, version),
        IndexEntry.encode(entry.location(), entry.older(), entryBytes));
    newest.put(name, new Newest(entry));
    changedNames.add(name);
  }

  /** Removes the entry of a name. */
  public void remove(ObjectName name, ObjectVersion version) throws IOException {
    delete(IndexKeys.object(name, version));
    newest.put(name, new Newest(null));
    changedNames.add(name);
  }

  /** The entry of an upload, open or over, or null. */
  public @Nullable IndexEntry findUpload(ObjectName name, String uploadId) throws IOException {
    return decode(get(IndexKeys.upload(name, uploadId)));
  }

  /** Sets the entry of an upload. */
  public void putUpload(
      ObjectName name, String uploadId, RecordLocation at, OlderRecords older, byte[] entryBytes)
      throws IOException {
    put(IndexKeys.upload(name, uploadId), IndexEntry.encode(at, older, entryBytes));
  }

  /** Removes the entry of an upload. */
  public void removeUpload(ObjectName name, String uploadId) throws IOException {
    delete(IndexKeys.upload(name, uploadId));
  }

  /** The entry of a part, or null. */
  public @Nullable IndexEntry findPart(String uploadId, int number) throws IOException {
    return decode(get(IndexKeys.part(uploadId, number)));
  }

  /** Sets the entry of a part. */
  public void putPart(
      String uploadId, int number, RecordLocation at, OlderRecords older, byte[] entryBytes)
      throws IOException {
    put(IndexKeys.part(uploadId, number), IndexEntry.encode(at, older, entryBytes));
  }

  /** Removes the entry of a part. */
  public void removePart(String uploadId, int number) throws IOException {
    delete(IndexKeys.part(uploadId, number));
  }

  /** The entries of all parts of an upload, in order of number. */
  public List<IndexEntry> parts(String uploadId) throws IOException {
    NavigableMap<byte[], IndexEntry> parts = new TreeMap<>(Arrays::compareUnsigned);
    try (IndexCursor cursor = index.parts(uploadId)) {
      while (cursor.next()) {
        parts.put(cursor.key(), cursor.entry());
      }
    }
    byte[] prefix = IndexKeys.parts(uploadId);
    changed
        .subMap(prefix, IndexKeys.behind(prefix))
        .forEach((key, value) ->
            value.ifPresentOrElse(
                bytes -> parts.put(key, IndexEntry.decode(bytes)), () -> parts.remove(key)));
    return new ArrayList<>(parts.values());
  }

  /** Changes the number of records that name an extent, and gives the new number. */
  public long addReferences(long extent, int change) throws IOException {
    byte[] key = IndexKeys.number(IndexKeys.REFERENCES, extent);
    long count = Index.toLong(get(key)) + change;
    if (count > 0) {
      put(key, ByteBuffer.allocate(8).putLong(count).array());
    } else {
      delete(key);
    }
    return count;
  }

  /** Changes the number of live bytes of a segment. */
  public void addLiveBytes(long segment, long change) {
    liveBytes.merge(segment, change, Long::sum);
  }

  /**
   * Makes the changes visible, and the position with them.
   *
   * @return the live bytes of all segments for which they changed
   */
  public Map<Long, Long> commit(IndexedPosition position) throws IOException {
    Map<Long, Long> totals = new HashMap<>();
    for (Map.Entry<Long, Long> change : liveBytes.entrySet()) {
      byte[] key = IndexKeys.number(IndexKeys.LIVE_BYTES, change.getKey());
      long total = Index.toLong(get(key)) + change.getValue();
      put(key, ByteBuffer.allocate(8).putLong(total).array());
      totals.put(change.getKey(), total);
    }
    index.write(batch, position, changedNames);
    return totals;
  }

  /** How many changes there are. */
  public int changes() {
    return batch.count();
  }

  /** The bytes that the changes take. */
  public long sizeBytes() {
    return batch.getDataSize();
  }

  private static @Nullable IndexEntry decode(byte @Nullable [] value) {
    return value == null ? null : IndexEntry.decode(value);
  }

  private byte @Nullable [] get(byte[] key) throws IOException {
    Optional<byte[]> value = changed.get(key);
    return value == null ? index.get(key) : value.orElse(null);
  }

  private void put(byte[] key, byte[] value) throws IOException {
    try {
      batch.put(key, value);
    } catch (RocksDBException e) {
      throw new IndexException("the index refuses a change", e);
    }
    changed.put(key, Optional.of(value));
  }

  private void delete(byte[] key) throws IOException {
    try {
      batch.delete(key);
    } catch (RocksDBException e) {
      throw new IndexException("the index refuses a change", e);
    }
    changed.put(key, Optional.empty());
  }

  @Override
  public void close() {
    batch.close();
  }
}
