package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the names of labels when datasets are packed anew. */
final class ReshardClassesTest {
  @TempDir Path directory;

  @BeforeEach
  void makeDatasets() throws IOException {
    dataset("pets", "cat", "dog");
    dataset("more", "cat", "dog", "eel");
    dataset("fruit", "apple", "cat");
  }

  private void dataset(String name, String... classes) throws IOException {
    for (String folder : classes) {
      for (int i = 0; i < 5; i++) {
        Path file = at("files-" + name).resolve(name).resolve(folder).resolve(i + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, folder + i, UTF_8);
      }
    }
    succeed("pack", at("files-" + name), at(name), "--label-from=dirname", "--max-count=4");
  }

  private Path at(String name) {
    return directory.resolve(name);
  }

  private static CommandLineRun succeed(Object... words) {
    CommandLineRun run = CommandLineRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private Optional<String> classes(String set) throws IOException {
    Path manifest = at(set).resolve("dataset.json");
    return DatasetManifest.parse(manifest.toString(), Files.readAllBytes(manifest))
        .classes()
        .map(FileEntry::name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seed=1", "--compress=gzip", "--keep=pets/dog/*", "--drop-ext=txt"})
  void classesComeAlongWithTheLabels(String option) throws IOException {
    succeed("reshard", at("pets"), at("new"), option);

    assertThat(classes("new")).contains("classes.json");
    assertThat(at("new/classes.json")).hasSameBinaryContentAs(at("pets/classes.json"));
    succeed("verify", at("new"));
  }

  @Test
  void classesStayBehindWithTheLabels() throws IOException {
    succeed("reshard", at("pets"), at("new"), "--drop-ext=cls");

    assertThat(classes("new")).isEmpty();
    assertThat(at("new/classes.json")).doesNotExist();
  }

  @Test
  void labelsOfFoldersAreMadeAnew() throws IOException {
    succeed(
        "reshard", at("more"), at("new"), "--drop-ext=cls", "--label-from=dirname", "--keep=*eel*");

    assertThat(at("new/classes.json")).content(UTF_8).isEqualTo("{\n  \"eel\" : 0\n}\n");
  }

  @Test
  void planCarriesThemToo() throws IOException {
    succeed("plan", at("pets/dataset.json"), at("new"), "--plan", at("plan"));
    succeed("pack", "--plan", at("plan"), "--task=0/1");
    succeed("commit", "--plan", at("plan"));

    assertThat(at("new/classes.json")).hasSameBinaryContentAs(at("pets/classes.json"));
  }

  @Test
  void datasetThatHasMoreClassesNamesThemForAll() throws IOException {
    succeed("reshard", at("pets"), at("more"), at("new"));
    succeed("reshard", at("more"), at("pets"), at("turned"));

    for (String set : new String[] {"new", "turned"}) {
      assertThat(at(set).resolve("classes.json")).hasSameBinaryContentAs(at("more/classes.json"));
      succeed("verify", at(set));
    }
  }

  @Test
  void datasetsWhoseNumbersMeanDifferentClassesAreNotMerged() {
    CommandLineRun merge = CommandLineRun.of("reshard", at("pets"), at("fruit"), at("new"));

    assertThat(merge.exitCode()).isEqualTo(1);
    assertThat(merge.err())
        .contains(
            "sharder: the labels (.cls) of %s and of %s do not mean the same: 0 is \"cat\" there,"
                    .formatted(at("pets/dataset.json"), at("fruit/dataset.json"))
                + " and \"apple\" here; leave them out, as reshard does by --drop-ext cls");
    assertThat(at("new")).doesNotExist();

    succeed("reshard", at("pets"), at("fruit"), at("new"), "--drop-ext=cls");
  }

  @Test
  void datasetThatIsAppendedToKeepsItsNumbers() throws IOException {
    succeed("reshard", at("more"), at("pets"), "--append");
    assertThat(classes("pets")).contains("classes-2.json");
    assertThat(at("pets/classes-2.json")).hasSameBinaryContentAs(at("more/classes.json"));
    succeed("verify", at("pets"));

    CommandLineRun append = CommandLineRun.of("reshard", at("fruit"), at("pets"), "--append");
    assertThat(append.exitCode()).isEqualTo(1);
    assertThat(append.err()).contains("the labels (.cls) of the dataset that is added to and of ");
  }

  @Test
  void labelsOfFilesHaveTheNumbersOfTheDatasetBesideThem() throws IOException {
    Path labelled = Files.createDirectory(at("labelled"));
    Files.writeString(labelled.resolve("1.cls"), "1", UTF_8);

    succeed("pack", labelled, at("plain"));
    assertThat(classes("plain")).isEmpty();
    succeed("reshard", at("plain"), at("pets"), at("new"));

    assertThat(at("new/classes.json")).hasSameBinaryContentAs(at("pets/classes.json"));
  }
}
