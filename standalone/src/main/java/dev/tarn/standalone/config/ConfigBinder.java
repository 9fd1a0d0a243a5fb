package dev.tarn.standalone.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonNode.OverwriteMode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Binds settings to a configuration record. The records are the schema: a component is a key, a
 * nested record is a section, and a list of records is a list of sections. The values of a default
 * instance are the defaults. A component is a text, number, boolean, enum, path, URL, duration or
 * record, or an Optional or a List of these.
 *
 * <p>Jackson writes the defaults as a tree, the settings replace values of the tree, and Jackson
 * reads the record from it.
 */
public final class ConfigBinder {
  private final Keys keys;
  private final Problems problems;
  private final ObjectNode tree;

  private ConfigBinder(Keys keys, Problems problems, ObjectNode tree) {
    this.keys = keys;
    this.problems = problems;
    this.tree = tree;
  }

  /**
   * Replaces values of the defaults by the settings.
   *
   * @throws ConfigException if a setting has an unknown key or an invalid value, or a required key
   *     is missing
   */
  public static <R extends Record> BoundConfig<R> bind(R defaults, Settings settings)
      throws ConfigException {
    Keys keys = Keys.of(defaults.getClass());
    Problems problems = new Problems(keys);
    ObjectMapper mapper = RecordMapper.of(problems);
    ConfigBinder binder = new ConfigBinder(keys, problems, mapper.valueToTree(defaults));
    settings.all().forEach(binder::replace);
    try {
      @SuppressWarnings("unchecked") // The class of the defaults.
      R bound = (R) mapper.treeToValue(binder.tree, defaults.getClass());
      if (problems.messages().isEmpty()) {
        return new BoundConfig<>(
            bound, keys.names().flatMap(key -> binder.effective(key, settings)).toList());
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(defaults.getClass() + " is no configuration record", e);
    }
    throw new ConfigException(problems.messages());
  }

  /** Puts a setting into the tree, or adds a problem if the setting is invalid. */
  private void replace(String key, Setting setting) {
    JsonPointer place = pointer(key);
    if (!keys.has(key)) {
      problems.addUnknown(setting.origin() + ": " + keys.refusal(key));
    } else if (keys.isListOfSections(key)) {
      section(place.head()).putArray(place.last().getMatchingProperty());
      if (!setting.text().isEmpty()) {
        problems.add(key, setting.origin() + ": " + key + " must be a list of sections, in a file");
      }
    } else if (keys.isList(key)) {
      ArrayNode items = section(place.head()).putArray(place.last().getMatchingProperty());
      if (!setting.text().isEmpty()) {
        for (String item : setting.text().split(",", 0)) {
          parse(key, new Setting(item.strip(), setting.origin()), items::addPOJO);
        }
      }
    } else if (place.last().mayMatchElement()) {
      if (place.last().getMatchingIndex() == 0) {
        section(place.head().head()).putArray(place.head().last().getMatchingProperty());
      }
      ArrayNode items = tree.withArray(place.head(), OverwriteMode.ALL, true);
      parse(key, setting, items::addPOJO);
    } else {
      ObjectNode section = section(place.head());
      String name = place.last().getMatchingProperty();
      if (setting.text().isEmpty() && keys.isOptional(key)) {
        section.putNull(name);
      } else {
        parse(key, setting, value -> section.putPOJO(name, value));
      }
    }
  }

  private void parse(String key, Setting setting, Consumer<Object> place) {
    try {
      place.accept(keys.parse(key, setting.text()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      String shown = keys.isSecret(key) ? "not usable" : "'" + setting.text() + "'";
      problems.add(
          key,
          "%s: %s is %s, must be %s"
              .formatted(setting.origin(), key, shown, keys.expectation(key)));
    }
  }

  private ObjectNode section(JsonPointer place) {
    return tree.withObject(place, OverwriteMode.ALL, true);
  }

  private static JsonPointer pointer(String key) {
    return JsonPointer.compile("/" + key.replace('.', '/').replace("[", "/").replace("]", ""));
  }

  /** The effective value of a key, or the effective values of a list's items. */
  private Stream<EffectiveSetting> effective(String key, Settings settings) {
    List<String> given =
        settings.all().keySet().stream()
            .filter(each -> each.equals(key) || each.startsWith(key + "["))
            .toList();
    if (given.isEmpty()) {
      JsonNode value = tree.at(pointer(key));
      return Stream.of(
          new EffectiveSetting(
              key, show(key, value), EffectiveSetting.DEFAULT, keys.isSecret(key)));
    }
    return given.stream()
        .map(each -> {
          Setting setting = settings.get(each).orElseThrow();
          return new EffectiveSetting(each, setting.text(), setting.origin(), keys.isSecret(each));
        });
  }

  private String show(String key, JsonNode value) {
    return value instanceof POJONode pojo
        ? keys.show(key, pojo.getPojo())
        : String.join(",", value.valueStream().map(item -> show(key, item)).toList());
  }
}
