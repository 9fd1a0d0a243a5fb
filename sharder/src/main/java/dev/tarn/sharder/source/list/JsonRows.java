package dev.tarn.sharder.source.list;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of JSON: an object whose fields are columns, or just a string, which is a URL. Nested
 * objects and arrays stay JSON; a null field is treated as missing.
 */
final class JsonRows implements ListRows {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private static final Pattern NOT_A_NUMBER =
      Pattern.compile("Non-standard token '([^']*)': enable");

  private final String list;
  private final Lines lines;
  private final String column;

  /**
   * @param column the column of a line that is just a string
   */
  JsonRows(String list, InputStream stream, String column) {
    this.list = list;
    this.lines = new Lines(list, stream);
    this.column = column;
  }

  @Override
  public @Nullable ListRow next() throws IOException {
    for (byte[] line; (line = lines.next()) != null; ) {
      try (JsonParser parser = JSON.createParser(line)) {
        JsonToken first = parser.nextToken();
        if (first != null) {
          ListRow row = new ListRow(lines.number(), cells(parser, first));
          if (parser.nextToken() != null) {
            throw wrong("more than one value");
          }
          return row;
        }
      } catch (JsonProcessingException e) {
        throw wrong("no JSON: " + reason(e));
      }
    }
    return null;
  }

  private Map<String, String> cells(JsonParser parser, JsonToken first) throws IOException {
    if (first == JsonToken.VALUE_STRING) {
      return Map.of(column, parser.getText());
    }
    if (first != JsonToken.START_OBJECT) {
      throw wrong("neither a JSON object nor a string");
    }
    Map<String, String> cells = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value != JsonToken.VALUE_NULL) {
        cells.put(name, text(parser, value));
      }
    }
    return cells;
  }

  private static String text(JsonParser parser, JsonToken value) throws IOException {
    if (!value.isStructStart()) {
      return parser.getText();
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  /** The parser's reason, without names of its own options. */
  private static String reason(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    Matcher odd = NOT_A_NUMBER.matcher(message);
    return odd.find() ? odd.group(1) + " is no number in JSON; use null or a string" : message;
  }

  private IOException wrong(String what) {
    return new IOException("%s line %d: %s".formatted(list, lines.number(), what));
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
