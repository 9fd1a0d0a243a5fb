package dev.tarn.sharder.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The events of {@code --json}: one ASCII JSON object per line, whose first field is its name. */
public final class JsonEvent {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private JsonEvent() {}

  /** Returns fields in this order; the arguments alternate between names and values. */
  public static Map<String, Object> fields(Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }

  /**
   * Returns an event's line, without a line separator.
   *
   * @param fields texts, numbers, booleans, and collections and maps of these, in order
   */
  static String line(String event, Map<String, ?> fields) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("event", event);
      writeFields(json, fields);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return line.toString();
  }

  private static void writeFields(JsonGenerator json, Map<?, ?> fields) throws IOException {
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      json.writeFieldName(String.valueOf(field.getKey()));
      write(json, field.getValue());
    }
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      case Map<?, ?> map -> {
        json.writeStartObject();
        writeFields(json, map);
        json.writeEndObject();
      }
      case Collection<?> list -> {
        json.writeStartArray();
        for (Object element : list) {
          write(json, element);
        }
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }
}
