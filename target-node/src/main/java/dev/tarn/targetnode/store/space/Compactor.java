package dev.tarn.targetnode.store.space;

import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.log.ScanListener;
import dev.tarn.targetnode.store.log.Segment;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.room.CachedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees segments that are mostly dead: copies their valid records to the end of the log, and
 * removes the segments.
 *
 * <p>Each copy is a commit like any other, which checks that the record is still valid. No other
 * change can therefore come in between. The copies and the index are made durable before the
 * segment is removed. A crash can therefore not leave an index that points into a removed segment,
 * nor one that missed a tombstone removed with its segment. A segment with valid records that
 * cannot be read is kept for a repair.
 *
 * <p>Small cached objects that have left the cache are not copied but forgotten, in this order: a
 * tombstone for each that has an older record in another segment; a durable mark that a replay must
 * pass over the cached objects of the segment; the index entries; the segment. So neither a
 * forgotten object nor an older one comes back, whenever the process ends.
 */
public final class Compactor {
  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
  private static final int RECORDS_UNDERWAY_MAX = 64;

  /** A segment of at least one part in this many of its maximum length may be ended early. */
  private static final int SEALED_EARLY_FROM = 4;

  private final DiskStore store;

  public Compactor(DiskStore store) {
    this.store = store;
  }

  /**
   * Frees segments until few enough bytes are dead; returns the number of segments removed.
   *
   * @param segmentsMax the greatest number of segments that are removed
   */
  public int compact(int segmentsMax) throws IOException {
    int removed = 0;
    sealIfMostlyDead();
    Optional<Segment> victim = victim();
    while (removed < segmentsMax && victim.isPresent() && compact(victim.orElseThrow())) {
      removed++;
      victim = victim();
    }
    return removed;
  }

  /**
   * Ends the segment being written if it is large enough and mostly dead. On a disk with few writes
   * it would otherwise stay open for long.
   */
  private void sealIfMostlyDead() throws IOException {
    var last = store.log().segments().lastEntry();
    if (last == null) {
      return;
    }
    Segment appending = last.getValue();
    long large = store.log().segmentBytesMax() / SEALED_EARLY_FROM;
    if (appending.length() > large
        && store.cachedRecords().uselessBytes(appending) > appending.length() / 2) {
      store.log().sealEarly();
      settle(store.commit(view -> new Decision.Nothing<>(true), Durability.SYSTEM));
    }
  }

  /**
   * The segment to free next: a useless one, or the one with the greatest useless share if too much
   * of the log is useless, or if small cached objects that have left wait for it. Useless bytes in
   * the segment being written count too, because they take space until that segment is full.
   */
  private Optional<Segment> victim() {
    CachedRecords records = store.cachedRecords();
    long total = 0;
    long useless = 0;
    List<Segment> sealed = new ArrayList<>();
    long appending = store.log().segments().isEmpty() ? 0 : store.log().segments().lastKey();
    for (Segment segment : store.log().segments().values()) {
      if (!segment.kept()) {
        total += segment.length();
        useless += records.uselessBytes(segment);
      }
      if (segment.number() < appending && !segment.kept() && records.uselessBytes(segment) > 0) {
        sealed.add(segment);
      }
    }
    Optional<Segment> mostUseless = sealed.stream().max(Comparator.comparingDouble(this::ratio));
    boolean due = useless > records.uselessMax(total) || store.room().needsWaitingBytes();
    return mostUseless.filter(segment ->
        due
            || records.isWorthFreeing(segment)
            || records.uselessBytes(segment) + FormatHeader.LENGTH >= segment.length());
  }

  private double ratio(Segment segment) {
    return (double) store.cachedRecords().uselessBytes(segment) / Math.max(1, segment.length());
  }

  /** Compacts a segment; returns whether it was removed. */
  private boolean compact(Segment segment) throws IOException {
    try {
      return copyAndRemove(segment);
    } finally {
      store.cachedRecords().segmentStays(); // Unless it was removed.
    }
  }

