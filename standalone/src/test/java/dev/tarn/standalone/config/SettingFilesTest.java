package dev.tarn.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    try (Stream<Path> files = Files.walk(REPOSITORY)) {
      List<String> named =
          files
              .map(REPOSITORY::relativize)
              .filter(SettingFilesTest::isOfTheProduct)
              .filter(SettingFilesTest::namesTheSetting)
              .map(Path::toString)
              .toList();

      assertThat(named)
          .containsExactlyInAnyOrder(
              "cluster/src/main/java/dev/tarn/cluster/control/BucketSettings.java",
              "gateway/src/main/java/dev/tarn/gateway/s3/object/ObjectHeaders.java",
              "docs/CONFIGURATION.md",
              "helm/tarn/values.schema.json");
    }
  }

  private static boolean isOfTheProduct(Path file) {
    String name = file.toString();
    return name.contains("/src/main/")
        || name.startsWith("helm/")
        || name.equals("docs/CONFIGURATION.md");
  }

  private static boolean namesTheSetting(Path file) {
    Path whole = REPOSITORY.resolve(file);
    try {
      return Files.isRegularFile(whole) && HIDE_BACKEND.matcher(Files.readString(whole)).find();
    } catch (IOException e) {
      return false; // Binary files are not UTF-8.
    }
  }
}
