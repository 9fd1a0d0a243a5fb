package dev.tarn.targetnode.store.index;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
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
  private final Map<BucketId, BucketUsage> usage = new HashMap<>();

  /**
   * The known newest entry and version of a name.
   *
   * @param top its newest entry, tombstones included; null for none
   * @param version its newest version; null if there is none or it is not known
   */
  private record Newest(
      @Nullable IndexEntry top, @Nullable IndexEntry version, boolean versionKnown) {}

  IndexTransaction(Index index) {
    this.index = index;
  }

  /** The newest version of a name, which may be a delete marker, or null. */
  public @Nullable IndexEntry find(ObjectName name) throws IOException {
    Newest known = newest.get(name);
    if (known == null || !known.versionKnown()) {
      known = load(name);
    }
    return known.version();
  }

  /** The entry of exactly this version (null version or not) or of its tombstone, or null. */
  public @Nullable IndexEntry find(ObjectName name, ObjectVersion version) throws IOException {
    Newest known = newest.get(name);
    boolean newer =
        known != null && (known.top() == null || known.top().version().compareTo(version) < 0);
    return newer ? null : decode(get(IndexKeys.object(name, version)));
  }

  /**
   * The null version of a name, or its tombstone, or null. Takes one step for each newer entry of
   * the name: none in a bucket without versioning.
   */
  public @Nullable IndexEntry findNull(ObjectName name) throws IOException {
    IndexEntry top = top(name);
    return top == null || top.isNull() ? top : first(name, IndexEntry::isNull);
  }

  /** The newest entry of a name, tombstones included, or null. */
  private @Nullable IndexEntry top(ObjectName name) throws IOException {
    Newest known = newest.get(name);
    return known == null ? load(name).top() : known.top();
  }

  /** Walks from the newest entry of a name to its newest version. */
  private Newest load(ObjectName name) throws IOException {
    IndexEntry[] top = new IndexEntry[1];
    IndexEntry version =
        first(
            name,
            entry -> {
              top[0] = top[0] == null ? entry : top[0];
              return !entry.cancels();
            });
    Newest loaded = new Newest(top[0], version, true);
    newest.put(name, loaded);
    return loaded;
  }

  /** The newest entry of a name that matches, in the index with these changes. */
  private @Nullable IndexEntry first(ObjectName name, Predicate<IndexEntry> wanted)
      throws IOException {
    byte[] prefix = IndexKeys.name(IndexKeys.OBJECT, name);
    var own = changed.subMap(prefix, IndexKeys.behind(prefix));
    return own.isEmpty() ? index.first(name, wanted) : first(prefix, new TreeMap<>(own), wanted);
  }

  /** Walks the entries of the index and the changes together, in key order. */
  private @Nullable IndexEntry first(
      byte[] prefix, NavigableMap<byte[], Optional<byte[]>> own, Predicate<IndexEntry> wanted)
      throws IOException {
    try (RocksIterator there = index.newIterator()) {
      there.seek(prefix);
      while (true) {
        there.status();
        byte[] key =
            there.isValid() && IndexKeys.startsWith(there.key(), prefix) ? there.key() : null;
        Map.Entry<byte[], Optional<byte[]>> change = own.firstEntry();
        if (key == null && change == null) {
          return null;
        }
        boolean changedNext =
            change != null && (key == null || Arrays.compareUnsigned(change.getKey(), key) <= 0);
        Optional<byte[]> value = changedNext ? change.getValue() : Optional.of(there.value());
        if (value.isPresent()) {
          IndexEntry entry = IndexEntry.decode(value.orElseThrow());
          if (wanted.test(entry)) {
            return entry;
          }
        }
        if (key != null && (!changedNext || Arrays.equals(change.getKey(), key))) {
          there.next();
        }
        if (changedNext) {
          own.pollFirstEntry();
        }
      }
    } catch (RocksDBException e) {
      throw new IndexException("the index cannot be read", e);
    }
  }

  /** Replaces the entry that a name has, or null, by a new one. */
  public void replace(
      ObjectName name, @Nullable IndexEntry former, IndexEntry entry, byte[] entryBytes)
      throws IOException {
    ObjectVersion version = entry.version();
    if (former != null && !former.version().equals(version)) {
      delete(IndexKeys.object(name, former.version()));
    }
    put(
        IndexKeys.object(name, version),
        IndexEntry.encode(entry.location(), entry.older(), entryBytes));
    noteNewest(name, former, entry);
    changedNames.add(name);
    count(name, former, -1);
    count(name, entry, 1);
  }

  /** Counts an entry to what its bucket holds, or discounts it. */
  private void count(ObjectName name, @Nullable IndexEntry entry, int sign) {
    if (entry != null
        && entry.entry() instanceof LogEntry.ObjectStored stored
        && !stored.object().metadata().deleteMarker()) {
      BucketUsage change = new BucketUsage(sign, sign * stored.object().storedBytes());
      usage.merge(name.bucket(), change, BucketUsage::plus);
    }
  }

  /** Sets the segments that may hold older records of a name's entry. The entry stays as it is. */
  public void setOlder(ObjectName name, IndexEntry entry, OlderRecords older) throws IOException {
    setOlder(IndexKeys.object(name, entry.version()), older);
    noteNewest(name, entry, new IndexEntry(entry.location(), older, entry.entry()));
    changedNames.add(name);
  }

  private void setOlder(byte[] key, OlderRecords older) throws IOException {
    byte[] value = get(key);
    if (value == null) {
      throw new IllegalStateException(
          "Change of the index failed: it has lost the entry to change; stop the node and remove"
              + " the disk's index folder, which is rebuilt from the log");
    }
    put(key, IndexEntry.withOlder(value, older));
  }

  /** Removes an entry of a name. */
  public void remove(ObjectName name, IndexEntry entry) throws IOException {
    delete(IndexKeys.object(name, entry.version()));
    newest.remove(name);
    changedNames.add(name);
    count(name, entry, -1);
  }

  /** Updates the known newest entry and version of a name, or forgets them. */
  private void noteNewest(ObjectName name, @Nullable IndexEntry former, IndexEntry entry) {
    Newest known = newest.get(name);
    if (known == null) {
      return;
    }
    IndexEntry top = known.top();
    if (top != null && entry.version().compareTo(top.version()) < 0) {
      newest.remove(name);
    } else if (!entry.cancels()) {
      newest.put(name, new Newest(entry, entry, true));
    } else {
      IndexEntry version = known.version();
      boolean cancelled =
          former != null && version != null && former.version().equals(version.version());
      newest.put(
          name, new Newest(entry, cancelled ? null : version, known.versionKnown() && !cancelled));
    }
  }

  /** The entry of an upload, open or ended, or null. */
  public @Nullable IndexEntry findUpload(ObjectName name, String uploadId) throws IOException {
    return decode(get(IndexKeys.upload(name, uploadId)));
  }

  /** Sets the entry of an upload. */
  public void putUpload(
      ObjectName name, String uploadId, RecordLocation at, OlderRecords older, byte[] entryBytes)
      throws IOException {
    put(IndexKeys.upload(name, uploadId), IndexEntry.encode(at, older, entryBytes));
  }

  /** Sets the segments that may hold older records of an upload. The entry stays as it is. */
  public void setUploadOlder(ObjectName name, String uploadId, OlderRecords older)
      throws IOException {
    setOlder(IndexKeys.upload(name, uploadId), older);
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

  /** Sets the segments that may hold older records of a part. The entry stays as it is. */
  public void setPartOlder(String uploadId, int number, OlderRecords older) throws IOException {
    setOlder(IndexKeys.part(uploadId, number), older);
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

  /** Changes the number of records that name an extent, and returns the new number. */
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
   * Makes the changes visible, together with the position.
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
    writeUsage();
    index.write(batch, position, changedNames);
    return totals;
  }

  private void writeUsage() throws IOException {
    for (Map.Entry<BucketId, BucketUsage> change : usage.entrySet()) {
      byte[] key = IndexKeys.number(IndexKeys.USAGE, change.getKey().value());
      byte[] former = get(key);
      BucketUsage total =
          former == null ? change.getValue() : BucketUsage.decode(former).plus(change.getValue());
      if (total.equals(BucketUsage.NONE)) {
        delete(key);
      } else {
        put(key, total.encode());
      }
    }
  }

  /** The number of changes. */
  public int changes() {
    return batch.count();
  }

  /** The size of the changes in bytes. */
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