  private boolean copyAndRemove(Segment segment) throws IOException {
    Copying copying = new Copying();
    copying.scan(segment.number());
    if (copying.isAnyLeftBehind) {
      // The index too: a replay that begins in this segment would pass over its newest records.
      settle(store.commit(view -> new Decision.Nothing<>(true), Durability.CHECKPOINT));
      store.log().forgetCached(segment.number());
      new Forgetting().scan(segment.number());
    }
    settle(store.commit(view -> new Decision.Nothing<>(true), Durability.CHECKPOINT));
    if (segment.liveBytes() != 0) {
      segment.keep();
      LOG.error(
          "Segment {} of {} has {} bytes of valid records that cannot be read; it is kept. A scrub"
              + " names the objects",
          segment.number(),
          store.disk().description(),
          segment.liveBytes());
      return false;
    }
    store.log().remove(segment.number());
    store.cachedRecords().segmentRemoved(segment.number());
    store.measure();
    return true;
  }

  private static <T> void settle(CompletionStage<CommitResult<T>> commit) throws IOException {
    CommitResult<T> result = commit.toCompletableFuture().join();
    if (!(result instanceof CommitResult.Committed<T>)) {
      throw new IOException("compaction could not commit: " + result);
    }
  }

  /** Commits changes for the records of a scan, several at a time. */
  private abstract class Pass implements ScanListener {
    private final List<CompletableFuture<CommitResult<Boolean>>> underway = new ArrayList<>();
    private @Nullable IOException failure;

    /** The change for a record; null for none. */
    abstract @Nullable Change<Boolean> changeFor(
        LogEntry entry, byte[] bytes, RecordLocation at, boolean intact) throws IOException;

    @Override
    public void record(RecordLocation location, long sequence, byte[] bytes, boolean intact) {
      if (failure != null) {
        return;
      }
      try {
        LogEntry entry = LogEntryCodec.decode(bytes);
        Change<Boolean> change =
            intact || isSmall(entry) ? changeFor(entry, bytes, location, intact) : null;
        if (change == null) {
          return;
        }
        underway.add(store.commit(change, Durability.SYSTEM).toCompletableFuture());
        if (underway.size() >= RECORDS_UNDERWAY_MAX) {
          await();
        }
      } catch (IOException e) {
        failure = e;
      }
    }

    /** Waits for all commits. */
    private void await() {
      for (CompletableFuture<CommitResult<Boolean>> commit : underway) {
        try {
          settle(commit);
        } catch (IOException e) {
          failure = e;
        }
      }
      underway.clear();
    }

    /** Scans a segment; throws the first failure. */
    void scan(long segment) throws IOException {
      try {
        store.log().scan(Log.firstIn(segment), this);
      } finally {
        await();
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  private static boolean isSmall(LogEntry entry) {
    return entry instanceof LogEntry.ObjectStored stored && CachedRecords.isSmall(stored.object());
  }

  /** Copies the valid records, but not those of cached objects that leave. */
  private final class Copying extends Pass {
    /** Set by the committing thread. */
    private volatile boolean isAnyLeftBehind;

    @Override
    Change<Boolean> changeFor(LogEntry entry, byte[] bytes, RecordLocation at, boolean intact)
        throws IOException {
      if (entry instanceof LogEntry.ObjectStored stored
          && isSmall(entry)
          && !(intact && store.cachedRecords().isWorthCopying(stored.object(), at))) {
        return Departure.announced(stored, at, store.log(), () -> isAnyLeftBehind = true);
      }
      ByteBuffer payload = ByteBuffer.allocate(at.payloadLength());
      store.log().readPayload(at, payload);
      return new Relocation(entry, bytes, at, payload, store.log());
    }
  }

  /** Forgets the cached objects that were not copied. */
  private final class Forgetting extends Pass {
    @Override
    @Nullable Change<Boolean> changeFor(
        LogEntry entry, byte[] bytes, RecordLocation at, boolean intact) {
      return entry instanceof LogEntry.ObjectStored stored && isSmall(entry)
          ? Departure.last(stored, at, store.log())
          : null;
    }
  }
}
