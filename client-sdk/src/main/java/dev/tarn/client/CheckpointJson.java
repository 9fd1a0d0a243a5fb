package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.json.JsonObject;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes checkpoints as JSON: one object with a version. */
final class CheckpointJson {
  private static final String FORMAT = "tarn-checkpoint";
  private static final long VERSION = 1;
  private static final String PADDED = "pad";
  private static final String DROPPED = "drop";

  private CheckpointJson() {}

  static String write(Checkpoint checkpoint) {
    EpochName name = checkpoint.name();
    Map<String, Object> fields =
        JsonText.fields(
            "format",
            FORMAT,
            "version",
            VERSION,
            "datasets",
            name.datasets(),
            "order",
            name.order(),
            "seed",
            name.seed(),
            "epoch",
            name.epoch(),
            "length",
            name.length(),
            "left",
            bounds(checkpoint.left()));
    checkpoint.progress().ifPresent(progress -> fields.put("rank", fields(progress)));
    return JsonText.of(fields);
  }

  private static Map<String, Object> fields(Progress progress) {
    return JsonText.fields(
        "number",
        progress.assignment().rank(),
        "of",
        progress.assignment().ranks(),
        "uneven",
        progress.assignment().padded() ? PADDED : DROPPED,
        "delivered",
        progress.delivered(),
        "beyond",
        bounds(progress.beyond()));
  }

  private static List<Long> bounds(Positions positions) {
    List<Long> bounds = new ArrayList<>();
    for (Span span : positions.spans()) {
      bounds.add(span.from());
      bounds.add(span.to());
    }
    return bounds;
  }

  static Checkpoint parse(String text) {
    try {
      JsonObject json = JsonObject.parse("checkpoint", "checkpoint", text.getBytes(UTF_8));
      if (!json.text("format").equals(FORMAT)) {
        throw json.wrong("its format is not \"" + FORMAT + "\"");
      }
      if (json.number("version") != VERSION) {
        throw json.wrong(
            "its version is %d, this SDK knows version %d; use the SDK that made it"
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
      throw json.wrong("\"uneven\" is \"" + uneven + "\", expected drop or pad");
    }
    Assignment assignment =
        new Assignment(left, rank(json, "number"), rank(json, "of"), uneven.equals(PADDED));
    return new Progress(assignment, json.number("delivered"), positions(json, "beyond"));
  }

  private static int rank(JsonObject json, String field) throws ShardFormatException {
    long rank = json.number(field);
    if (rank != (int) rank) {
      throw json.wrong("\"" + field + "\" is " + rank + ", which does not fit 32 bits");
    }
    return (int) rank;
  }
}
