package dev.tarn.targetnode.store.log;

import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The state of one segment. The code that applies its records updates its live bytes. */
public final class Segment {
  private final long number;
  private final long clockMs;
  private final boolean readable;
  private volatile long length;
  private volatile long liveBytes;
  private volatile boolean kept;

  Segment(long number, long length, long clockMs, boolean readable) {
    this.number = number;
    this.length = length;
    this.clockMs = clockMs;
    this.readable = readable;
  }

  /**
   * A segment that is there; reads its header, and blocks.
   *
   * @param place of the file, for messages
   * @throws UnreadableFormatException if another release wrote it
   */
  static Segment of(long number, DiskFile file, String place) throws IOException {
    long length = file.length();
    if (length < FormatHeader.LENGTH) {
      return new Segment(number, length, 0, false);
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect(FormatHeader.LENGTH);
    file.read(bytes, 0);
    try {
      FormatHeader header =
          FormatHeader.decode(bytes, Segments.MAGIC, Segments.VERSIONS_FEATURE, place);
      return new Segment(number, length, header.second(), true);
    } catch (UnreadableFormatException e) {
      if (e.reason() == UnreadableFormatException.Reason.OTHER_RELEASE) {
        throw e;
      }
      return new Segment(number, length, 0, false);
    }
  }

  /** Counts up from 1 and is never used again. */
  public long number() {
    return number;
  }

  /** The greatest time of a version before the segment began, in milliseconds since 1970. */
  public long clockMs() {
    return clockMs;
  }

  /** Whether its header is valid; the records after a damaged header can still be scanned. */
  public boolean readable() {
    return readable;
  }

  /** Its size in bytes. */
  public long length() {
    return length;
  }

  void setLength(long lengthBytes) {
    length = lengthBytes;
  }

  /** The number of bytes of records that are still valid. */
  public long liveBytes() {
    return liveBytes;
  }

  public void setLiveBytes(long bytes) {
    liveBytes = bytes;
  }

  /** The number of bytes that compaction would free. */
  public long deadBytes() {
    return length - liveBytes;
  }

  /** Whether it must stay for a repair, because it holds live records that cannot be read. */
  public boolean kept() {
    return kept;
  }

  /** Excludes it from compaction. */
  public void keep() {
    kept = true;
  }
}
