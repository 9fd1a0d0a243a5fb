package dev.tarn.standalone.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A setting of a bucket is declared in one file; what else names it uses it or is generated. */
class SettingFilesTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern HIDE_BACKEND = Pattern.compile("hide[-_]?[bB]ackend");

  @Test
  void oneFileDeclaresASettingAndOneUsesItAndTwoAreGenerated() throws IOException {
    List<String> named = new ArrayList<>();
    for (Path part : parts()) {
      try (Stream<Path> files = Files.walk(part)) {
        files
            .filter(Files::isRegularFile)
            .filter(SettingFilesTest::namesTheSetting)
            .map(file -> REPOSITORY.relativize(file).toString())
            .forEach(named::add);
      }
    }

    assertThat(named)
        .containsExactlyInAnyOrder(
            "cluster/src/main/java/dev/tarn/cluster/control/BucketSettings.java",
            "gateway/src/main/java/dev/tarn/gateway/s3/object/ObjectHeaders.java",
            "docs/CONFIGURATION.md",
            "helm/tarn/values.schema.json");
  }

  /** The sources of all modules, the chart, and the document of the configuration. */
  private static List<Path> parts() throws IOException {
    List<Path> parts = new ArrayList<>();
    parts.add(REPOSITORY.resolve("helm"));
    parts.add(REPOSITORY.resolve("docs/CONFIGURATION.md"));
    try (Stream<Path> modules = Files.list(REPOSITORY)) {
      modules.map(module -> module.resolve("src/main")).filter(Files::exists).forEach(parts::add);
    }
    return parts;
  }

  private static boolean namesTheSetting(Path file) {
    try {
      return HIDE_BACKEND.matcher(Files.readString(file, ISO_8859_1)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
