package dev.tarn.targetnode.store.log;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.OpenFiles;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of one disk. One thread appends; any thread may read.
 *
 * <p>Every start begins a new segment, and so does every failed write or sync: nothing is appended
 * to a segment whose end is in doubt. The next one begins when that end has been cut off durably,
 * because a rebuilt index would apply the failed records before the later ones. A segment's header
 * repeats the greatest time of a version so far. Time therefore does not go back, even if
 * compaction removed all records that carry that time.
 */
public final class Log {
  private static final Logger LOG = LoggerFactory.getLogger(Log.class);

  private final Disk disk;
  private final LogSettings settings;
  private final NamedBytes named;
  private final OpenFiles files;
  private final LogBatch batch;
  private final NavigableMap<Long, Segment> segments = new ConcurrentSkipListMap<>();
  private final ForgottenMarks forgotten;
  private @Nullable DiskFile appending;

  /** A sealed segment whose records after {@link #visibleEnd} are not cut off yet. */
  private @Nullable DiskFile uncut;

  private LogPosition tail = new LogPosition(0, 0, 0);
  private long visibleEnd;
  private long visibleSequence;
  private boolean undone;
  private boolean unsynced;
  private boolean visibleLost;
  private volatile long durableSequence;
  private volatile boolean sealWanted;

  private Log(Disk disk, LogSettings settings, NamedBytes named) throws IOException {
    this.disk = disk;
    this.settings = settings;
    this.named = named;
    this.files = new OpenFiles(disk, Segments::path, settings.openSegmentsMax());
    this.batch = new LogBatch(settings.batchBytesMax());
    for (long number : Segments.list(disk)) {
      segments.put(number, openSegment(number));
    }
    this.forgotten = new ForgottenMarks(disk, segments.keySet());
  }

  /** Creates the log's directory; the caller syncs the directory's name. */
  public static void format(Disk disk) throws IOException {
    disk.createDirectory(Segments.DIRECTORY);
  }

  /** The bytes outside of the log that records name: the extents of the disk. */
  @FunctionalInterface
  public interface NamedBytes {
    /** Makes all of these bytes durable. */
    void sync() throws IOException;
  }

  /**
   * Opens the existing segments. {@link #startAppending} must be called before the first append.
   *
   * @param named synced before the records: what is acknowledged as durable is on the device with
   *     all bytes that it names
   */
  public static Log open(Disk disk, LogSettings settings, NamedBytes named) throws IOException {
    return new Log(disk, settings, named);
  }

  private Segment openSegment(long number) throws IOException {
    OpenFile open = files.hold(number);
    try {
      return Segment.of(number, open.file(), disk.description() + "/" + Segments.path(number));
    } finally {
      open.release();
    }
  }

  /** All segments by number. */
  public NavigableMap<Long, Segment> segments() {
    return segments;
  }

  /** The size at which a new segment begins. */
  public long segmentBytesMax() {
    return settings.segmentBytesMax();
  }

  /** The size of all segments. */
  public long bytes() {
    return segments.values().stream().mapToLong(Segment::length).sum();
  }

  /** The size of the records that are still valid. */
  public long liveBytes() {
    return segments.values().stream().mapToLong(Segment::liveBytes).sum();
  }

  /** Records the live bytes of segments. */
  public void setLiveBytes(Map<Long, Long> liveBytes) {
    liveBytes.forEach((number, bytes) -> {
      Segment segment = segments.get(number);
      if (segment != null) {
        segment.setLiveBytes(bytes);
      }
    });
  }

  /** Scans the records of a segment from a position on. */
  public LogPosition scan(LogPosition from, ScanListener listener) throws IOException {
    OpenFile open = files.hold(from.segment());
    try {
      return new SegmentScanner(open.file(), from.segment(), listener).scan(from);
    } finally {
      open.release();
    }
  }

  /** The position of the first record of a segment. */
  public static LogPosition firstIn(long segment) {
    return new LogPosition(segment, FormatHeader.LENGTH, 0);
  }

  /** Strikes out a record; the caller must settle its segment afterwards. */
  public void strikeOut(RecordLocation record) throws IOException {
    OpenFile open = files.hold(record.segment());
    try {
      open.file().write(RecordHeader.struckMagic(), record.offset());
    } finally {
      open.release();
    }
  }

