package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.json.JsonText;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an error in one file or sample ends the run. Writes the report of what is left
 * out as JSON lines {@code {"name","sample","reason"}}. Thread-safe.
 */
public final class Faults implements AutoCloseable {
  /** Default limit of skipped errors. */
  public static final long USUAL_ERRORS_MAX = 1000;

  private final OnError onError;
  private final long errorsMax;
  private final @Nullable Writer report;
  private long skipped;

  /**
   * @param errorsMax the maximum number of skipped errors
   * @param report the report, closed by {@link #close}; null for no report
   */
  public Faults(OnError onError, long errorsMax, @Nullable Writer report) {
    this.onError = requireNonNull(onError, "onError is null");
    this.errorsMax = errorsMax;
    this.report = report;
  }

  /** Returns an instance without a report. */
  public static Faults of(PlanOptions options) {
    return new Faults(options.onError(), options.errorsMax(), null);
  }

  /**
   * Skips a file or a sample because of an error.
   *
   * @param name of the file
   * @param sample its key; "" if it has none
   * @throws IOException the error itself if the policy ends the run, or an error that the limit of
   *     skipped errors is exceeded
   */
  public synchronized void skip(String name, String sample, IOException error) throws IOException {
    if (onError == OnError.ABORT) {
      throw error;
    }
    report(name, sample, String.valueOf(error.getMessage()));
    skipped++;
    if (skipped > errorsMax) {
      throw new IOException(
          "more than " + errorsMax + " errors (--errors-max); the last: " + error.getMessage(),
          error);
    }
  }

  /** Reports something that is left out on purpose; this is not counted as an error. */
  public synchronized void report(String name, String sample, String reason) throws IOException {
    if (report == null) {
      return;
    }
    String line = JsonText.of(JsonText.fields("name", name, "sample", sample, "reason", reason));
    try {
      report.append(line).append('\n').flush();
    } catch (IOException e) {
      throw new IOException(
          "cannot write the report of what is left out (--report): " + e.getMessage(), e);
    }
  }

  /** Returns the number of skipped errors. */
  public synchronized long skipped() {
    return skipped;
  }

  @Override
  public void close() throws IOException {
    if (report != null) {
      report.close();
    }
  }
}
