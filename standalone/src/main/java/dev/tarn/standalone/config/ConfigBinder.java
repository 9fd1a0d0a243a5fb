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
 * Makes a configuration record out of settings. The records are the schema: each component is a
 * key, a record within a record a section, a list of records a list of sections; the values of a
 * default instance are the defaults. A component may be a text, number, truth value, enum, path,
 * URL or duration, an Optional or a List of these, or a record.
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
   * The defaults with the settings in their place.
   *
   * @throws ConfigException if a setting has no key or no legal value
   */
  public static <R extends Record> BoundConfig<R> bind(R defaults, Settings settings)
      throws ConfigException {
    Keys keys = Keys.of(defaults.getClass());
    Problems problems = new Problems(keys);
    ObjectMapper mapper = RecordMapper.of(problems);
    ConfigBinder binder = new ConfigBinder(keys, problems, mapper.valueToTree(defaults));
    List<EffectiveSetting> effective =
        keys.names().flatMap(key -> binder.effective(key, settings)).toList();
    settings.all().forEach(binder::replace);
    try {
      @SuppressWarnings("unchecked") // The class of the defaults.
      R bound = (R) mapper.treeToValue(binder.tree, defaults.getClass());
      if (problems.messages().isEmpty()) {
        return new BoundConfig<>(bound, effective);
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(defaults.getClass() + " is no configuration record", e);
    }
    throw new ConfigException(problems.messages());
  }

  /** Puts a setting into the tree, or notes why it cannot be there. */
  private void replace(String key, Setting setting) {
    JsonPointer place = pointer(key);
    if (!keys.has(key)) {
      problems.add(key, setting.origin() + ": " + keys.refusal(key));
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

  /** The value in force under a key, or the values of its items where a file lists them. */
  private Stream<EffectiveSetting> effective(String key, Settings settings) {
    boolean secret = keys.isSecret(key);
    List<String> given =
        settings.all().keySet().stream()
            .filter(each -> each.equals(key) || each.startsWith(key + "["))
            .toList();
    if (given.isEmpty()) {
      JsonNode value = tree.at(pointer(key));
      return Stream.of(
          new EffectiveSetting(key, show(key, value), EffectiveSetting.DEFAULT, secret));
    }
    return given.stream()
        .map(each -> {
          Setting setting = settings.get(each).orElseThrow();
          return new EffectiveSetting(each, setting.text(), setting.origin(), secret);
        });
  }

  private String show(String key, JsonNode value) {
    return value instanceof POJONode pojo
        ? keys.show(key, pojo.getPojo())
        : String.join(",", value.valueStream().map(item -> show(key, item)).toList());
  }
}
