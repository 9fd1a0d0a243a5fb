package dev.tarn.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallObjectsTest {
  @TempDir private Path folder;

  private final MemoryStorage storage = new MemoryStorage();
  private final StorageUrl objects = StorageUrl.parse("memory://demo/files");

  @BeforeEach
  void writeFiles() throws IOException {
    for (int i = 0; i < 50; i++) {
      Files.writeString(folder.resolve("file-" + i + ".txt"), "content of file " + i);
    }
  }

  @Test
  void epochDeliversWhatWasUploadedAtAnyConcurrency() throws IOException {
    SmallObjects small = small();
    Epoch upload = small.upload();
    assertThat(upload.delivered().files()).isEqualTo(50);
    assertThat(small.readAll(1, 7).delivered()).isEqualTo(upload.delivered());
    assertThat(small.readAll(8, 7).delivered()).isEqualTo(upload.delivered());
  }

  @Test
  void partOfAnEpochReadsThatManyObjects() throws IOException {
    SmallObjects small = small();
    small.upload();
    assertThat(small.readSome(10, 2, 7).delivered().files()).isEqualTo(10);
  }

  @Test
  void missingObjectFailsTheEpochByName() throws IOException {
    SmallObjects small = small();
    small.upload();
    storage.delete(objects.resolve("file-3.txt"));
    assertThatThrownBy(() -> small.readAll(4, 7))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file-3.txt")
        .hasRootCauseInstanceOf(StorageException.class);
  }

  private SmallObjects small() throws IOException {
    return new SmallObjects(storage, objects, DemoFiles.ofDirectory(folder).files());
  }
}
