package dev.tarn.client.metrics;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.util.Formatter;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;

/**
 * A line that says how an epoch is going: {@code epoch 3 [#####.....] 48% 61440/128000 12.3k
 * samples/s 85.1 MB/s fetch 2% decode 11% 0:05 left}.
 *
 * <pre>{@code
 * ShardDataset.builder().manifest("s3://data/train").listener(new ProgressBar(System.err))
 * }</pre>
 *
 * <p>The line is drawn anew twice a second by a daemon thread, which ends with the epoch, and once
 * more at the epoch's end. For one epoch at a time.
 */
public final class ProgressBar implements EpochListener {
  private static final int REDRAW_MS = 500;
  private static final int WIDTH = 24;

  private final PrintStream out;
  private @Nullable Timer timer;

  /**
   * Draws on a terminal.
   *
   * @param out usually {@link System#err}
   */
  public ProgressBar(PrintStream out) {
    this.out = requireNonNull(out, "out is null");
  }

  @Override
  public synchronized void begun(EpochMetrics epoch) {
    stop();
    Timer started = new Timer("tarn-progress", true);
    started.schedule(
        new TimerTask() {
          @Override
          public void run() {
            redraw(started, epoch);
          }
        },
        REDRAW_MS,
        REDRAW_MS);
    timer = started;
  }

  @Override
  public synchronized void ended(EpochMetrics epoch) {
    stop();
    draw(epoch);
    out.println();
  }

  private synchronized void redraw(Timer of, EpochMetrics epoch) {
    if (of.equals(timer)) {
      draw(epoch);
    }
  }

  private void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Returns to the line's start, and erases the rest of a longer line. */
  private void draw(EpochMetrics epoch) {
    out.print("\r" + line(epoch) + "\u001b[K");
    out.flush();
  }

  /** The line at this moment. */
  public static String line(EpochMetrics epoch) {
    double seconds = Math.max(1e-3, epoch.elapsed().toNanos() / 1e9);
    double perSecond = epoch.samples() / seconds;
    StringBuilder text = new StringBuilder("epoch ").append(epoch.epoch());
    // Numbers as in logs, whatever the machine's language.
    Formatter line = new Formatter(text, Locale.ROOT);
    OptionalLong expected = epoch.samplesExpected();
    if (expected.isPresent()) {
      long all = expected.orElseThrow();
      double done = all == 0 ? 1 : Math.min(1, (double) epoch.samples() / all);
      int filled = (int) (done * WIDTH);
      text.append(" [").append("#".repeat(filled)).append(".".repeat(WIDTH - filled)).append(']');
      line.format(" %d%% %d/%d", (int) (done * 100), epoch.samples(), all);
    } else {
      line.format(" %d samples", epoch.samples());
    }
    boolean isFast = perSecond >= 1000;
    line.format(isFast ? " %.1fk samples/s" : " %.0f samples/s", perSecond / (isFast ? 1000 : 1));
    line.format(" %.1f MB/s", epoch.bytes() / seconds / 1e6);
    line.format(" fetch %.0f%%", percent(epoch, Stall.FETCH));
    line.format(" decode %.0f%%", percent(epoch, Stall.DECODE));
    if (expected.isPresent() && !epoch.isEnded() && epoch.samples() > 0) {
      long left = Math.max(0, expected.orElseThrow() - epoch.samples());
      text.append(' ').append(minutes((long) (left / perSecond))).append(" left");
    } else {
      text.append(" in ").append(minutes(epoch.elapsed().toSeconds()));
    }
    return text.toString();
  }

  private static double percent(EpochMetrics epoch, Stall stall) {
    return 100.0 * epoch.stalled(stall).toNanos() / Math.max(1, epoch.elapsed().toNanos());
  }

  private static String minutes(long seconds) {
    return "%d:%02d".formatted(seconds / 60, seconds % 60);
  }
}
