package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrainingRunTest {
  @TempDir Path directory;

  @Test
  void rehearsalPacksAndPacksAnew() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Files.writeString(source.resolve("a.txt"), "text", UTF_8);
    Path packed = directory.resolve("packed");
    Path anew = directory.resolve("anew");

    TrainingRun.main(new String[] {source.toString(), packed.toString(), anew.toString()});

    assertThat(packed.resolve("dataset.json")).exists();
    assertThat(anew.resolve("dataset.json")).exists();
  }
}
