package dev.tarn.shard.manifest;

import dev.tarn.shard.ShardFormatException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of one JSON object, with messages that name what is missing or of another type. */
final class JsonFields {
  private final String source;
  private final long offset;
  private final Map<String, Object> values = new HashMap<>();

  JsonFields(String source, long offset) {
    this.source = source;
    this.offset = offset;
  }

  /** Takes a value: a String, a Long, a JsonFields or a List; another is kept as unknown. */
  void put(String name, Object value) throws ShardFormatException {
    if (values.put(name, value) != null) {
      throw wrong("the field \"" + name + "\" is there twice");
    }
  }

  String text(String name) throws ShardFormatException {
    return require(name, String.class, "text");
  }

  long number(String name) throws ShardFormatException {
    return require(name, Long.class, "a whole number");
  }

  JsonFields object(String name) throws ShardFormatException {
    return require(name, JsonFields.class, "an object");
  }

  List<?> list(String name) throws ShardFormatException {
    return require(name, List.class, "a list");
  }

  Optional<String> optionalText(String name) throws ShardFormatException {
    return values.containsKey(name) ? Optional.of(text(name)) : Optional.empty();
  }

  Optional<JsonFields> optionalObject(String name) throws ShardFormatException {
    return values.containsKey(name) ? Optional.of(object(name)) : Optional.empty();
  }

  /** All fields, of which each must be text. */
  SortedMap<String, String> texts() throws ShardFormatException {
    SortedMap<String, String> texts = new TreeMap<>();
    for (String name : values.keySet()) {
      texts.put(name, text(name));
    }
    return texts;
  }

  int crc32c(String name) throws ShardFormatException {
    String text = text(name);
    if (!text.matches("[0-9a-f]{8}")) {
      throw wrong("the field \"" + name + "\": expected 8 hexadecimal digits");
    }
    return HexFormat.fromHexDigits(text);
  }

  Sha256 sha256(String name) throws ShardFormatException {
    try {
      return new Sha256(text(name));
    } catch (IllegalArgumentException e) {
      throw wrong("the field \"" + name + "\": " + e.getMessage());
    }
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

  ShardFormatException wrong(String problem) {
    return new ShardFormatException(source, offset, problem);
  }
}
