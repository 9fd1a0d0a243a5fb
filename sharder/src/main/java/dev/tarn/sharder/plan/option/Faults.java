package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an error in one file or sample does to the run, and keeps the report of what was
 * left out: JSON lines {@code {"name","sample","reason"}}. Safe for use by many threads at once.
 */
public final class Faults implements AutoCloseable {
  /** How many errors are skipped at most, unless somebody says another number. */
  public static final long USUAL_ERRORS_MAX = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final OnError onError;
  private final long errorsMax;
  private final @Nullable Writer report;
  private long skipped;

  /**
   * @param errorsMax how many errors may be skipped
   * @param report which is written and at last closed; null if nobody wants one
   */
  public Faults(OnError onError, long errorsMax, @Nullable Writer report) {
    this.onError = requireNonNull(onError, "onError is null");
    this.errorsMax = errorsMax;
    this.report = report;
  }

  /** Without a report. */
  public static Faults of(PlanOptions options) {
    return new Faults(options.onError(), options.errorsMax(), null);
  }

  /**
   * Leaves a file or a sample out because of an error.
   *
   * @param name of the file
   * @param sample its key; empty where it has none
   * @throws IOException the error itself, if the run is to end, or that there were too many
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

  /** Writes a line into the report of what is left out on purpose, which is no error. */
  public synchronized void report(String name, String sample, String reason) throws IOException {
    if (report == null) {
      return;
    }
    StringWriter line = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("name", name);
      json.writeStringField("sample", sample);
      json.writeStringField("reason", reason);
      json.writeEndObject();
    }
    try {
      report.append(line.toString()).append('\n').flush();
    } catch (IOException e) {
      throw new IOException(
          "cannot write the report of what is left out (--report): " + e.getMessage(), e);
    }
  }

  /** How many errors were skipped. */
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
