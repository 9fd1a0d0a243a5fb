package dev.tarn.targetnode.store.log;

/** What is known of one segment. Its live bytes are kept by whoever applies its records. */
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

  /** Counts up from 1 and is never used again. */
  public long number() {
    return number;
  }

  /** The greatest time given to a version before it began, in milliseconds since 1970. */
  public long clockMs() {
    return clockMs;
  }

  /** Whether its header is whole; what follows a damaged one can still be scanned. */
  public boolean readable() {
    return readable;
  }

  /** How many bytes it has. */
  public long length() {
    return length;
  }

  void setLength(long lengthBytes) {
    length = lengthBytes;
  }

  /** How many bytes of it are records that are still valid. */
  public long liveBytes() {
    return liveBytes;
  }

  /** Sets the live bytes. */
  public void setLiveBytes(long bytes) {
    liveBytes = bytes;
  }

  /** How many bytes compaction would free. */
  public long deadBytes() {
    return length - liveBytes;
  }

  /** Whether it holds live records that cannot be read, and so must stay for a repair. */
  public boolean kept() {
    return kept;
  }

  /** Keeps it from compaction. */
  public void keep() {
    kept = true;
  }
}
