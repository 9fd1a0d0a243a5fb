package dev.tarn.client.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.tarn.shard.json.JsonObject;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of JSON and CBOR: maps in their order, lists, text, numbers, booleans, bytes, null.
 * Of equal names in a map the last one counts. Maps and lists are immutable.
 */
final class Values {
  /** Deeper nesting would exhaust the stack. */
  static final int DEPTH_MAX = 500;

  private Values() {}

  static @Nullable Object read(JsonFactory format, ByteBuffer data) throws IOException {
    try (JsonParser parser = format.createParser(Gunzip.stream(data))) {
      if (parser.nextToken() == null) {
        throw new EOFException("nothing is there");
      }
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new IOException("bytes follow the value");
      }
      return value;
    } catch (JsonProcessingException e) {
      long offset = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
      String where = offset < 0 ? "" : " at byte " + offset;
      throw new IOException(JsonObject.problem(e) + where, e);
    }
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> map(parser);
      case START_ARRAY -> list(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> wholeNumber(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_EMBEDDED_OBJECT -> parser.getBinaryValue();
      default -> throw new IOException("unexpected " + token);
    };
  }

  private static Number wholeNumber(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? parser.getBigIntegerValue()
        : (Number) parser.getLongValue();
  }

  private static Map<String, @Nullable Object> map(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    while (next(parser) != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      next(parser);
      map.put(name, value(parser));
    }
    return Collections.unmodifiableMap(map);
  }

  private static List<@Nullable Object> list(JsonParser parser) throws IOException {
    List<@Nullable Object> list = new ArrayList<>();
    while (next(parser) != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return Collections.unmodifiableList(list);
  }

  private static JsonToken next(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new EOFException("the value is cut short");
    }
    return token;
  }
}
