package dev.tarn.e2e.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.SharderProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  @TempDir private Path folder;

  @Test
  void theReadmeShowsTheExampleThatIsRun() throws IOException {
    String source =
        Files.readString(
            Path.of("src/test/java/dev/tarn/e2e/examples/ReadEpochs.java"), StandardCharsets.UTF_8);
    String example =
        source.substring(
            source.indexOf("// begin example\n") + "// begin example\n".length(),
            source.indexOf("    // end example"));

    assertThat(Files.readString(Path.of("../README.md"), StandardCharsets.UTF_8))
        .contains(example.stripTrailing().stripIndent().strip());
  }

  @Test
  void theExampleReadsEachSampleOnceAnEpochInAnOrderOfItsOwn() throws Exception {
    Path files = Files.createDirectories(folder.resolve("files/images"));
    for (int i = 0; i < 100; i++) {
      Files.writeString(files.resolve("%03d.txt".formatted(i)), "sample " + i);
    }
    int status =
        SharderProcess.run(
            "pack",
            folder.resolve("files").toString(),
            folder.resolve("shards").toString(),
            "--max-count",
            "30");
    assertThat(status).isZero();

    List<String> keys = new ArrayList<>();
    ReadEpochs.run(folder.resolve("shards").toString(), 2, sample -> keys.add(sample.key()));

    Set<String> first = new HashSet<>(keys.subList(0, 100));
    assertThat(first).hasSize(100).isEqualTo(new HashSet<>(keys.subList(100, 200)));
    assertThat(keys.subList(0, 100)).isNotEqualTo(keys.subList(100, 200));
  }
}
