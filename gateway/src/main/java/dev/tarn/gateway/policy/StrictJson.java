package dev.tarn.gateway.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses JSON strictly: one object of objects, lists, texts and whole numbers, without duplicate
 * fields, of limited depth. Text that two parsers could read differently is refused.
 */
public final class StrictJson {
  /** The values of a statement's condition have the greatest depth. */
  private static final int DEPTH_MAX = 8;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          // With this feature, the factory would keep all field names forever, and clients choose
          // these names.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  private StrictJson() {}

  /** A value. */
  public sealed interface Value {}

  /** An object with its fields in their order. */
  public record Fields(Map<String, Value> byName) implements Value {}

  /** A list. */
  public record Items(List<Value> values) implements Value {}

  /** A text. */
  public record Text(String text) implements Value {}

  /** A whole number. */
  public record Whole(long number) implements Value {}

  /**
   * Parses a document; the caller limits its size.
   *
   * @throws IOException if the document has another form
   */
  public static Fields read(byte[] document) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text(document))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the first byte must be '{'");
      }
      Fields fields = fields(parser);
      if (parser.nextToken() != null) {
        throw new IOException("bytes follow its end");
      }
      return fields;
    }
  }

  private static String text(byte[] document) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString();
  }

  private static Fields fields(JsonParser parser) throws IOException {
    Map<String, Value> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return new Fields(fields);
  }

  private static Value value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return fields(parser);
    }
    if (token == JsonToken.START_ARRAY) {
      List<Value> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(value(parser));
      }
      return new Items(items);
    }
    if (token == JsonToken.VALUE_STRING) {
      return new Text(parser.getText());
    }
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return new Whole(parser.getLongValue());
    }
    throw new IOException("a value is not an object, list, text or whole number");
  }
}
