package dev.tarn.standalone.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which folders a process takes as its data folder. */
class DataFolderTest {
  @TempDir private Path folder;

  private void write(String path, String content) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.walk(folder)) {
      return entries.toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lock, lock",
    "node/index.js, node",
    "control/log, control",
    "control/known-state, control",
    "node/disks.properties, node"
  })
  void folderWithAFileOfOthersIsRefusedAndStaysAsItIs(String path, String named) throws Exception {
    write(path, "1234");
    List<Path> before = entries();
    assertThatThrownBy(() -> DataFolder.open(folder))
        .isInstanceOf(StartFailure.class)
        .hasMessage(
            "the data folder "
                + folder
                + " holds files that are not Tarn's, such as "
                + named
                + "; give --data a new or empty folder");
    assertThat(DataFolder.isInUse(folder)).isFalse();
    assertThat(entries()).isEqualTo(before);
    assertThat(folder.resolve(path)).content().isEqualTo("1234");
  }

  @Test
  void emptyLockFileBesideFilesOfOthersIsNoMark() throws Exception {
    write("lock", "");
    write("summer.jpg", "sun");
    assertThatThrownBy(() -> DataFolder.open(folder))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("such as summer.jpg");
  }

  @ParameterizedTest
  @CsvSource({
    "control/log, TARNCLOG",
    "control/snapshot, TARNCSNP",
    "control/known-state, TARNCSNP",
    "node/disks.properties, '#The disks of this target node. Kept by Tarn.'"
  })
  void restoredBackupIsTaken(String path, String beginning) throws Exception {
    write(path, beginning + " and more");
    write("notes.txt", "of the administrator");
    assertThat(DataFolder.isInUse(folder)).isTrue();
    DataFolder.open(folder).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"control", "node", "lost+found"})
  void folderOfAStartThatEndedEarlyIsTaken(String empty) throws Exception {
    write("lock", "");
    Files.createDirectory(folder.resolve(empty));
    DataFolder.open(folder).close();
  }

  @Test
  void folderOnceTakenIsTakenAgainWhateverElseIsPutIntoIt() throws Exception {
    DataFolder.open(folder).close();
    write("notes.txt", "of the administrator");
    assertThat(DataFolder.isInUse(folder)).isTrue();
    DataFolder.open(folder).close();
  }
}
