package dev.tarn.targetnode.store.log;

import dev.tarn.targetnode.store.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Scans the records of one segment, which may be damaged or end in the middle of a write.
 *
 * <p>The scan tries every multiple of 8 bytes where there is no record, so that damage in the
 * middle hides only the records that it covers. A record counts if its header and entry verify, its
 * segment is this one, and its sequence is greater than that of the record before. The sequence
 * excludes records that an earlier, failed write left after the end of a later, shorter one.
 *
 * <p>A record whose payload does not verify was torn by a crash and never acknowledged, or damaged
 * later. The durable sequence in the headers after it tells which. A struck-out record is skipped.
 */
public final class SegmentScanner {
  private static final int WINDOW_BYTES = 1 << 20;
  private static final int LENGTH_MAX = 64 << 20;

  private final DiskFile file;
  private final long segment;
  private final long fileLength;
  private final ScanListener listener;
  private final Deque<Doubtful> doubtful = new ArrayDeque<>();
  private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowStart;
  private long lastSequence;

  private final Deque<Damage> damages = new ArrayDeque<>();

  @SuppressWarnings("ArrayRecordComponent")
  private record Doubtful(RecordLocation location, long sequence, byte[] entry) {}

  private record Damage(long from, long to, long sequenceBefore) {}

  public SegmentScanner(DiskFile file, long segment, ScanListener listener) throws IOException {
    this.file = file;
    this.segment = segment;
    this.fileLength = file.length();
    this.listener = listener;
  }

  /**
   * Scans from this offset, where a record starts, to the end.
   *
   * @return where the last record ends, and its sequence, or that of {@code from} if there is none
   */
  public LogPosition scan(LogPosition from) throws IOException {
    long at = from.offset();
    long end = at;
    long damagedFrom = -1;
    lastSequence = from.sequence();
    while (at + RecordHeader.LENGTH <= fileLength) {
      RecordHeader header = headerAt(at);
      if (header == null) {
        damagedFrom = damagedFrom < 0 ? at : damagedFrom;
        at += RecordHeader.ALIGNMENT;
        continue;
      }
      if (damagedFrom >= 0) {
        damages.add(new Damage(damagedFrom, at, lastSequence));
        damagedFrom = -1;
      }
      listener.promised(header.durableSequence());
      tellOfPromised(header.durableSequence());
      RecordLocation location = location(header, at);
      if (RecordHeader.isStruckOut(window, (int) (at - windowStart))) {
        lastSequence = header.sequence();
        end = location.end();
      } else if (take(header, location)) {
        end = location.end();
      }
      at = Math.min(location.end(), fileLength);
    }
    doubtful.forEach(torn -> listener.unpromised(torn.location(), torn.entry()));
    return new LogPosition(segment, end, lastSequence);
  }

  private @Nullable RecordHeader headerAt(long at) throws IOException {
    fill(at, RecordHeader.LENGTH);
    int index = (int) (at - windowStart);
    if (!RecordHeader.startsAt(window, index)) {
      return null;
    }
    RecordHeader header = RecordHeader.readUnverified(window, index);
    if (header.segment() != segment
        || header.sequence() <= lastSequence
        || header.entryLength() < 0
        || header.payloadLength() < 0
        || (long) header.entryLength() + header.payloadLength() > LENGTH_MAX
        || at + RecordHeader.LENGTH + header.entryLength() > fileLength) {
      return null;
    }
    fill(at, RecordHeader.LENGTH + header.entryLength());
    return header.verify(window, (int) (at - windowStart)) ? header : null;
  }

  private RecordLocation location(RecordHeader header, long at) {
    return new RecordLocation(
        segment, at, header.entryLength(), header.payloadLength(), header.payloadCrc());
  }

  /** Takes a record; false if its payload does not verify. */
  private boolean take(RecordHeader header, RecordLocation location) throws IOException {
    lastSequence = header.sequence();
    byte[] entry = new byte[header.entryLength()];
    window.get((int) (location.offset() - windowStart) + RecordHeader.LENGTH, entry);
    if (!verifyPayload(location)) {
      doubtful.add(new Doubtful(location, lastSequence, entry));
      return false;
    }
    listener.record(location, lastSequence, entry, true);
    return true;
  }

  /** Reports all damage up to this sequence, which was on the device. */
  private void tellOfPromised(long durableSequence) {
    while (!doubtful.isEmpty() && doubtful.element().sequence() <= durableSequence) {
      Doubtful damaged = doubtful.remove();
      listener.record(damaged.location(), damaged.sequence(), damaged.entry(), false);
    }
    while (!damages.isEmpty() && damages.element().sequenceBefore() < durableSequence) {
      Damage damage = damages.remove();
      listener.damage(segment, damage.from(), damage.to());
    }
  }

  private boolean verifyPayload(RecordLocation location) throws IOException {
    CRC32C crc = new CRC32C();
    long at = location.payloadOffset();
    int rest = location.payloadLength();
    if (at + rest > fileLength) {
      return false;
    }
    while (rest > 0) {
      int step = Math.min(rest, WINDOW_BYTES);
      fill(at, step);
      int index = (int) (at - windowStart);
      crc.update(window.duplicate().limit(index + step).position(index));
      at += step;
      rest -= step;
    }
    return (int) crc.getValue() == location.payloadCrc();
  }

  /** Loads {@code length} bytes from {@code at} on into the window; the file must have them. */
  private void fill(long at, int length) throws IOException {
    if (at >= windowStart && at + length <= windowStart + window.limit()) {
      return;
    }
    if (length > window.capacity()) {
      window = ByteBuffer.allocate(length);
    }
    window.clear().limit((int) Math.min(window.capacity(), fileLength - at));
    file.read(window, at);
    windowStart = at;
  }
}
