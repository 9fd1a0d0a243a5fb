package dev.tarn.sharder.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.plan.option.PlanOptionTexts;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A plan's header as ASCII JSON with a fixed order of fields. */
final class PlanHeaderJson {
  private static final String ENCODER = "encoder";
  private static final String DESTINATION = "destination";
  private static final String BASE = "base";
  private static final String SOURCES = "sources";
  private static final String OPTIONS = "options";
  private static final String OUTSIDE = "outside";
  private static final String LEFT_OUT = "left_out";
  private static final String MISSING = "missing";
  private static final String PRESENT = "present";
  private static final String SKIPPED = "skipped";
  private static final String CLASSES = "classes";

  /** Suffix of the field that has a few examples of what another field counts. */
  private static final String FIRST = "_first";

  private static final String SAMPLES = "samples";
  private static final String MEMBERS = "members";
  private static final String FILE_BYTES = "file_bytes";
  private static final String LARGEST_SAMPLE = "largest_sample";

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private PlanHeaderJson() {}

  static byte[] write(PlanHeader header) {
    // Names may have lone surrogates: Jackson's byte generator rejects them, its text generator
    // escapes them.
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField(ENCODER, header.encoder());
      json.writeStringField(DESTINATION, header.destination());
      if (header.base().isPresent()) {
        json.writeStringField(BASE, header.base().orElseThrow().hex());
      }
      writeStrings(json, SOURCES, header.sources());
      json.writeObjectFieldStart(OPTIONS);
      for (Map.Entry<String, String> option : header.options().texts().entrySet()) {
        json.writeStringField(option.getKey(), option.getValue());
      }
      json.writeEndObject();
      writeTally(json, OUTSIDE, header.findings().outside());
      writeTally(json, LEFT_OUT, header.findings().leftOut());
      writeTally(json, MISSING, header.findings().missing());
      json.writeNumberField(PRESENT, header.findings().present());
      json.writeNumberField(SKIPPED, header.findings().skipped());
      writeStrings(json, CLASSES, header.classes());
      json.writeNumberField(SAMPLES, header.samples());
      json.writeNumberField(MEMBERS, header.members());
      json.writeNumberField(FILE_BYTES, header.fileBytes());
      json.writeNumberField(LARGEST_SAMPLE, header.largestSample());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static void writeTally(JsonGenerator json, String name, Tally tally) throws IOException {
    json.writeNumberField(name, tally.count());
    writeStrings(json, name + FIRST, tally.first());
  }

  private static void writeStrings(JsonGenerator json, String name, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if it is not JSON
   * @throws IllegalArgumentException if a field is missing or invalid
   */
  static PlanHeader read(byte[] bytes) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    Map<String, List<String>> lists = new TreeMap<>();
    Map<String, String> options = new TreeMap<>();
    try (JsonParser json = FACTORY.createParser(bytes)) {
      require(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        switch (json.nextToken()) {
          case START_ARRAY -> lists.put(name, readStrings(json));
          case START_OBJECT -> {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
              options.put(json.currentName(), json.nextTextValue());
            }
          }
          case null -> throw new IllegalArgumentException("the header is cut short");
          default -> texts.put(name, json.getText());
        }
      }
    }
    return new PlanHeader(
        take(texts, ENCODER),
        take(texts, DESTINATION),
        Optional.ofNullable(texts.get(BASE)).map(Sha256::new),
        take(lists, SOURCES),
        PlanOptionTexts.parse(options),
        new PlanningFindings(
            tally(texts, lists, OUTSIDE),
            tally(texts, lists, LEFT_OUT),
            tally(texts, lists, MISSING),
            Long.parseLong(take(texts, PRESENT)),
            Long.parseLong(take(texts, SKIPPED))),
        take(lists, CLASSES),
        Long.parseLong(take(texts, SAMPLES)),
        Long.parseLong(take(texts, MEMBERS)),
        Long.parseLong(take(texts, FILE_BYTES)),
        Long.parseLong(take(texts, LARGEST_SAMPLE)));
  }

  private static Tally tally(
      Map<String, String> texts, Map<String, List<String>> lists, String name) {
    return new Tally(Long.parseLong(take(texts, name)), take(lists, name + FIRST));
  }

  private static List<String> readStrings(JsonParser json) throws IOException {
    List<String> values = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      values.add(json.getText());
    }
    return values;
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("the header is no JSON object");
    }
  }

  private static <T> T take(Map<String, T> fields, String name) {
    T value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the header has no " + name);
    }
    return value;
  }
}
