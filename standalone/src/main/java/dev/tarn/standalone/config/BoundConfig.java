package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration and the origin of each of its values.
 *
 * @param <R> the record's type
 * @param value the record
 * @param settings every key, in the order of the records' components
 */
public record BoundConfig<R extends Record>(R value, List<EffectiveSetting> settings) {
  public BoundConfig {
    requireNonNull(value, "value is null");
    settings = List.copyOf(settings);
  }

  /** One line per key: the value and its origin, secrets hidden. */
  public String print() {
    int width = settings.stream().mapToInt(BoundConfig::length).max().orElse(0);
    return settings.stream()
        .map(setting -> line(setting, width))
        .collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
  }

  private static int length(EffectiveSetting setting) {
    return setting.key().length() + setting.shown().length() + 2;
  }

  private static String line(EffectiveSetting setting, int width) {
    return setting.key()
        + ": "
        + setting.shown()
        + " ".repeat(width - length(setting))
        + "  # "
        + setting.origin();
  }
}