  /** Cuts off what a crash left after the last record of a segment, and syncs the segment. */
  public void settle(LogPosition end) throws IOException {
    OpenFile open = files.hold(end.segment());
    try {
      if (open.file().length() > end.offset()) {
        open.file().truncate(end.offset());
      }
      open.file().sync();
    } finally {
      open.release();
    }
    Segment segment = segments.get(end.segment());
    if (segment != null) {
      segment.setLength(end.offset());
    }
  }

  /**
   * Begins the first segment of this run.
   *
   * @param sequence of the last record in the log
   * @param clockMs the greatest time of a version so far, in milliseconds since 1970
   */
  public void startAppending(long sequence, long clockMs) throws IOException {
    tail = new LogPosition(segments.isEmpty() ? 0 : segments.lastKey(), 0, sequence);
    durableSequence = sequence;
    visibleSequence = sequence;
    beginSegment(clockMs);
  }

  /**
   * Begins a batch, in a new segment if the present one is full or in doubt. Fails while the
   * records of a failed write cannot be cut off.
   */
  public LogBatch beginBatch(long clockMs) throws IOException {
    cutDoubtfulEnd();
    boolean early = sealWanted && tail.offset() > FormatHeader.LENGTH;
    if (appending == null || early || tail.offset() >= settings.segmentBytesMax()) {
      if (appending != null) {
        sync();
      }
      beginSegment(clockMs);
    }
    batch.begin(tail, durableSequence);
    return batch;
  }

  /**
   * Ends the present segment at the next batch although it is not full, so that it can be freed.
   */
  public void sealEarly() {
    sealWanted = true;
  }

  /** Writes the batch, but does not sync it. After a failure the segment is sealed. */
  public void write(LogBatch records) throws IOException {
    undone = false;
    unsynced = true;
    try {
      file().write(records.bytes(), records.start());
    } catch (IOException e) {
      undone = undo();
      if (undone) {
        durableSequence = tail.sequence();
      } else {
        noteLoss();
      }
      throw e;
    }
    tail = records.end();
    segment(tail.segment()).setLength(tail.offset());
  }

  /** Notes that the index contains everything written: {@link #takeBack} leaves it in place. */
  public void madeVisible() {
    visibleEnd = tail.offset();
    visibleSequence = tail.sequence();
  }

  /**
   * Removes what was written and is not visible, because the index could not take it. The segment
   * is sealed. Returns whether nothing of it is left on the device.
   */
  public boolean takeBack() {
    undone = undo();
    return undone;
  }

  /**
   * Makes everything written durable, after the bytes that it names. After a failure the segment is
   * sealed, and what was not yet visible is cut off.
   */
  public void sync() throws IOException {
    if (appending == null || !unsynced) {
      return;
    }
    undone = false;
    syncNamed();
    try {
      file().sync();
    } catch (IOException e) {
      noteLoss();
      undo();
      throw e;
    }
    unsynced = false;
    durableSequence = tail.sequence();
  }

  /** If this sync fails, the bytes count as lost: a second sync would not report their loss. */
  private void syncNamed() throws IOException {
    try {
      named.sync();
    } catch (IOException e) {
      visibleLost = true;
      undo();
      throw e;
    }
  }

  /** The sequence of the last durable record; all records before it are durable too. */
  public long durableSequence() {
    return durableSequence;
  }

  /** The position of the next record, unless it begins a segment. */
  public LogPosition tail() {
    return tail;
  }

  /**
   * Whether nothing is left of the batch whose write failed. False after a failed sync, because
   * nobody can tell what is on the device then.
   */
  public boolean undone() {
    return undone;
  }

  /**
   * Whether a sync failed that covered records which readers have seen. No later sync can tell
   * whether they are on the device. Nothing more may be committed on top of them.
   */
  public boolean hasLostVisible() {
    return visibleLost;
  }

  private void noteLoss() {
    visibleLost |= visibleSequence > durableSequence;
  }

  /** Seals the present segment; returns whether it certainly ends with the last visible record. */
  private boolean undo() {
    if (appending == null) {
      return false;
    }
    uncut = appending;
    appending = null;
    tail = new LogPosition(tail.segment(), visibleEnd, tail.sequence());
    segment(tail.segment()).setLength(visibleEnd);
    try {
      named.sync();
      cutDoubtfulEnd();
      return true;
    } catch (IOException e) {
      LOG.warn(
          "Segment {} of {} is sealed after a failed write, and cutting the write off failed;"
              + " writes fail until that succeeds",
          tail.segment(),
          disk.description(),
          e);
      return false;
    }
  }

