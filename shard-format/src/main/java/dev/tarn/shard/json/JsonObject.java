package dev.tarn.shard.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, read with messages that name a missing field or a wrong type. Fields
 * that are not read are ignored.
 */
public final class JsonObject {
  /** Maximum nesting depth; Tarn's files nest less. */
  private static final int MAXIMUM_DEPTH = 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();

  private final String source;
  private final long offset;
  private final Map<String, Object> values = new HashMap<>();

  private JsonObject(String source, long offset) {
    this.source = source;
    this.offset = offset;
  }

  /**
   * Parses a file that is one JSON object.
   *
   * @param source its name in messages
   * @param what the type of the file, in messages
   */
  public static JsonObject parse(String source, String what, byte[] bytes)
      throws ShardFormatException {
    try (JsonParser json = FACTORY.createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new ShardFormatException(source, 0, "no " + what + ": it is not a JSON object");
      }
      JsonObject fields = object(source, json, 0);
      if (json.nextToken() != null) {
        throw fields.wrong("something follows the " + what + "'s JSON object");
      }
      return fields;
    } catch (JsonProcessingException e) {
      long offset = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
      throw new ShardFormatException(source, offset, "the " + what + " is not JSON: " + problem(e));
    } catch (ShardFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new ShardFormatException(
          source, 0, "the " + what + " is not readable: " + e.getMessage());
    }
  }

  /** Returns Jackson's message; its references to a source keep only the location. */
  public static String problem(JsonProcessingException failure) {
    return failure.getOriginalMessage().replaceAll("\\[Source: [^;]*; ([^\\]]*)\\]", "$1");
  }

  private static JsonObject object(String source, JsonParser json, int depth) throws IOException {
    JsonObject fields = new JsonObject(source, json.currentTokenLocation().getByteOffset());
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      fields.put(name, value(source, json, depth));
    }
    return fields;
  }

  private static Object value(String source, JsonParser json, int depth) throws IOException {
    if (depth > MAXIMUM_DEPTH) {
      throw new ShardFormatException(
          source, json.currentTokenLocation().getByteOffset(), "JSON nests too deep");
    }
    return switch (json.currentToken()) {
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT -> json.getLongValue();
      case START_OBJECT -> object(source, json, depth + 1);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(source, json, depth + 1));
        }
        yield list;
      }
      default -> json.currentToken();
    };
  }

  /** Adds a value: a String, Long, JsonObject or List; other types are kept as unknown. */
  private void put(String name, Object value) throws ShardFormatException {
    if (values.put(name, value) != null) {
      throw wrong("the field \"" + name + "\" appears twice");
    }
  }

  /** Returns the text of a field. */
  public String text(String name) throws ShardFormatException {
    return require(name, String.class, "text");
  }

  /** Returns the whole number of a field. */
  public long number(String name) throws ShardFormatException {
    return require(name, Long.class, "a whole number");
  }

  /** Returns the object of a field. */
  public JsonObject object(String name) throws ShardFormatException {
    return require(name, JsonObject.class, "an object");
  }

  /** Returns a list of objects; fails for other elements. */
  public List<JsonObject> objects(String name) throws ShardFormatException {
    return list(name, JsonObject.class, "an object");
  }

  /** Returns a list of texts; fails for other elements. */
  public List<String> texts(String name) throws ShardFormatException {
    return list(name, String.class, "text");
  }

  /** Returns a list of whole numbers; fails for other elements. */
  public List<Long> numbers(String name) throws ShardFormatException {
    return list(name, Long.class, "a whole number");
  }

  private <T> List<T> list(String name, Class<T> type, String expected)
      throws ShardFormatException {
    List<T> items = new ArrayList<>();
    for (Object item : list(name)) {
      if (!type.isInstance(item)) {
        throw wrong("\"" + name + "\" contains a value that is not " + expected);
      }
      items.add(type.cast(item));
    }
    return items;
  }

  /** Returns the list of a field; its elements may have any type. */
  public List<?> list(String name) throws ShardFormatException {
    return require(name, List.class, "a list");
  }

  /** Returns the text of an optional field. */
  public Optional<String> optionalText(String name) throws ShardFormatException {
    return values.containsKey(name) ? Optional.of(text(name)) : Optional.empty();
  }

  /** Returns the object of an optional field. */
  public Optional<JsonObject> optionalObject(String name) throws ShardFormatException {
    return values.containsKey(name) ? Optional.of(object(name)) : Optional.empty();
  }

  /** Returns all fields; fails unless all are texts. */
  public SortedMap<String, String> texts() throws ShardFormatException {
    SortedMap<String, String> texts = new TreeMap<>();
    for (String name : values.keySet()) {
      texts.put(name, text(name));
    }
    return texts;
  }

  private <T> T require(String name, Class<T> type, String expected) throws ShardFormatException {
    @Nullable Object value = values.get(name);
    if (value == null) {
      throw wrong("the field \"" + name + "\" is missing");
    }
    if (!type.isInstance(value)) {
      throw wrong("the field \"" + name + "\" is not " + expected);
    }
    return type.cast(value);
  }

  /** Returns an error with the place of this object. */
  public ShardFormatException wrong(String problem) {
    return new ShardFormatException(source, offset, problem);
  }
}
