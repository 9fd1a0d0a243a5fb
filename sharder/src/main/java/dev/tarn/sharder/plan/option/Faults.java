package dev.tarn.sharder.plan.option;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tarn.shard.json.JsonText;
import dev.tarn.sharder.source.ListingFaults;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an error in one file or sample ends the run. Writes the report of what is left
 * out as JSON lines {@code {"name","sample","reason"}}. Thread-safe.
 */
public final class Faults implements ListingFaults, AutoCloseable {
  /** Default limit of skipped errors. */
  public static final long USUAL_ERRORS_MAX = 1000;

  /** The first bytes of each line of a report. */
  private static final String REPORT_START = "{\"name\":";

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

  /** Returns whether a file is absent, empty, or the report of an earlier run. */
  public static boolean isReport(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return true;
    }
    try (InputStream bytes = Files.newInputStream(file)) {
      String start = new String(bytes.readNBytes(REPORT_START.length()), ISO_8859_1);
      return start.isEmpty() || start.equals(REPORT_START);
    }
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
  @Override
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
  @Override
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
