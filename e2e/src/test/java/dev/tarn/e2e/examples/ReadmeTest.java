package dev.tarn.e2e.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.SharderProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Test
  void theFirstProgramOfTheSdkManualCompiles() throws IOException {
    String manual = Files.readString(Path.of("../docs/CLIENT_SDK.md"), StandardCharsets.UTF_8);
    int begin = manual.indexOf("```java\n") + "```java\n".length();
    Path source = folder.resolve("Training.java");
    Files.writeString(source, manual.substring(begin, manual.indexOf("```", begin)));

    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                messages,
                messages,
                "--release",
                "17",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());

    assertThat(status).as(messages.toString(StandardCharsets.UTF_8)).isZero();
  }

  @Test
  void theSdkManualNamesTheCoordinatesOfTheBuild() throws IOException {
    String manual = Files.readString(Path.of("../docs/CLIENT_SDK.md"), StandardCharsets.UTF_8);

    assertThat(manual)
        .contains("<artifactId>client-sdk</artifactId>")
        .containsPattern("<artifactId>bom</artifactId>\\s*<version>" + version() + "</version>")
        .contains("platform('dev.tarn:bom:" + version() + "')");
  }

  private static String version() throws IOException {
    String pom = Files.readString(Path.of("../pom.xml"), StandardCharsets.UTF_8);
    String tag = "<version>";
    return pom.substring(pom.indexOf(tag) + tag.length(), pom.indexOf("</version>"));
  }

  @Test
  void theSdkManualNamesEachExceptionOfThePublicPackages() throws IOException {
    String manual = Files.readString(Path.of("../docs/CLIENT_SDK.md"), StandardCharsets.UTF_8);
    String errors = manual.substring(manual.indexOf("## Exceptions"));
    List<String> exceptions = new ArrayList<>();
    try (Stream<Path> sources = Files.walk(Path.of("../client-sdk/src/main/java"))) {
      sources
          .filter(source -> !source.toString().contains("internal"))
          .map(source -> source.getFileName().toString())
          .filter(name -> name.endsWith("Exception.java"))
          .forEach(name -> exceptions.add(name.replace(".java", "")));
    }

    assertThat(exceptions).isNotEmpty().allSatisfy(name -> assertThat(errors).contains(name));
  }

  @ParameterizedTest
  @CsvSource({
    "client-sdk, dev.tarn.client",
    "client-sdk-djl, dev.tarn.client.djl",
    "client-sdk-micrometer, dev.tarn.client.micrometer",
    "cluster, dev.tarn.cluster",
    "shard-format, dev.tarn.shard",
  })
  void jarsThatUsersEmbedHaveAModuleName(String module, String name) throws IOException {
    Path jar = Path.of("..", module, "target", module + "-" + version() + ".jar");

    assertThat(ModuleFinder.of(jar).find(name)).isPresent();
  }
}
