package dev.tarn.standalone.config;

import dev.tarn.cluster.control.BucketSetting;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes docs/CONFIGURATION.md out of the configuration records and their documentation. */
final class ConfigurationDocument {
  private static final String HEAD =
      """
      # Configuration

      Generated from the configuration records; `ConfigurationDocumentTest` holds it to them.

      A value comes from the first of these that gives one:

      1. a flag: `--listen`, `--data` and the others of `bin/tarn serve --help`, or
         `--set KEY=VALUE` for any key;
      2. an environment variable: `TARN_SET_` and the key in capitals with `_` for `.` and `-`,
         such as `TARN_SET_GATEWAY_LIMITS_REQUESTS_MAX=2048`;
      3. the file that `--config FILE` names, in YAML, where dots are nesting:

         ```yaml
         gateway:
           limits:
             connections-max: 8192
             body-bytes-max: 5GiB
         ```

      4. the default.

      Unknown keys are refused, with the nearest right one. Sizes have the units B, KiB, MiB, GiB,
      TiB, PiB and KB, MB, GB, TB, PB; durations ms, s, m, h, d. Lists are given in a file, or with
      commas between the items. `bin/tarn serve --print-config` shows every value and its origin,
      with secrets hidden.

      Not configuration but environment: `TARN_ACCESS_KEY` and `TARN_SECRET_KEY` give the first
      admin's key pair, `TARN_ADMIN_URL` tells the other commands where the admin listener is,
      `TARN_LOG` sets the level of the log (`debug`, `info`, `warn`, `error`), `TARN_JAVA_OPTS` adds
      options to the JVM's.

      """;

  private final Path repository;
  private final Map<String, EffectiveSetting> byKey;
  private final StringBuilder text = new StringBuilder(HEAD);

  private ConfigurationDocument(Path repository, Map<String, EffectiveSetting> byKey) {
    this.repository = repository;
    this.byKey = byKey;
  }

  static String of(Record defaults, Path repository) throws IOException, ConfigException {
    Map<String, EffectiveSetting> byKey =
        ConfigBinder.bind(defaults, Settings.none()).settings().stream()
            .collect(Collectors.toMap(EffectiveSetting::key, setting -> setting));
    ConfigurationDocument document = new ConfigurationDocument(repository, byKey);
    document.section(defaults.getClass(), "");
    return document.text.toString();
  }

  private void section(Class<?> type, String prefix) throws IOException {
    String comment = comment(type);
    if (!prefix.isEmpty()) {
      text.append("## ").append(prefix).append("\n\n").append(sentence(comment)).append("\n\n");
    }
    text.append("| key | value | default | meaning |\n|---|---|---|---|\n");
    for (RecordComponent component : type.getRecordComponents()) {
      if (!Keys.isSection(component)) {
        row(component, prefix, comment);
      }
    }
    text.append('\n');
    for (RecordComponent component : type.getRecordComponents()) {
      if (Keys.isSection(component)) {
        String items = component.getType() == List.class ? "[]" : "";
        section(Keys.itemType(component), key(prefix, component) + items);
      }
    }
  }

  private void row(RecordComponent component, String prefix, String comment) {
    String key = key(prefix, component);
    EffectiveSetting setting = byKey.get(key);
    ComponentName name = ComponentName.of(component.getName());
    String expectation = ValueFormat.of(name, Keys.itemType(component)).expectation();
    text.append("| `")
        .append(key)
        .append("` | ")
        .append(component.getType() == List.class ? "a list: " : "")
        .append(expectation)
        .append(" | ")
        .append(setting == null || setting.text().isEmpty() ? "" : "`" + setting.text() + "`")
        .append(" | ")
        .append(meaning(comment, component))
        .append(" |\n");
  }

  /** The comment in front of the record in its source. */
  private String comment(Class<?> type) throws IOException {
    String source = Files.readString(source(outermost(type)));
    Matcher declaration =
        Pattern.compile(
                "(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public )?record "
                    + type.getSimpleName()
                    + "\\(")
            .matcher(source);
    if (!declaration.find()) {
      throw new IllegalStateException(type + " has no documentation");
    }
    return declaration.group(1).replaceAll("(?m)^\\s*\\* ?", "").strip();
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return outer == null ? type : outermost(outer);
  }

  private Path source(Class<?> type) throws IOException {
    String name = "src/main/java/" + type.getName().replace('.', '/') + ".java";
    try (Stream<Path> modules = Files.list(repository)) {
      return modules
          .map(module -> module.resolve(name))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no source of " + type));
    }
  }

  private static String meaning(String comment, RecordComponent component) {
    BucketSetting setting = component.getAnnotation(BucketSetting.class);
    if (setting != null) {
      return plain(setting.meaning());
    }
    Matcher parameter =
        Pattern.compile("(?s)@param " + component.getName() + "\\s+(.*?)(?=\\n@|\\z)")
            .matcher(comment);
    if (!parameter.find()) {
      throw new IllegalStateException("nobody says what " + component.getName() + " is");
    }
    return plain(parameter.group(1));
  }

  private static String sentence(String comment) {
    Matcher first = Pattern.compile("(?s)^(.*?)(?=\n@param|\n\n|\\z)").matcher(comment);
    return first.find() ? plain(first.group(1)) : "";
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", " ")
        .replaceAll("\\{@code ([^}]*)}", "`$1`")
        .replaceAll("\\{@link (?:[^}]*#)?([^}]*)}", "`$1`")
        .replace("|", "\\|")
        .strip();
  }

  private static String key(String prefix, RecordComponent component) {
    String key = ComponentName.of(component.getName()).key();
    return prefix.isEmpty() ? key : prefix + "." + key;
  }
}
