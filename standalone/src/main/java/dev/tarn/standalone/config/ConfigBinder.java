package dev.tarn.standalone.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a configuration record out of settings. The records are the schema: each component is a
 * key, a record within a record a section, a list of records a list of sections; the values of a
 * default instance are the defaults. A component may be a text, number, truth value, enum, path,
 * URL or duration, an Optional or a List of these, or a record.
 *
 * <p>All problems are gathered, so that one start tells them all.
 */
public final class ConfigBinder {
  private final Settings settings;
  private final List<EffectiveSetting> effective = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  private ConfigBinder(Settings settings) {
    this.settings = settings;
  }

  /**
   * The defaults with the settings in their place.
   *
   * @throws ConfigException if a setting has no key or no legal value
   */
  public static <R extends Record> BoundConfig<R> bind(R defaults, Settings settings)
      throws ConfigException {
    ConfigBinder binder = new ConfigBinder(settings);
    @Nullable Object bound = binder.section(defaults.getClass(), "", defaults);
    binder.refuseUnknownKeys(keys(defaults));
    if (!binder.problems.isEmpty() || bound == null) {
      throw new ConfigException(binder.problems);
    }
    @SuppressWarnings("unchecked") // A section is an instance of the class asked for.
    R value = (R) bound;
    return new BoundConfig<>(value, binder.effective);
  }

  /** Every key that may be set. */
  public static Keys keys(Record defaults) {
    List<String> names = new ArrayList<>();
    collectKeys(defaults.getClass(), "", names);
    return new Keys(names);
  }

