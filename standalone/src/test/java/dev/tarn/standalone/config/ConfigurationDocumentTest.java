package dev.tarn.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Pins every default: a changed one shows in the document's difference. */
class ConfigurationDocumentTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  @Test
  void documentSaysWhatTheRecordsSay() throws IOException, ConfigException {
    Path file = REPOSITORY.resolve("docs/CONFIGURATION.md");
    String generated =
        ConfigurationDocument.of(TarnConfig.defaults(Path.of("~/.local/share/tarn")), REPOSITORY);
    if (Boolean.getBoolean("tarn.docs.write")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, generated);
    }
    assertThat(file)
        .as("run this test with -Dtarn.docs.write=true after a change of the records")
        .hasContent(generated);
  }
}
