package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.internal.prefetch.PrefetchLimits;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The manual's table of the builder's settings. */
final class SettingsTableTest {
  private static final Path MANUAL = Path.of("..", "docs", "CLIENT_SDK.md");
  private static final Pattern CALL = Pattern.compile("`(\\w+)\\(([^)]*)\\)`");
  private static final Pattern CELLS = Pattern.compile("\\s*\\|\\s*");

  /** The first two cells of each row, the name of the method among them. */
  private record Row(String settings, String value) {
    List<MatchResult> calls() {
      return CALL.matcher(settings).results().toList();
    }
  }

  private static List<Row> rows() throws IOException {
    List<String> lines = Files.readAllLines(MANUAL);
    int heading = lines.indexOf("| setting | default | is |");
    return lines.subList(heading + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> CELLS.split(line, -1))
        .map(cells -> new Row(cells[1], cells[2]))
        .toList();
  }

  private static String signature(String name, int parameters) {
    return name + "/" + parameters;
  }

  private static String signature(MatchResult call) {
    String parameters = call.group(2);
    return signature(call.group(1), parameters.isEmpty() ? 0 : parameters.split(",", -1).length);
  }

  @Test
  void tableHasEverySettingOfTheBuilderAndNoOther() throws IOException {
    Set<String> settings =
        Arrays.stream(DatasetBuilder.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
            .filter(method -> method.getReturnType() == DatasetBuilder.class)
            .map(method -> signature(method.getName(), method.getParameterCount()))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> listed =
        rows().stream()
            .flatMap(row -> row.calls().stream())
            .map(SettingsTableTest::signature)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(listed).isEqualTo(settings);
    assertThat(DatasetBuilder.class.getDeclaredMethods())
        .filteredOn(method -> Modifier.isPublic(method.getModifiers()))
        .extracting(Method::getReturnType)
        .containsOnly(DatasetBuilder.class, ShardDataset.class);
  }

  @Test
  void defaultsAreThoseOfTheBuilder() throws IOException {
    Map<String, String> defaults = new HashMap<>();
    for (Row row : rows()) {
      row.calls().forEach(call -> defaults.put(call.group(1), row.value()));
    }

    DatasetBuilder builder = ShardDataset.builder();
    assertThat(defaults)
        .containsEntry("memoryBudget", ((long) field(builder, "memoryBudgetBytes") >> 20) + " MiB")
        .containsEntry("connections", field(builder, "connections").toString())
        .containsEntry(
            "shuffle", field(builder, "shuffle").equals(Shuffle.NONE) ? "`Shuffle.NONE`" : "")
        .containsEntry("seed", field(builder, "seed").toString())
        .containsEntry("resample", (boolean) field(builder, "resampled") ? "yes" : "no")
        .containsEntry("uneven", "`" + field(builder, "uneven") + "`")
        .containsEntry("verify", field(builder, "verify").toString())
        .containsEntry(
            "errors",
            field(builder, "errors").equals(ErrorPolicy.FAIL) ? "`ErrorPolicy.FAIL`" : "");
    assertThat(field(builder, "limit")).isEqualTo(OptionalLong.empty());
    assertThat(field(builder, "prefetchDepth")).isEqualTo(PrefetchLimits.UNBOUNDED_DEPTH);
  }

  private static Object field(DatasetBuilder builder, String name) {
    try {
      Field field = DatasetBuilder.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(builder);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