  private void cutDoubtfulEnd() throws IOException {
    DiskFile doubtful = uncut;
    if (doubtful != null) {
      doubtful.truncate(visibleEnd);
      doubtful.sync();
      uncut = null;
      doubtful.close();
    }
  }

  /**
   * Reads a record's payload and verifies it, unless that would wait for the device.
   *
   * @param destination direct, with room for the payload; filled and flipped
   * @return false if the read would wait; the destination is undefined then
   */
  public boolean readPayloadNow(RecordLocation at, ByteBuffer destination) throws IOException {
    OpenFile open = files.holdNow(at.segment());
    if (open == null) {
      return false;
    }
    try {
      destination.clear().limit(at.payloadLength());
      if (!open.file().readNow(destination, at.payloadOffset())) {
        return false;
      }
      verify(at, destination.flip());
      return true;
    } finally {
      open.release();
    }
  }

  /**
   * Reads a record's payload into the buffer, which is filled and flipped, and verifies it; blocks.
   *
   * @throws java.nio.file.NoSuchFileException if the segment does not exist: compaction has moved
   *     the record
   */
  public void readPayload(RecordLocation at, ByteBuffer destination) throws IOException {
    OpenFile open = files.hold(at.segment());
    try {
      destination.clear().limit(at.payloadLength());
      open.file().read(destination, at.payloadOffset());
      verify(at, destination.flip());
    } finally {
      open.release();
    }
  }

  private static void verify(RecordLocation at, ByteBuffer payload)
      throws UnreadableFormatException {
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    if ((int) crc.getValue() != at.payloadCrc()) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          "segment "
              + at.segment()
              + " has a record at "
              + at.offset()
              + " whose checksum does not hold");
    }
  }

  /**
   * Records durably that the cached objects of a segment are forgotten: a replay passes over their
   * records. The segment is about to be removed, and has no other valid record.
   */
  public void forgetCached(long number) throws IOException {
    forgotten.add(number);
  }

  /** Whether a replay passes over the cached objects of a segment. */
  public boolean hasForgottenCached(long number) {
    return forgotten.has(number);
  }

  /** Removes a segment durably: a crash does not bring it back. */
  public void remove(long number) throws IOException {
    disk.delete(Segments.path(number));
    files.forget(number);
    disk.syncDirectory(Segments.DIRECTORY);
    segments.remove(number);
    forgotten.removed(number);
  }

  /**
   * Removes a segment without records, without a sync: it is harmless if a crash brings it back.
   */
  public void removeEmpty(long number) throws IOException {
    disk.delete(Segments.path(number));
    files.forget(number);
    segments.remove(number);
    forgotten.removed(number);
  }

  /** Whether there is a segment with a number in this range, both ends included. */
  public boolean hasSegmentIn(long from, long to) {
    Long next = segments.ceilingKey(from);
    return next != null && next <= to;
  }

  /** Closes all files. */
  public void close() throws IOException {
    try (DiskFile _ = appending;
        DiskFile _ = uncut) {
      appending = null;
      uncut = null;
    } finally {
      files.forgetAll();
    }
  }

  private void closeAppending() throws IOException {
    DiskFile file = appending;
    appending = null;
    if (file != null) {
      file.close();
    }
  }

  private void beginSegment(long clockMs) throws IOException {
    closeAppending();
    long number = Math.max(tail.segment(), segments.isEmpty() ? 0 : segments.lastKey()) + 1;
    DiskFile file = disk.create(Segments.path(number));
    boolean done = false;
    try {
      file.write(
          FormatHeader.requiring(Segments.VERSIONS_FEATURE, Segments.MAGIC, number, clockMs)
              .encode(),
          0);
      disk.syncDirectory(Segments.DIRECTORY);
      done = true;
    } finally {
      if (!done) {
        file.close();
        disk.delete(Segments.path(number));
      }
    }
    segments.put(number, new Segment(number, FormatHeader.LENGTH, clockMs, true));
    sealWanted = false;
    appending = file;
    unsynced = true;
    tail = new LogPosition(number, FormatHeader.LENGTH, tail.sequence());
    visibleEnd = FormatHeader.LENGTH;
  }

  private DiskFile file() throws IOException {
    DiskFile file = appending;
    if (file == null) {
      throw new IOException("the log's segment is sealed after a failed write");
    }
    return file;
  }

  private Segment segment(long number) {
    Segment segment = segments.get(number);
    if (segment == null) {
      throw new IllegalStateException("segment " + number + " is gone while it is written");
    }
    return segment;
  }
}