  private static void collectKeys(Class<?> type, String prefix, List<String> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      Class<?> item = itemType(component);
      String key = key(prefix, component);
      if (!item.isRecord()) {
        names.add(key);
        if (component.getType() == List.class) {
          names.add(key + "[]");
        }
      } else if (component.getType() == List.class) {
        names.add(key);
        collectKeys(item, key + "[]", names);
      } else {
        collectKeys(item, key, names);
      }
    }
  }

  private void refuseUnknownKeys(Keys keys) {
    settings
        .all()
        .forEach((key, setting) -> {
          if (keys.isSection(key)) {
            problems.add(
                setting.origin()
                    + ": '"
                    + key
                    + "' is a section and takes no value; set keys within it, such as '"
                    + keys.firstWithin(key)
                    + "'");
          } else if (!keys.has(key)) {
            problems.add(
                setting.origin()
                    + ": unknown key '"
                    + key
                    + "'"
                    + keys.nearest(key).map(near -> "; did you mean '" + near + "'?").orElse(""));
          }
        });
  }

  /** The record under the prefix, or null after a problem. */
  private @Nullable Object section(Class<?> type, String prefix, @Nullable Object defaults) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] arguments = new Object[components.length];
    int problemsBefore = problems.size();
    for (int i = 0; i < components.length; i++) {
      @Nullable Object byDefault = defaults == null ? null : read(components[i], defaults);
      arguments[i] = component(components[i], key(prefix, components[i]), byDefault);
    }
    return problems.size() > problemsBefore ? null : construct(type, prefix, arguments);
  }

  private @Nullable Object component(
      RecordComponent component, String key, @Nullable Object byDefault) {
    Class<?> item = itemType(component);
    if (component.getType() == Optional.class) {
      return optional(component, item, key, inside(byDefault));
    } else if (component.getType() == List.class) {
      return list(component, item, key, (List<?>) byDefault);
    } else if (item.isRecord()) {
      return section(item, key, byDefault);
    }
    return value(component, item, key, byDefault);
  }

  private Optional<?> optional(
      RecordComponent component, Class<?> item, String key, @Nullable Object present) {
    if (!item.isRecord()) {
      Optional<Setting> setting = settings.get(key);
      boolean unset = setting.isEmpty() ? present == null : setting.orElseThrow().text().isEmpty();
      if (unset) {
        note(component, key, "", setting.map(Setting::origin).orElse(EffectiveSetting.DEFAULT));
        return Optional.empty();
      }
      return Optional.ofNullable(value(component, item, key, present));
    }
    if (present == null && !settings.anyWithin(key)) {
      noteUnset(item, key);
      return Optional.empty();
    }
    return Optional.ofNullable(section(item, key, present));
  }

  private static @Nullable Object inside(@Nullable Object optional) {
    return optional instanceof Optional<?> present ? present.orElse(null) : null;
  }

  private List<?> list(
      RecordComponent component, Class<?> item, String key, @Nullable List<?> byDefault) {
    if (settings.get(key).isPresent()) {
      return listOfText(component, item, key, settings.get(key).orElseThrow());
    }
    int count = settings.itemCount(key);
    if (count == 0) {
      List<?> items = byDefault == null ? List.of() : byDefault;
      note(component, key, show(component, item, items), EffectiveSetting.DEFAULT);
      return items;
    }
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String itemKey = key + "[" + i + "]";
      @Nullable Object bound =
          item.isRecord() ? section(item, itemKey, null) : value(component, item, itemKey, null);
      if (bound != null) {
        items.add(bound);
      }
    }
    return items;
  }

  /** A list as one text, as flags and environment give it: items between commas. */
  private List<?> listOfText(
      RecordComponent component, Class<?> item, String key, Setting setting) {
    List<Object> items = new ArrayList<>();
    if (item.isRecord() && !setting.text().isEmpty()) {
      problems.add(setting.origin() + ": " + key + " must be a list of sections, in a file");
      return items;
    }
    for (String text : setting.text().isEmpty() ? new String[0] : setting.text().split(",")) {
      @Nullable Object parsed =
          parse(component, item, key, new Setting(text.strip(), setting.origin()));
      if (parsed != null) {
        items.add(parsed);
      }
    }
    note(component, key, setting.text(), setting.origin());
    return items;
  }

  private @Nullable Object value(
      RecordComponent component, Class<?> type, String key, @Nullable Object byDefault) {
    Optional<Setting> setting = settings.get(key);
    if (setting.isPresent()) {
      note(component, key, setting.orElseThrow().text(), setting.orElseThrow().origin());
      return parse(component, type, key, setting.orElseThrow());
    }
    if (byDefault == null) {
      problems.add(key + " is missing; it must be " + format(component, type).expectation());
      return null;
    }
    note(component, key, show(component, type, byDefault), EffectiveSetting.DEFAULT);
    return byDefault;
  }

  private @Nullable Object parse(
      RecordComponent component, Class<?> type, String key, Setting setting) {
    ValueFormat format = format(component, type);
    try {
      return format.parse().apply(setting.text());
    } catch (IllegalArgumentException | ArithmeticException e) {
      boolean secret = ComponentName.of(component.getName()).isSecret();
      problems.add(
          setting.origin()
              + ": "
              + key
              + " is "
              + (secret ? "not usable" : "'" + setting.text() + "'")
              + ", must be "
              + format.expectation());
      return null;
    }
  }

  private static String show(RecordComponent component, Class<?> item, Object value) {
    if (value instanceof List<?> items) {
      return String.join(",", items.stream().map(each -> show(component, item, each)).toList());
    }
    return item.isRecord() ? "" : format(component, item).show().apply(value);
  }

  private void noteUnset(Class<?> type, String prefix) {
    for (RecordComponent component : type.getRecordComponents()) {
      Class<?> item = itemType(component);
      if (item.isRecord()) {
        noteUnset(item, key(prefix, component));
      } else {
        note(component, key(prefix, component), "", EffectiveSetting.DEFAULT);
      }
    }
  }

  private void note(RecordComponent component, String key, String text, String origin) {
    Class<?> item = itemType(component);
    String expectation = item.isRecord() ? "sections" : format(component, item).expectation();
    if (component.getType() == List.class) {
      expectation = "a list: " + expectation;
    }
    boolean secret = ComponentName.of(component.getName()).isSecret() && item == String.class;
    effective.add(new EffectiveSetting(key, text, origin, expectation, secret));
  }

  private static ValueFormat format(RecordComponent component, Class<?> type) {
    return ValueFormat.of(ComponentName.of(component.getName()), type)
        .orElseThrow(
            () -> new IllegalStateException("no text format for the component " + component));
  }

  private static String key(String prefix, RecordComponent component) {
    String key = ComponentName.of(component.getName()).key();
    return prefix.isEmpty() ? key : prefix + "." + key;
  }

  private static Class<?> itemType(RecordComponent component) {
    return component.getGenericType() instanceof ParameterizedType generic
        ? (Class<?>) generic.getActualTypeArguments()[0]
        : component.getType();
  }

  private static @Nullable Object read(RecordComponent component, Object instance) {
    try {
      return component.getAccessor().invoke(instance);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("configuration records are public", e);
    }
  }

  /** A record's own message, which names its components, in the words of the configuration. */
  private static String withKeys(Class<?> type, String message) {
    String named = message;
    for (RecordComponent component : type.getRecordComponents()) {
      String key = ComponentName.of(component.getName()).key();
      named = named.replaceAll("\\b" + component.getName() + "\\b", key);
    }
    return named;
  }

  private @Nullable Object construct(Class<?> type, String prefix, @Nullable Object[] arguments) {
    try {
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      return canonical.newInstance(arguments);
    } catch (InvocationTargetException e) {
      String section = prefix.isEmpty() ? "" : prefix + ": ";
      problems.add(section + withKeys(type, String.valueOf(e.getTargetException().getMessage())));
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("configuration records are public", e);
    }
  }
}
