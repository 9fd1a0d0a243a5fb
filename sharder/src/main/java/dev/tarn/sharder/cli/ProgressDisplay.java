package dev.tarn.sharder.cli;

import dev.tarn.sharder.pack.PackProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Shows how far packing is: a bar that is redrawn on a terminal, else a line now and then. */
final class ProgressDisplay implements AutoCloseable {
  private static final Duration BAR_INTERVAL = Duration.ofMillis(200);
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  private static final int BAR_WIDTH = 24;

  private final PackProgress progress;
  private final long files;
  private final long bytes;
  private final PrintWriter out;
  private final boolean terminal;
  private final long start = System.nanoTime();
  private final ScheduledExecutorService timer;

  /**
   * @param files how many there are in all
   * @param bytes how many they have in all
   * @param terminal whether somebody looks at it, rather than a file that keeps it
   */
  ProgressDisplay(
      PackProgress progress, long files, long bytes, PrintWriter out, boolean terminal) {
    this.progress = progress;
    this.files = files;
    this.bytes = bytes;
    this.out = out;
    this.terminal = terminal;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("progress").factory());
  }

  /** Shows it from now on. */
  void start() {
    long interval = (terminal ? BAR_INTERVAL : LINE_INTERVAL).toMillis();
    var _ = timer.scheduleAtFixedRate(this::show, interval, interval, TimeUnit.MILLISECONDS);
  }

  private void show() {
    double seconds = (System.nanoTime() - start) / 1e9;
    String line = line(progress.files(), progress.bytes(), seconds);
    out.print(terminal ? "\r" + line + "\u001b[K" : line + System.lineSeparator());
    out.flush();
  }

  /** What is shown after so many files, bytes and seconds. */
  String line(long filesDone, long bytesDone, double seconds) {
    double part = bytes > 0 ? (double) bytesDone / bytes : (double) filesDone / Math.max(1, files);
    String bar = "";
    if (terminal) {
      int full = (int) (Math.min(1, part) * BAR_WIDTH);
      bar = "[" + "#".repeat(full) + " ".repeat(BAR_WIDTH - full) + "] ";
    }
    String left = part > 0 ? ", " + duration(seconds / part * (1 - part)) + " left" : "";
    return String.format(
        Locale.ROOT,
        "%s%3d%% %,d of %,d files, %s/s, %,.0f files/s%s",
        bar,
        (int) (part * 100),
        filesDone,
        files,
        ByteSize.print((long) (bytesDone / seconds)),
        filesDone / seconds,
        left);
  }

  private static String duration(double seconds) {
    long whole = Math.round(Math.ceil(seconds));
    return whole >= 3600
        ? "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60)
        : "%d:%02d".formatted(whole / 60, whole % 60);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    if (terminal) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
