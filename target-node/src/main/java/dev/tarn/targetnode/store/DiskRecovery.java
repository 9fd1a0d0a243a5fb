package dev.tarn.targetnode.store;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.index.Index;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexException;
import dev.tarn.targetnode.store.index.IndexTransaction;
import dev.tarn.targetnode.store.index.IndexedPosition;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.LogPosition;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.log.ScanListener;
import dev.tarn.targetnode.store.log.Segment;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.record.MalformedRecordException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the log and the index agree at the start.
 *
 * <p>The index says up to which position it contains the log. Recovery replays the records after
 * that. Recovery rebuilds the index from all segments if it is missing, damaged, or ahead of the
 * log. An index can be ahead after a loss of power, when commits did not ask for a sync.
 *
 * <p>Before the replay of the end of the log, recovery strikes out records whose bytes are not
 * complete. It then cuts the log after its last complete record and syncs it, so that nothing
 * visible can be lost later.
 */
final class DiskRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(DiskRecovery.class);
  private static final int RECORDS_PER_WRITE = 2000;

  /**
   * The last segments that can hold unsynced records. A segment is synced before the next one
   * begins, unless a write into it has failed.
   */
  private static final int SEGMENTS_IN_DOUBT = 2;

  private final Disk disk;
  private final StoreSettings settings;
  private final Log log;
  private final Extents extents;
  private final List<String> damage = new ArrayList<>();
  private boolean rebuilding;
  private long replayed;
  private long clockMs;
  private LogPosition reached = new LogPosition(0, 0, 0);

  DiskRecovery(Disk disk, StoreSettings settings, Log log, Extents extents) {
    this.disk = disk;
    this.settings = settings;
    this.log = log;
    this.extents = extents;
  }

  /**
   * The result of recovery.
   *
   * @param index ready for use
   * @param clockMs the greatest time of a version so far, in milliseconds since 1970
   * @param replayed the number of records replayed
   * @param rebuilt whether the index was rebuilt
   * @param damage one sentence for each place of the log that could not be read
   */
  record Recovered(
      Index index, long clockMs, long replayed, boolean rebuilt, List<String> damage) {}

  Recovered run() throws IOException {
    Index index = openIndex();
    boolean rebuilt = false;
    try {
      Optional<IndexedPosition> position = index.position();
      boolean outdated = index.isOutdated();
      if (outdated || position.isEmpty() || !reaches(position.orElseThrow().position())) {
        rebuilt = !log.segments().isEmpty();
        if (outdated || position.isPresent()) {
          LOG.warn(
              "The index of {} {}; it is made anew",
              disk.description(),
              outdated ? "was written by an earlier release" : "is ahead of its log");
          index.close();
          removeIndex();
          index = Index.open(disk.indexDirectory(), settings.indexCacheBytes());
        }
        position = Optional.empty();
      }
      rebuilding = position.isEmpty();
      replay(index, position);
      log.startAppending(reached.sequence(), clockMs);
      return new Recovered(index, clockMs, replayed, rebuilt, List.copyOf(damage));
    } catch (MalformedRecordException e) {
      index.close();
      throw unreadable(
          "the index of " + disk.description(),
          e,
          ", or stop the node and remove "
              + disk.indexDirectory()
              + ", which is rebuilt from the log");
    } catch (IOException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  private static UnreadableFormatException unreadable(
      String what, MalformedRecordException cause, String otherRemedy) {
    return new UnreadableFormatException(
        UnreadableFormatException.Reason.OTHER_RELEASE,
        "Reading "
            + what
            + " failed: "
            + cause.getMessage()
            + "; start the release that wrote it"
            + otherRemedy);
  }

  private Index openIndex() throws IOException {
    try {
      return Index.open(disk.indexDirectory(), settings.indexCacheBytes());
    } catch (IndexException e) {
      if (!e.isDamage()) {
        throw e;
      }
      damage.add("the index of " + disk.description() + " was damaged and has been made anew");
      LOG.warn("The index of {} is damaged; it is made anew", disk.description(), e);
      removeIndex();
      return Index.open(disk.indexDirectory(), settings.indexCacheBytes());
    }
  }

  private void removeIndex() throws IOException {
    Path directory = disk.indexDirectory();
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Whether the last segment that the index contains still exists and is long enough. */
  private boolean reaches(LogPosition position) throws IOException {
    Segment segment = log.segments().get(position.segment());
    return segment != null && segment.length() >= position.offset();
  }

  private void replay(Index index, Optional<IndexedPosition> from) throws IOException {
    LogPosition start = from.map(IndexedPosition::position).orElse(Log.firstIn(0));
    clockMs = from.map(IndexedPosition::clockMs).orElse(0L);
    reached = start;
    long doubtFrom = firstInDoubt();
    Optional<TornRecords> torn = Optional.empty();
    for (Segment segment : log.segments().tailMap(start.segment(), true).values()) {
      clockMs = Math.max(clockMs, segment.clockMs());
      LogPosition first =
          segment.number() == start.segment() ? start : Log.firstIn(segment.number());
      if (!segment.readable() && segment.length() > first.offset()) {
        damage.add("the header of segment " + segment.number() + " is damaged");
      }
      if (segment.length() <= Log.firstIn(0).offset()) {
        log.removeEmpty(segment.number());
      } else if (segment.length() >= first.offset()) {
        if (segment.number() >= doubtFrom && torn.isEmpty()) {
          torn = Optional.of(strikeOutTorn(index, first));
        }
        replaySegment(index, first);
      }
    }
    if (torn.isPresent()) {
      damage.addAll(torn.orElseThrow().losses());
    }
    if (replayed > 0) {
      dropOrphanedParts(index);
    }
    for (Segment segment : log.segments().values()) {
      segment.setLiveBytes(index.liveBytes(segment.number()));
    }
  }

  /** The first segment that may end in records that were never acknowledged as durable. */
  private long firstInDoubt() {
    return log.segments().descendingMap().values().stream()
        .filter(segment -> segment.length() > Log.firstIn(0).offset())
        .limit(SEGMENTS_IN_DOUBT)
        .mapToLong(Segment::number)
        .min()
        .orElse(0);
  }

  /** Strikes torn records out of all segments from this position on. */
  private TornRecords strikeOutTorn(Index index, LogPosition from) throws IOException {
    TornRecords torn = new TornRecords(log, extents, index);
    torn.scan(from);
    for (long segment : log.segments().tailMap(from.segment(), false).keySet()) {
      torn.scan(Log.firstIn(segment));
    }
    torn.strikeOut();
    return torn;
  }

  /** Removes the parts that a rebuild took in of uploads that turned out not to be open. */
  private void dropOrphanedParts(Index index) throws IOException {
    try (Replay replay = new Replay(index);
        IndexCursor parts = index.allParts()) {
      while (parts.next()) {
        if (replay.applier.dropIfOrphaned(parts.entry()) && ++replay.count >= RECORDS_PER_WRITE) {
          replay.flush(reached);
        }
      }
      if (replay.count > 0) {
        replay.flush(reached);
      }
    }
  }

  private void replaySegment(Index index, LogPosition from) throws IOException {
    try (Replay replay = new Replay(index)) {
      LogPosition end = log.scan(from, replay);
      if (replay.failure != null) {
        throw replay.failure;
      }
      replay.flush(end);
      settle(end);
      reached =
          new LogPosition(
              end.segment(), end.offset(), Math.max(reached.sequence(), end.sequence()));
    }
  }

  /**
   * Cuts the segment after its last record and makes the records durable. After a crash they may be
   * only in the operating system's memory.
   */
  private void settle(LogPosition end) throws IOException {
    Segment segment = log.segments().get(end.segment());
    if (segment == null) {
      return;
    }
    long behind = segment.length() - end.offset();
    if (behind > 0 && segment.number() != log.segments().lastKey()) {
      damage.add(
          "segment " + end.segment() + " is damaged from byte " + end.offset() + " to its end");
      log.settle(new LogPosition(end.segment(), segment.length(), end.sequence()));
      return;
    }
    if (behind > 0 && rebuilding) {
      damage.add(
          "the log ends in "
              + behind
              + " bytes that are no record, in segment "
              + end.segment()
              + "; a crash cut a write short, or its last record was damaged: without the index"
              + " nobody can tell");
    } else if (behind > 0) {
      LOG.info(
          "The last segment of {} ends in {} bytes of a write that a crash cut short; removed",
          disk.description(),
          behind);
    }
    log.settle(end);
  }

  /**
   * Applies the records of a scan to the index, many in one write. Extents that it finds released
   * are left to the sweep, because compaction may have moved a record that names them further on.
   */
  private final class Replay implements ScanListener, AutoCloseable {
    private final Index index;
    private IndexTransaction transaction;
    private EntryApplier applier;
    private int count;
    private @Nullable IOException failure;

    Replay(Index index) {
      this.index = index;
      this.transaction = index.begin();
      this.applier = new EntryApplier(transaction);
    }

    @Override
    public void record(RecordLocation location, long sequence, byte[] bytes, boolean intact) {
      if (failure != null) {
        return;
      }
      try {
        LogEntry entry = decode(location, bytes);
        if (!isForgotten(entry, location)) {
          applier.apply(entry, bytes, location);
        }
        noteTime(entry);
        if (!intact) {
          damage.add(Descriptions.of(entry) + ": its bytes in the log are damaged");
        }
        replayed++;
        if (++count >= RECORDS_PER_WRITE) {
          flush(new LogPosition(location.segment(), location.end(), sequence));
        }
      } catch (IOException e) {
        failure = e;
      }
    }

    @Override
    public void unpromised(RecordLocation location, byte[] bytes) {
      if (!rebuilding || failure != null) {
        return;
      }
      try {
        damage.add(
            Descriptions.of(decode(location, bytes)) + ": its record is not whole and is left out");
      } catch (IOException e) {
        failure = e;
      }
    }

    private static LogEntry decode(RecordLocation at, byte[] bytes)
        throws UnreadableFormatException {
      try {
        return LogEntryCodec.decode(bytes);
      } catch (MalformedRecordException e) {
        throw unreadable("segment " + at.segment() + " at byte " + at.offset(), e, "");
      }
    }

    @Override
    public void damage(long segment, long fromOffset, long toOffset) {
      damage.add(
          "segment "
              + segment
              + " is damaged from byte "
              + fromOffset
              + " to "
              + toOffset
              + "; the records there are lost");
    }

    void flush(LogPosition position) throws IOException {
      log.setLiveBytes(transaction.commit(new IndexedPosition(position, clockMs)));
      transaction.close();
      transaction = index.begin();
      applier = new EntryApplier(transaction);
      count = 0;
    }

    @Override
    public void close() {
      transaction.close();
    }
  }

  /** Whether compaction has given up the cached object of a record, and had not freed it yet. */
  private boolean isForgotten(LogEntry entry, RecordLocation at) {
    return log.hasForgottenCached(at.segment())
        && entry instanceof LogEntry.ObjectStored stored
        && stored.object().metadata().origin() != null;
  }

  private void noteTime(LogEntry entry) {
    switch (entry) {
      case LogEntry.ObjectStored stored ->
          clockMs = Math.max(clockMs, stored.object().metadata().version().clockMs());
      case LogEntry.ObjectDeleted deleted ->
          clockMs = Math.max(clockMs, deleted.version().clockMs());
      case LogEntry.VersionDeleted deleted ->
          clockMs = Math.max(clockMs, deleted.version().clockMs());
      case LogEntry.UploadCreated created -> {}
      case LogEntry.PartStored stored -> {}
      case LogEntry.UploadAborted aborted -> {}
    }
  }
}
