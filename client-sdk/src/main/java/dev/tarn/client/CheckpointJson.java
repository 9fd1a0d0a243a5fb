package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.json.JsonObject;
import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes checkpoints as JSON: one object with a version. */
final class CheckpointJson {
  private static final String FORMAT = "tarn-checkpoint";
  private static final long VERSION = 1;
  private static final String PADDED = "pad";
  private static final String DROPPED = "drop";

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private CheckpointJson() {}

  static String write(Checkpoint checkpoint) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("format", FORMAT);
      json.writeNumberField("version", VERSION);
      EpochName name = checkpoint.name();
      json.writeArrayFieldStart("datasets");
      for (String dataset : name.datasets()) {
        json.writeString(dataset);
      }
      json.writeEndArray();
      json.writeStringField("order", name.order());
      json.writeNumberField("seed", name.seed());
      json.writeNumberField("epoch", name.epoch());
      json.writeNumberField("length", name.length());
      write(json, "left", checkpoint.left());
      if (checkpoint.progress().isPresent()) {
        write(json, checkpoint.progress().orElseThrow());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Progress progress) throws IOException {
    json.writeObjectFieldStart("rank");
    json.writeNumberField("number", progress.assignment().rank());
    json.writeNumberField("of", progress.assignment().ranks());
    json.writeStringField("uneven", progress.assignment().padded() ? PADDED : DROPPED);
    json.writeNumberField("delivered", progress.delivered());
    write(json, "beyond", progress.beyond());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String field, Positions positions)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (Span span : positions.spans()) {
      json.writeNumber(span.from());
      json.writeNumber(span.to());
    }
    json.writeEndArray();
  }

  static Checkpoint parse(String text) {
    try {
      JsonObject json = JsonObject.parse("checkpoint", "checkpoint", text.getBytes(UTF_8));
      if (!json.text("format").equals(FORMAT)) {
        throw json.wrong("its format is not \"" + FORMAT + "\"");
      }
      if (json.number("version") != VERSION) {
        throw json.wrong(
            "of version %d; this SDK knows %d: go on with the one that made it"
                .formatted(json.number("version"), VERSION));
      }
      EpochName name =
          new EpochName(
              json.texts("datasets"),
              json.text("order"),
              json.number("seed"),
              json.number("epoch"),
              json.number("length"));
      Positions left = positions(json, "left");
      Optional<JsonObject> rank = json.optionalObject("rank");
      return rank.isPresent()
          ? Checkpoint.of(name, progress(rank.orElseThrow(), left))
          : Checkpoint.of(name, left);
    } catch (ShardFormatException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static Positions positions(JsonObject json, String field) throws ShardFormatException {
    List<Long> bounds = json.numbers(field);
    if (bounds.size() % 2 != 0) {
      throw json.wrong("\"" + field + "\" holds " + bounds.size() + " numbers, not pairs");
    }
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < bounds.size(); i += 2) {
      spans.add(new Span(bounds.get(i), bounds.get(i + 1)));
    }
    return Positions.of(spans);
  }

  private static Progress progress(JsonObject json, Positions left) throws ShardFormatException {
    String uneven = json.text("uneven");
    if (!uneven.equals(PADDED) && !uneven.equals(DROPPED)) {
      throw json.wrong("\"uneven\" is \"" + uneven + "\", neither drop nor pad");
    }
    Assignment assignment =
        new Assignment(left, rank(json, "number"), rank(json, "of"), uneven.equals(PADDED));
    return new Progress(assignment, json.number("delivered"), positions(json, "beyond"));
  }

  private static int rank(JsonObject json, String field) throws ShardFormatException {
    long rank = json.number(field);
    if (rank != (int) rank) {
      throw json.wrong("\"" + field + "\" is " + rank + ": so many ranks there are not");
    }
    return (int) rank;
  }
}
