package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The document of a request. Every field must be known and have the right type. */
record Fields(JsonObject document) {
  Fields {
    requireNonNull(document, "document is null");
  }

  /** Refuses fields with other names. */
  void allow(String... names) {
    Set<String> unknown = new TreeSet<>(document.fieldNames());
    for (String name : names) {
      unknown.remove(name);
    }
    if (!unknown.isEmpty()) {
      throw AdminProblem.wrongRequest(
          "unknown fields " + unknown + "; known are " + String.join(", ", names));
    }
  }

  boolean has(String name) {
    return document.containsKey(name);
  }

  String text(String name) {
    return optionalText(name)
        .orElseThrow(() -> AdminProblem.wrongRequest("the field '" + name + "' is missing"));
  }

  Optional<String> optionalText(String name) {
    Object value = document.getValue(name);
    if (value != null && !(value instanceof String)) {
      throw wrong(name, "a text");
    }
    return Optional.ofNullable((String) value);
  }

  boolean truth(String name, boolean otherwise) {
    return optionalTruth(name).orElse(otherwise);
  }

  Optional<Boolean> optionalTruth(String name) {
    Object value = document.getValue(name);
    if (value != null && !(value instanceof Boolean)) {
      throw wrong(name, "true or false");
    }
    return Optional.ofNullable((Boolean) value);
  }

  /** The texts of a list; empty if the field is missing. */
  List<String> texts(String name) {
    Object value = document.getValue(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof JsonArray list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    throw wrong(name, "a list of texts");
  }

  Optional<Fields> optionalSection(String name) {
    Object value = document.getValue(name);
    if (value != null && !(value instanceof JsonObject)) {
      throw wrong(name, "an object or null");
    }
    return Optional.ofNullable((JsonObject) value).map(Fields::new);
  }

  private AdminProblem wrong(String name, String right) {
    return AdminProblem.wrongRequest("the field '" + name + "' must be " + right);
  }
}
