package dev.tarn.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tests that docs/S3.md names are there, and each of its promises has one. */
class PromisesDocumentTest {
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract))(?:#(\\w+))?`");
  private static final Pattern FILE = Pattern.compile("`(e2e/clients/[\\w.]+)`");

  /** The last cell of a row. */
  private static final Pattern TESTS = Pattern.compile("\\| ([^|]+) \\|$");

  private static String document = "";
  private static Map<String, Path> sources = Map.of();

  @BeforeAll
  static void read() throws IOException {
    document = Files.readString(PROJECT.resolve("docs/S3.md"));
    sources = new TreeMap<>();
    try (Stream<Path> modules = Files.list(PROJECT)) {
      for (Path module : modules.toList()) {
        boolean ofFixtures = module.getFileName().toString().equals("test-fixtures");
        Path tests = module.resolve(ofFixtures ? "src/main/java" : "src/test/java");
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            files.forEach(
                file -> sources.put(file.getFileName().toString().replace(".java", ""), file));
          }
        }
      }
    }
  }

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    List<MatchResult> named = NAMED.matcher(document).results().toList();
    assertThat(named).hasSizeGreaterThan(100);
    for (MatchResult test : named) {
      String source = source(test.group(1));
      if (test.group(2) != null) {
        int method = source.indexOf("void " + test.group(2) + "(");
        assertThat(method).as(test.group()).isPositive();
        assertThat(source.substring(source.lastIndexOf("\n\n", method), method))
            .as(test.group())
            .containsPattern("@(Parameterized)?Test\n");
      }
    }
    FILE.matcher(document)
        .results()
        .forEach(file -> assertThat(PROJECT.resolve(file.group(1))).exists());
  }

  private static String source(String name) throws IOException {
    return Files.readString(
        requireNonNull(
            sources.get(name), () -> "docs/S3.md names " + name + ", which is not there"));
  }

  @Test
  void everyPromiseHasATest() {
    boolean promises = false;
    for (String line : document.lines().toList()) {
      if (line.endsWith("| tests |")) {
        promises = true;
      } else if (!line.startsWith("|")) {
        promises = false;
      } else if (promises && !line.startsWith("|--")) {
        assertThat(line).containsPattern(TESTS);
        String tests = TESTS.matcher(line).results().toList().getFirst().group(1);
        assertThat(NAMED.matcher(tests).find()).as(line).isTrue();
      }
    }
  }
}
