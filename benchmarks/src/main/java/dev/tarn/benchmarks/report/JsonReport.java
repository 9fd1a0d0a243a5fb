package dev.tarn.benchmarks.report;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;

/** Prints one line with a JSON object for each cell. */
public final class JsonReport implements Report {
  private static final MathContext DIGITS = new MathContext(6);

  private final JsonFactory json =
      JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();
  private final PrintStream out;

  public JsonReport(PrintStream out) {
    this.out = requireNonNull(out, "out is null");
  }

  @Override
  public void add(Cell cell) {
    StringWriter line = new StringWriter();
    try (JsonGenerator generator = json.createGenerator(line)) {
      generator.writeStartObject();
      generator.writeStringField("bench", cell.bench());
      generator.writeStringField("cell", cell.name());
      generator.writeNumberField("ours", rounded(cell.ours()));
      generator.writeNumberField("yardstick", rounded(cell.yardstick()));
      generator.writeStringField("unit", cell.unit());
      generator.writeNumberField("ratio", rounded(cell.ratio()));
      generator.writeStringField("goal", cell.goal().map(Goal::text).orElse(null));
      generator.writeBooleanField("ok", cell.ok());
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a writer into memory failed", e);
    }
    out.println(line);
    out.flush();
  }

  private static BigDecimal rounded(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
  }
}
