package dev.tarn.sharder.cli.output;

import dev.tarn.sharder.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A progress that is shown at intervals. */
final class ProgressDisplay extends Progress {
  /** The forms of display. */
  enum Style {
    /** For a terminal: one line that is overwritten. */
    BAR(Duration.ofMillis(200)),
    /** For a log file. */
    LINES(Duration.ofSeconds(10)),
    /** For a program. */
    JSON(Duration.ofSeconds(1));

    private final Duration interval;

    Style(Duration interval) {
      this.interval = interval;
    }
  }

  private static final int BAR_WIDTH = 24;

  /** Keeps a line from wrapping if the terminal became narrower; the escape code ends that. */
  private static final String NO_WRAP = "\u001b[?7l";

  private static final String WRAP = "\u001b[?7h";
  private static final String WIPE = "\r\u001b[K";

  private final String verb;
  private final long files;
  private final long bytes;
  private final PrintWriter out;
  private final Style style;
  private final int columns;
  private final long start = System.nanoTime();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("progress").factory());

  /** Nothing is shown once this is set, even if the timer is already running. */
  private boolean closed;

  /**
   * @param verb the activity
   * @param files the total number of files; negative if unknown
   * @param bytes their total size; negative if unknown
   * @param columns the width that a bar may take, in characters
   */
  ProgressDisplay(String verb, long files, long bytes, PrintWriter out, Style style, int columns) {
    this.verb = verb;
    this.files = files;
    this.bytes = bytes;
    this.out = out;
    this.style = style;
    this.columns = columns;
  }

  /** Starts to show the progress. */
  void start() {
    long interval = style.interval.toMillis();
    var _ = timer.scheduleAtFixedRate(this::show, interval, interval, TimeUnit.MILLISECONDS);
  }

  private synchronized void show() {
    if (closed) {
      return;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    String line = line(seconds);
    out.print(
        style == Style.BAR
            ? "\r" + NO_WRAP + line + "\u001b[K" + WRAP
            : line + System.lineSeparator());
    out.flush();
  }

  /** Returns the display after a number of seconds. */
  String line(double seconds) {
    return style == Style.JSON ? event(seconds) : text(seconds);
  }

  private String event(double seconds) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("doing", verb);
    fields.put("files", files());
    if (files >= 0) {
      fields.put("files_total", files);
    }
    fields.put("bytes", bytes());
    if (bytes >= 0) {
      fields.put("bytes_total", bytes);
    }
    fields.put("seconds", Math.round(seconds * 1000) / 1e3);
    return JsonEvent.line("progress", fields);
  }

  private String text(double seconds) {
    double part = part();
    String percent = part < 0 ? "" : String.format(Locale.ROOT, "%3d%% ", (int) (part * 100));
    String total = files < 0 ? "" : String.format(Locale.ROOT, "of %,d ", files);
    String left = part > 0 ? ", " + duration(seconds / part * (1 - part)) + " left" : "";
    String counts = String.format(Locale.ROOT, "%s%s %,d %sfiles", percent, verb, files(), total);
    String rates =
        String.format(
            Locale.ROOT,
            ", %s, %s/s, %,.0f files/s",
            ByteSize.print(bytes()),
            ByteSize.print((long) (bytes() / seconds)),
            files() / seconds);
    String whole = counts + rates + left;
    if (style != Style.BAR) {
      return whole;
    }
    return Stream.of(bar(part) + whole, whole, bar(part) + counts + left, counts + left)
        .filter(line -> line.length() < columns)
        .findFirst()
        .orElseGet(() -> whole.substring(0, Math.max(0, Math.min(whole.length(), columns - 1))));
  }

  private static String bar(double part) {
    if (part < 0) {
      return "";
    }
    int full = (int) (part * BAR_WIDTH);
    return "[" + "#".repeat(full) + " ".repeat(BAR_WIDTH - full) + "] ";
  }

  /** Returns the completed fraction, from 0 to 1; negative if unknown. */
  private double part() {
    if (bytes > 0) {
      return Math.min(1, (double) bytes() / bytes);
    }
    return files < 0 ? -1 : Math.min(1, (double) files() / Math.max(1, files));
  }

  private static String duration(double seconds) {
    long whole = Math.round(Math.ceil(seconds));
    return whole >= 3600
        ? "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60)
        : "%d:%02d".formatted(whole / 60, whole % 60);
  }

  /** Clears the line for other output. */
  synchronized void wipe() {
    if (style == Style.BAR) {
      out.print(WIPE);
      out.flush();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    timer.shutdownNow();
    wipe();
  }
}
