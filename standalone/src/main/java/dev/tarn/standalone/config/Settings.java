package dev.tarn.standalone.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values by key, such as {@code gateway.limits.connections-max}; an item of a list has a key such
 * as {@code disks[0]}.
 */
public final class Settings {
  private static final String ENVIRONMENT_PREFIX = "TARN_SET_";

  private final Map<String, Setting> byKey;

  private Settings(Map<String, Setting> byKey) {
    this.byKey = Collections.unmodifiableMap(byKey);
  }

  /** No values. */
  public static Settings none() {
    return new Settings(Map.of());
  }

  static Settings of(Map<String, Setting> byKey) {
    return new Settings(new LinkedHashMap<>(byKey));
  }

  /**
   * Reads the settings among the environment variables, such as
   * TARN_SET_GATEWAY_LIMITS_REQUESTS_MAX. Kubernetes creates no variables with this prefix for a
   * service named tarn.
   *
   * @param environment all variables
   * @param keys the keys that may be set
   * @throws ConfigException if a variable has the prefix but names no key
   */
  public static Settings fromEnvironment(Map<String, String> environment, Keys keys)
      throws ConfigException {
    Map<String, Setting> byKey = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    environment.forEach((name, value) -> {
      if (name.startsWith(ENVIRONMENT_PREFIX)) {
        String suffix = name.substring(ENVIRONMENT_PREFIX.length());
        Optional<String> key = keys.ofVariable(suffix);
        if (key.isPresent()) {
          byKey.put(key.orElseThrow(), new Setting(value, "environment " + name));
        } else {
          problems.add(
              "environment variable "
                  + name
                  + " names no configuration key"
                  + keys.nearestVariable(suffix)
                      .map(near -> "; did you mean " + ENVIRONMENT_PREFIX + near + "?")
                      .orElse(""));
        }
      }
    });
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new Settings(byKey);
  }

  /** The environment variable that sets a key. */
  public static String variable(String key) {
    return ENVIRONMENT_PREFIX + Keys.variableSuffix(key);
  }

  /** A copy of these settings with one more, which replaces a former value of its key. */
  public Settings with(String key, String text, String origin) {
    return overlaidWith(new Settings(Map.of(key, new Setting(text, origin))));
  }

  /** A copy of these settings with the items of a list; unchanged if there are no items. */
  public Settings withList(String key, List<String> items, String origin) {
    Map<String, Setting> byItem = new LinkedHashMap<>();
    for (int i = 0; i < items.size(); i++) {
      byItem.put(key + "[" + i + "]", new Setting(items.get(i), origin));
    }
    return overlaidWith(new Settings(byItem));
  }

  /**
   * A copy of these settings in which the stronger ones take precedence. A list is replaced as a
   * whole.
   */
  public Settings overlaidWith(Settings stronger) {
    Map<String, Setting> merged = new LinkedHashMap<>(byKey);
    for (String key : stronger.byKey.keySet()) {
      merged.keySet().removeIf(weaker -> listOf(weaker).equals(listOf(key)));
    }
    merged.putAll(stronger.byKey);
    return new Settings(merged);
  }

  private static String listOf(String key) {
    int bracket = key.indexOf('[');
    return bracket < 0 ? key : key.substring(0, bracket);
  }

  Optional<Setting> get(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /** The text of the key's value; empty if it is not set. */
  public String text(String key) {
    return get(key).map(Setting::text).orElse("");
  }

  Map<String, Setting> all() {
    return byKey;
  }

  /** Whether a key equals the outer key, or lies in the outer section or list. */
  static boolean isWithin(String key, String outer) {
    return outer.isEmpty()
        || key.equals(outer)
        || key.startsWith(outer + ".")
        || key.startsWith(outer + "[");
  }
}
