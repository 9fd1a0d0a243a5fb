package dev.tarn.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoFilesTest {
  @TempDir private Path folder;

  @Test
  void runningJdkHoldsThousandsOfClassFiles() throws IOException {
    DemoFiles files = DemoFiles.ofRunningJdk();
    assertThat(files.files()).hasSizeGreaterThan(5_000);
    assertThat(files.files())
        .anySatisfy(file -> assertThat(file.name()).isEqualTo("java.base/java/lang/Object.class"));
    assertThat(files.leftOutCount()).isZero();
  }

  @Test
  void filesThatWouldBeInNoSampleAreLeftOutAndCounted() throws IOException {
    Files.createDirectory(folder.resolve("sub"));
    for (String name : new String[] {"a.txt", "a.TXT", "noextension", ".hidden", "sub/b.jpg"}) {
      Files.writeString(folder.resolve(name), "content");
    }
    DemoFiles files = DemoFiles.ofDirectory(folder);
    assertThat(files.files()).hasSize(2);
    assertThat(files.leftOutCount()).isEqualTo(3);
    assertThat(files.bytes()).isEqualTo(14);
    assertThat(files.medianBytes()).isEqualTo(7);
  }

  @Test
  void directoryWithoutUsableFilesIsRefusedByName() {
    assertThatThrownBy(() -> DemoFiles.ofDirectory(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(folder + " holds no file to take");
  }

  @Test
  void whatIsNoDirectoryIsRefusedByName() throws IOException {
    Path file = Files.writeString(folder.resolve("file.txt"), "content");
    assertThatThrownBy(() -> DemoFiles.ofDirectory(file))
        .isInstanceOf(NotDirectoryException.class)
        .hasMessageContaining("not a directory");
    assertThatThrownBy(() -> DemoFiles.ofDirectory(folder.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no such directory");
  }
}
