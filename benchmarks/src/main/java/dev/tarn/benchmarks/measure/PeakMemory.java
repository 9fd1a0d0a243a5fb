package dev.tarn.benchmarks.measure;

/** Samples the anonymous memory of a process until closed. */
public final class PeakMemory implements AutoCloseable {
  private static final long LOOK_MS = 10;

  private final long pid;
  private final Thread thread;
  private volatile long peakBytes;

  private PeakMemory(long pid) {
    this.pid = pid;
    this.thread = Thread.ofPlatform().name("peak-memory").daemon().unstarted(this::watch);
  }

  /** Starts to sample. */
  public static PeakMemory of(long pid) {
    PeakMemory watch = new PeakMemory(pid);
    watch.thread.start();
    return watch;
  }

  /** The peak so far, sampled every 10 ms. */
  public long peakBytes() {
    return peakBytes;
  }

  private void watch() {
    while (!Thread.currentThread().isInterrupted()) {
      peakBytes = Math.max(peakBytes, ProcessMemory.anonymousBytes(pid));
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
