package dev.tarn.targetnode.store.room;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.index.Index;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.log.Segment;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The small cached objects of a disk: their bytes are in records of its log. One that leaves the
 * cache is only taken out of the table. Its record can be read until compaction frees the segment
 * without copying it. Safe for use by many threads.
 */
public final class CachedRecords {
  /** The part of the small cached objects' bytes that may wait for compaction. */
  private static final double WAITING_MAX = 0.15;

  private static final long AWAIT_MS = 1000;

  /** About what a record has besides the object's bytes. */
  private static final int RECORD_OVERHEAD_BYTES = 512;

  private final Residents residents;
  private final Log log;
  private final double deadRatioMax;

  /** The bytes of their records in each segment, whether they are residents or not. */
  private final Map<Long, LongAdder> bySegment = new ConcurrentHashMap<>();

  private final LongAdder all = new LongAdder();

  /** The bytes of forgotten records whose segment is being removed. */
  private final AtomicLong forgotten = new AtomicLong();

  /** The bytes of all forgotten records whose segments were removed since the start. */
  private final AtomicLong freed = new AtomicLong();

  private volatile Measure measured = new Measure(Long.MAX_VALUE, 0, 0);
  private long removedSegments;

  /**
   * A look at the log.
   *
   * @param mayWait the forgettable bytes that are not too many beside all that is dead
   * @param worth those of segments that are worth freeing even so
   * @param forgettable all of them at that time
   */
  private record Measure(long mayWait, long worth, long forgettable) {}

  /**
   * No objects.
   *
   * @param deadRatioMax the share of the log that may be dead before compaction begins
   */
  public CachedRecords(Residents residents, Log log, double deadRatioMax) {
    this.residents = residents;
    this.log = log;
    this.deadRatioMax = deadRatioMax;
  }

  /** About how many bytes of the log an object takes. */
  static long recordBytes(long objectBytes) {
    return objectBytes + RECORD_OVERHEAD_BYTES;
  }

  /** The id by which the table knows an object in the log; that of a unit is negative. */
  public static long idOf(ObjectName name) {
    return name.key().xxh64(name.bucket().value()) & Long.MAX_VALUE;
  }

  /** Whether the log has the bytes of a cached object. */
  public static boolean isSmall(ObjectRecord object) {
    return object.metadata().origin() != null && object.isInline();
  }

  /** A reader wants an object, whether it is there or not. */
  public Reference referenced(ObjectName name) {
    return residents.reference(idOf(name), name);
  }

  /** An object was written before anybody has read it. */
  public void written(ObjectName name) {
    residents.written(idOf(name), name);
  }

  /** Finds the objects of an index; blocks. Buckets without a backend cost one step each. */
  public void find(Index index) throws IOException {
    try (IndexCursor cursor = index.allObjectsInPassing()) {
      while (cursor.next()) {
        if (cursor.cancels()) {
          continue;
        }
        IndexEntry found = cursor.entry();
        ObjectRecord object = ((LogEntry.ObjectStored) found.entry()).object();
        if (object.metadata().origin() == null) {
          cursor.seekBehind(object.metadata().name().bucket());
        } else if (isSmall(object)) {
          count(found.location(), found.location().recordLength());
          add(object.metadata().name(), found.location());
        }
      }
    }
    measure();
  }

  private void add(ObjectName name, RecordLocation at) {
    residents.addRecord(idOf(name), Math.toIntExact(at.recordLength()), name, at.segment());
  }

  private void count(RecordLocation at, long bytes) {
    bySegment.computeIfAbsent(at.segment(), number -> new LongAdder()).add(bytes);
    all.add(bytes);
  }

  /**
   * A record of an object of the disk became valid, or is valid no longer.
   *
   * @param isValid whether it is valid now
   * @param isForgotten whether compaction did not copy it
   */
  public record Change(ObjectName name, RecordLocation at, boolean isValid, boolean isForgotten) {
    /** The change, if it concerns a small cached object; else null. */
    public static @Nullable Change of(
        LogEntry entry, RecordLocation at, boolean isValid, boolean isForgotten) {
      return entry instanceof LogEntry.ObjectStored(ObjectRecord object) && isSmall(object)
          ? new Change(object.metadata().name(), at, isValid, isForgotten)
          : null;
    }
  }

