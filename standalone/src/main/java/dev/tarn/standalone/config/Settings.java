package dev.tarn.standalone.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values by key, such as {@code gateway.limits.requests-max}; items of a list are {@code
 * cluster.targets[0].id}.
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
   * Those among the environment variables: TARN_SET_GATEWAY_LIMITS_REQUESTS_MAX. The prefix is one
   * that Kubernetes makes for no service by itself.
   *
   * @param environment all variables
   * @param keys the keys that may be set
   * @throws ConfigException if a variable has the prefix and names no key
   */
  public static Settings fromEnvironment(Map<String, String> environment, Keys keys)
      throws ConfigException {
    Map<String, Setting> byKey = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    environment.forEach((name, value) -> {
      if (name.startsWith(ENVIRONMENT_PREFIX)) {
        Optional<String> key = keys.ofVariable(name.substring(ENVIRONMENT_PREFIX.length()));
        if (key.isPresent()) {
          byKey.put(key.orElseThrow(), new Setting(value, "environment " + name));
        } else {
          problems.add("environment variable " + name + " names no configuration key");
        }
      }
    });
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new Settings(byKey);
  }

  /** The variable that sets a key. */
  public static String variable(String key) {
    return ENVIRONMENT_PREFIX + Keys.variableSuffix(key);
  }

  /** These with one more, which replaces what was under its key. */
  public Settings with(String key, String text, String origin) {
    return overlaidWith(new Settings(Map.of(key, new Setting(text, origin))));
  }

  /** These with the items of a list, unless there are none. */
  public Settings withList(String key, List<String> items, String origin) {
    Map<String, Setting> byItem = new LinkedHashMap<>();
    for (int i = 0; i < items.size(); i++) {
      byItem.put(key + "[" + i + "]", new Setting(items.get(i), origin));
    }
    return overlaidWith(new Settings(byItem));
  }

  /** These with those that come first; a list is replaced as a whole. */
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

  /** The text under the key, or an empty one. */
  public String text(String key) {
    return get(key).map(Setting::text).orElse("");
  }

  Map<String, Setting> all() {
    return byKey;
  }

  /** Whether a key is another one, or a key of that section or list. */
  static boolean isWithin(String key, String outer) {
    return outer.isEmpty()
        || key.equals(outer)
        || key.startsWith(outer + ".")
        || key.startsWith(outer + "[");
  }
}
