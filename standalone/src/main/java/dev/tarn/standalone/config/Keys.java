package dev.tarn.standalone.config;

import dev.tarn.cluster.control.BucketSetting;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The keys of a configuration record, in the order of its components. The items of a list are
 * written as {@code buckets[]}, their components as {@code buckets[].name}.
 */
public final class Keys {
  /** An unknown key gets a suggestion if at most this many edits lead to a known key. */
  private static final int DISTANCE_MAX = 6;

  /** The cost of finding a key by its last name alone: more than a usual spelling mistake. */
  private static final int OTHER_SECTION_DISTANCE = 3;

  private final Map<String, RecordComponent> byName = new LinkedHashMap<>();

  private Keys() {}

  /** The keys of a record type. */
  public static Keys of(Class<?> type) {
    Keys keys = new Keys();
    keys.collect(type, "");
    return keys;
  }

  private void collect(Class<?> type, String prefix) {
    for (RecordComponent component : type.getRecordComponents()) {
      String key = prefix + ComponentName.of(component.getName()).key();
      String item = component.getType() == List.class ? key + "[]" : key;
      if (component.getType() == List.class) {
        byName.put(key, component);
      }
      PartOf whole = component.getAnnotation(PartOf.class);
      if (whole != null) {
        collectSettings(whole.value(), key + ".");
      } else if (isSection(component)) {
        collect(itemType(component), item + ".");
      } else {
        byName.put(item, component);
      }
    }
  }

  private void collectSettings(Class<? extends Record> type, String prefix) {
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.isAnnotationPresent(BucketSetting.class)) {
        byName.put(prefix + ComponentName.of(component.getName()).key(), component);
      }
    }
  }

  /** The type of a component, or of what it holds if it is an Optional or a List. */
  static Class<?> itemType(RecordComponent component) {
    return component.getGenericType() instanceof ParameterizedType generic
        ? (Class<?>) generic.getActualTypeArguments()[0]
        : component.getType();
  }

  /** Whether a component holds further components, and not a value that has a text format. */
  static boolean isSection(RecordComponent component) {
    Class<?> type = itemType(component);
    return type.isRecord() && !ValueFormat.types().contains(type);
  }

  /** Every key except the keys of list items. */
  Stream<String> names() {
    return byName.keySet().stream().filter(name -> !name.contains("[]"));
  }

  boolean has(String key) {
    return byName.containsKey(withoutIndexes(key));
  }

  boolean isList(String key) {
    return has(key + "[]");
  }

  boolean isOptional(String key) {
    return component(key).getType() == Optional.class;
  }

  boolean isSecret(String key) {
    RecordComponent component = component(key);
    return ComponentName.of(component.getName()).isSecret() && itemType(component) == String.class;
  }

  /** Describes a valid value of a key, or of an item of its list. */
  String expectation(String key) {
    return format(key).expectation();
  }

  /**
   * Parses the text of a key's value.
   *
   * @throws IllegalArgumentException if the text is not a valid value
   */
  Object parse(String key, String text) {
    return format(key).parse().apply(text);
  }

  /** Writes a key's value as text that {@link #parse} reads. */
  String show(String key, Object value) {
    return format(key).show().apply(value);
  }

  private ValueFormat format(String key) {
    RecordComponent component = component(key);
    return ValueFormat.of(ComponentName.of(component.getName()), itemType(component));
  }

  private RecordComponent component(String key) {
    return Optional.ofNullable(byName.get(withoutIndexes(key))).orElseThrow();
  }

  boolean isListOfSections(String key) {
    return firstWithin(key + "[]").isPresent();
  }

  private Optional<String> firstWithin(String section) {
    String prefix = withoutIndexes(section) + ".";
    return byName.keySet().stream().filter(name -> name.startsWith(prefix)).findFirst();
  }

  /** Why an unknown key cannot be set, with a suggestion if a known key is similar. */
  String refusal(String key) {
    Optional<String> first = firstWithin(key);
    if (first.isPresent()) {
      return "'%s' is a section and takes no value; set keys within it, such as '%s'"
          .formatted(key, first.orElseThrow());
    }
    String suggestion = nearest(key).map(near -> "; did you mean '" + near + "'?").orElse("");
    return "unknown key '" + key + "'" + suggestion;
  }

  Optional<String> ofVariable(String suffix) {
    return byName.keySet().stream().filter(name -> variableSuffix(name).equals(suffix)).findFirst();
  }

  /** The suffix of the variable most similar to the wrong one; empty if none is similar. */
  Optional<String> nearestVariable(String wrong) {
    return nearest(name -> distance(wrong, variableSuffix(name))).map(Keys::variableSuffix);
  }

  static String variableSuffix(String key) {
    return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** The known key most similar to the wrong one; empty if none is similar. */
  private Optional<String> nearest(String wrong) {
    String key = withoutIndexes(wrong);
    return nearest(name ->
        Math.min(
            distance(key, name), OTHER_SECTION_DISTANCE + distance(lastOf(key), lastOf(name))));
  }

  private Optional<String> nearest(ToIntFunction<String> distance) {
    return byName.keySet().stream()
        .filter(name -> distance.applyAsInt(name) <= DISTANCE_MAX)
        .min(Comparator.comparingInt(distance));
  }

  private static String withoutIndexes(String key) {
    return key.replaceAll("\\[\\d+]", "[]");
  }

  private static String lastOf(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /** The Levenshtein distance: insertions, deletions and replacements of one character. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
