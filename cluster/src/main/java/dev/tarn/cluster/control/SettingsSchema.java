package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.FieldReader;
import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.codec.MalformedMessageException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The settings that a record declares by {@link BucketSetting}. A component is a boolean, an enum,
 * a {@link Freshness}, a {@link CacheBound} or {@link CacheRules}; each value has a text form.
 *
 * @param <R> the record
 */
public final class SettingsSchema<R extends Record> {
  private final List<RecordComponent> components;
  private final Constructor<R> constructor;
  private final List<Entry> entries;

  private SettingsSchema(List<RecordComponent> components, Constructor<R> constructor) {
    this.components = components;
    this.constructor = constructor;
    this.entries =
        components.stream()
            .filter(component -> component.isAnnotationPresent(BucketSetting.class))
            .map(Entry::new)
            .sorted(Comparator.comparingInt(Entry::tag))
            .toList();
  }

  /** The settings that a record declares. */
  public static <R extends Record> SettingsSchema<R> of(Class<R> type) {
    List<RecordComponent> components = List.of(type.getRecordComponents());
    Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return new SettingsSchema<>(components, type.getDeclaredConstructor(types));
    } catch (NoSuchMethodException e) {
      throw new AssertionError("a record has its constructor", e);
    }
  }

  /** The text form of the values of a type that are too many to list. */
  private record TextForm(String pattern, String expectation, Function<String, Object> parse) {
    static final Map<Class<?>, TextForm> BY_TYPE =
        Map.of(
            Freshness.class,
            new TextForm(Freshness.PATTERN, Freshness.EXPECTATION, Freshness::parse),
            CacheBound.class,
            new TextForm(CacheBound.PATTERN, CacheBound.EXPECTATION, CacheBound::parse),
            CacheRules.class,
            new TextForm(CacheRules.PATTERN, CacheRules.EXPECTATION, CacheRules::parse));
  }

  /** A setting. */
  public static final class Entry {
    private final RecordComponent component;
    private final BucketSetting declared;

    private Entry(RecordComponent component) {
      this.component = component;
      this.declared = requireNonNull(component.getAnnotation(BucketSetting.class));
    }

    int tag() {
      return declared.tag();
    }

    /** The name: lower case with hyphens, as in options, declarations and the configuration. */
    public String name() {
      return nameOf(component);
    }

    /** The field of the admin API's JSON: the name with underscores. */
    public String field() {
      return name().replace('-', '_');
    }

    /** Describes the effect of the setting; begins with a small letter and has no full stop. */
    public String meaning() {
      return declared.meaning();
    }

    /** Whether its values are true and false. */
    public boolean isFlag() {
      return component.getType() == boolean.class;
    }

    /** The texts of all values; empty if there are too many to list. */
    public List<String> choices() {
      if (isFlag()) {
        return List.of("true", "false");
      }
      return component.getType().isEnum()
          ? Arrays.stream(component.getType().getEnumConstants()).map(Entry::text).toList()
          : List.of();
    }

    private Optional<TextForm> form() {
      return Optional.ofNullable(TextForm.BY_TYPE.get(component.getType()));
    }

    /** A pattern that the text of each value matches. */
    public String pattern() {
      return form().map(TextForm::pattern).orElseGet(() -> String.join("|", choices()));
    }

    /** Describes a valid text, behind "must be". */
    public String expectation() {
      return form().map(TextForm::expectation).orElseGet(() -> String.join(" or ", choices()));
    }

    /**
     * Parses the text of a value.
     *
     * @throws IllegalArgumentException if the text is not that of a value
     */
    public Object parse(String text) {
      Optional<TextForm> form = form();
      if (form.isPresent()) {
        return form.orElseThrow().parse().apply(text);
      }
      Stream<?> values =
          isFlag() ? Stream.of(true, false) : Arrays.stream(component.getType().getEnumConstants());
      return values
          .filter(value -> text(value).equals(text))
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException(
                  name() + " is '" + text + "', must be " + expectation()));
    }

    /** Writes a value as text. */
    private static String text(Object value) {
      return value instanceof Enum<?> constant
          ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
          : value.toString();
    }

    /** Its value in these settings, as JSON. */
    public Object jsonIn(Record settings) {
      return json(valueOf(component, settings));
    }

    /** A value as JSON: a boolean or a text. */
    public static Object json(Object value) {
      return value instanceof Boolean ? value : text(value);
    }

    /** The text of its value in these settings. */
    String textIn(Record settings) {
      return text(valueOf(component, settings));
    }
  }

  /** The settings in the order of their tags. */
  public List<Entry> entries() {
    return entries;
  }

  /**
   * Replaces some values.
   *
   * @param changed the new values by the names of their components
   * @throws IllegalArgumentException if a name is unknown, or the record refuses the values
   */
  public R with(R settings, Map<String, ?> changed) {
    List<String> names = components.stream().map(SettingsSchema::nameOf).toList();
    if (!names.containsAll(changed.keySet())) {
      throw new IllegalArgumentException(
          "settings are " + changed.keySet() + ", must be among " + names);
    }
    Object[] values =
        components.stream()
            .map(component -> {
              Object value = changed.get(nameOf(component));
              return value == null ? valueOf(component, settings) : value;
            })
            .toArray();
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      Throwable refusal = requireNonNull(e.getCause());
      throw new IllegalArgumentException(refusal.getMessage(), refusal);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(constructor + " cannot be called", e);
    }
  }

  /** Writes the text of each setting as a field. */
  void write(FieldWriter out, R settings) {
    entries.forEach(entry -> out.text(entry.tag(), entry.textIn(settings)));
  }

  /** Reads the fields of {@link #write}. A missing one has the value of {@code defaults}. */
  R read(FieldReader in, R defaults) throws MalformedMessageException {
    Map<String, Object> values = new HashMap<>();
    for (Entry entry : entries) {
      Optional<String> text = in.optionalText(entry.tag());
      if (text.isPresent()) {
        values.put(entry.name(), entry.parse(text.orElseThrow()));
      }
    }
    return with(defaults, values);
  }

  private static String nameOf(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static Object valueOf(RecordComponent component, Record settings) {
    try {
      return component.getAccessor().invoke(settings);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read", e);
    }
  }
}
