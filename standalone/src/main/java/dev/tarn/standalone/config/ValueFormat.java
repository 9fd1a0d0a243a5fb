package dev.tarn.standalone.config;

import dev.tarn.cluster.control.CacheBound;
import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.control.DurationText;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.SizeText;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The text format of values of one type.
 *
 * @param expectation describes a valid value, for messages and the documentation
 * @param parse parses a text; throws IllegalArgumentException if it is invalid
 * @param show writes a value as text that {@code parse} reads
 */
record ValueFormat(
    String expectation, Function<String, Object> parse, Function<Object, String> show) {
  private static final ValueFormat SIZE =
      new ValueFormat(
          "a size such as 64KiB or 5GiB", SizeText::parse, size -> SizeText.show((Number) size));
  private static final ValueFormat DURATION =
      new ValueFormat(
          "a duration such as 500ms, 30s or 15m",
          DurationText::parse,
          duration -> DurationText.show((Duration) duration));
  private static final ValueFormat WHOLE_NUMBER =
      new ValueFormat("a whole number", Long::valueOf, Object::toString);

  private static final ValueFormat TRUTH =
      new ValueFormat("true or false", ValueFormat::truth, Object::toString);

  private static final Map<Class<?>, ValueFormat> BY_TYPE =
      Map.ofEntries(
          Map.entry(String.class, new ValueFormat("a text", text -> text, Object::toString)),
          Map.entry(boolean.class, TRUTH),
          Map.entry(Boolean.class, TRUTH),
          Map.entry(Path.class, new ValueFormat("a path", ValueFormat::path, Object::toString)),
          Map.entry(URI.class, new ValueFormat("a URL", URI::create, Object::toString)),
          Map.entry(Duration.class, DURATION),
          Map.entry(
              Freshness.class,
              new ValueFormat(Freshness.EXPECTATION, Freshness::parse, Object::toString)),
          Map.entry(
              CacheBound.class,
              new ValueFormat(CacheBound.EXPECTATION, CacheBound::parse, Object::toString)),
          Map.entry(
              CacheRules.class,
              new ValueFormat(CacheRules.EXPECTATION, CacheRules::parse, Object::toString)),
          Map.entry(long.class, WHOLE_NUMBER),
          Map.entry(int.class, WHOLE_NUMBER),
          Map.entry(
              double.class,
              new ValueFormat("a number such as 0.15", Double::valueOf, Object::toString)));

  /** The types that have a format, enums included. */
  static Set<Class<?>> types() {
    Set<Class<?>> types = new HashSet<>(BY_TYPE.keySet());
    types.add(Enum.class);
    return types;
  }

  /** The format of a record's component, or of its items if it is an Optional or a List. */
  static ValueFormat of(ComponentName name, Class<?> type) {
    if (type.isEnum()) {
      return ofEnum(type);
    }
    if (type == long.class || type == int.class) {
      ValueFormat number =
          name.isSize() ? SIZE : name.isMilliseconds() ? milliseconds() : WHOLE_NUMBER;
      return type == int.class ? number.narrowed() : number;
    }
    return Optional.ofNullable(BY_TYPE.get(type))
        .orElseThrow(() -> new IllegalStateException("no text format for " + type));
  }

  private static ValueFormat milliseconds() {
    return new ValueFormat(
        DURATION.expectation,
        text -> DurationText.parse(text).toMillis(),
        value -> DurationText.show(Duration.ofMillis(((Number) value).longValue())));
  }

  private ValueFormat narrowed() {
    return new ValueFormat(
        equals(SIZE) ? "a size such as 64KiB, below 2GiB" : expectation,
        text -> Math.toIntExact(((Number) parse.apply(text)).longValue()),
        show);
  }

  private static ValueFormat ofEnum(Class<?> type) {
    Map<String, Object> byText =
        Arrays.stream(type.getEnumConstants())
            .collect(Collectors.toMap(ValueFormat::enumText, constant -> constant));
    String all = byText.keySet().stream().sorted().collect(Collectors.joining(", "));
    return new ValueFormat(
        "one of " + all,
        text ->
            Optional.ofNullable(byText.get(text))
                .orElseThrow(() -> new IllegalArgumentException("not among " + all)),
        ValueFormat::enumText);
  }

  private static String enumText(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Path path(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("empty");
    }
    return Path.of(text);
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }
}