  /** Follows changes of the index, in their order; for one thread. */
  public void follow(List<Change> changes) {
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      long bytes = change.at().recordLength();
      count(change.at(), change.isValid() ? bytes : -bytes);
      if (change.isForgotten()) {
        forgotten.addAndGet(bytes);
      }
      if (change.isValid()) {
        add(change.name(), change.at());
      } else if (i + 1 == changes.size() || !changes.get(i + 1).name().equals(change.name())) {
        // Otherwise the next record takes its place.
        residents.remove(
            idOf(change.name()), change.isForgotten() ? Leaving.FOR_BETTER : Leaving.DROPPED);
      }
    }
  }

  /** Whether compaction copies the record of this object. */
  public boolean isWorthCopying(ObjectRecord object, RecordLocation at) {
    ObjectName name = object.metadata().name();
    return !isSmall(object)
        || residents.isWorthKeeping(idOf(name), Math.toIntExact(at.recordLength()), name);
  }

  /** The bytes of valid records of a segment that compaction need not copy. */
  public long forgettableBytes(long segment) {
    LongAdder bytes = bySegment.get(segment);
    return bytes == null ? 0 : Math.max(0, bytes.sum() - residents.bytesInSegment(segment));
  }

  /** The bytes of all objects that have left the table, and whose records are still there. */
  public long forgettableBytes() {
    return Math.max(0, all.sum() - residents.bytesInLog()) + forgotten.get();
  }

  /** The bytes that removed segments gave back since the start, of records that were forgotten. */
  long freedBytes() {
    return freed.get();
  }

  /** How many bytes of the log may be dead or forgettable before compaction begins. */
  public long uselessMax(long logBytes) {
    return (long) (logBytes * deadRatioMax + all.sum() * WAITING_MAX);
  }

  /**
   * Whether compaction frees a segment although not too much of the whole log is useless: too many
   * small objects wait, and enough of this segment is useless. So they leave room beside many
   * primary records, too.
   */
  public boolean isWorthFreeing(Segment segment) {
    return forgettableMore() > 0
        && uselessBytes(segment) >= segment.length() * (deadRatioMax + WAITING_MAX);
  }

  /** The forgettable bytes that are too many, whatever else the log has. */
  private long forgettableMore() {
    return (long) (forgettableBytes() - all.sum() * (deadRatioMax + WAITING_MAX));
  }

  /** The bytes of a segment that are not copied when it is freed. */
  public long uselessBytes(Segment segment) {
    return segment.deadBytes() + forgettableBytes(segment.number());
  }

  /** Looks how many bytes compaction is about to free. */
  public void measure() {
    long bytes = 0;
    long forgottenNow = forgotten.get();
    long dead = -forgottenNow; // They count as forgettable until their segment is removed.
    long worth = forgottenNow;
    long appending = log.segments().isEmpty() ? 0 : log.segments().lastKey();
    for (Segment segment : log.segments().values()) {
      if (!segment.kept()) {
        bytes += segment.length();
        dead += segment.deadBytes();
        boolean isFreed = segment.number() < appending && isWorthFreeing(segment);
        worth += isFreed ? forgettableBytes(segment.number()) : 0;
      }
    }
    measured = new Measure(Math.max(0, uselessMax(bytes) - dead), worth, forgettableBytes());
  }

  /** The forgettable bytes that compaction is about to free, about. */
  public long leavingBytes() {
    Measure last = measured;
    long forgettable = forgettableBytes();
    long worth = last.worth() + forgettable - last.forgettable();
    long leaving = Math.max(forgettable - last.mayWait(), Math.min(worth, forgettableMore()));
    return Math.max(0, leaving);
  }

  /** A segment was removed. */
  public void segmentRemoved(long segment) {
    LongAdder bytes = bySegment.remove(segment);
    if (bytes != null) {
      all.add(-bytes.sum());
    }
    residents.segmentRemoved(segment);
    freed.addAndGet(forgotten.getAndSet(0));
    synchronized (this) {
      removedSegments++;
      notifyAll();
    }
  }

  /** A segment stays although records of it were forgotten: their bytes are dead. */
  public void segmentStays() {
    forgotten.set(0);
  }

  /** Waits until compaction has removed a segment, for at most a second. */
  synchronized void awaitRemovedSegment() throws InterruptedException {
    long before = removedSegments;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AWAIT_MS);
    for (long left = AWAIT_MS; removedSegments == before && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }
}
