package dev.tarn.shard.manifest;

import dev.tarn.shard.ShardFormatException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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

  OptionalLong optionalNumber(String name) throws ShardFormatException {
    return values.containsKey(name) ? OptionalLong.of(number(name)) : OptionalLong.empty();
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
