package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths that can be no cache: refused when the dataset is built, saying what would be right. */
final class CacheFolderTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");

  private final MemoryStorage storage = new MemoryStorage();

  @TempDir Path directory;

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 1, 5, 100);
  }

  private void assertRefused(Path cache, String what) {
    for (long bytesMax : new long[] {0, 1 << 20}) {
      DatasetBuilder builder =
          ShardDataset.builder().storage(storage).rank(0, 1).manifest(FOLDER.toString());
      assertThatThrownBy(() -> builder.cache(cache, bytesMax).build())
          .isInstanceOf(FileSystemException.class)
          .hasMessage(cache + ": " + what);
    }
  }

  @Test
  void fileIsNoFolderForACache() throws IOException {
    Path file = Files.writeString(directory.resolve("notes.txt"), "mine");
    assertRefused(
        file,
        "is a file, expected a folder for the cache: name an empty folder, or one that is not"
            + " there yet");
    assertThat(file).hasContent("mine");
  }

  @Test
  void noFolderIsBelowAFile() throws IOException {
    Path file = Files.createFile(directory.resolve("notes.txt"));
    assertRefused(
        file.resolve("a/b"),
        "cannot be a folder for the cache, since %s is a file: name an empty folder, or one that is not there yet"
            .formatted(file));
  }

  @Test
  void linkToNothingIsNoFolder() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("gone"));
    assertRefused(
        link,
        "is a symbolic link to no folder, expected a folder for the cache: name an empty folder, or"
            + " one that is not there yet");
    assertThat(directory.resolve("gone")).doesNotExist();
  }

  @Test
  void markThatIsNotTheSdksIsRefused() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Files.createFile(empty.resolve("tarn-cache"));
    Path folder = directory.resolve("folder");
    Files.createDirectories(folder.resolve("tarn-cache"));
    for (Path cache : new Path[] {empty, folder}) {
      assertRefused(
          cache,
          "this version does not know its file tarn-cache; name another folder, or delete the"
              + " file");
    }
  }

  @Test
  void fileInTheCacheWhereAFolderBelongsIsNamed() throws IOException {
    Path cache = directory.resolve("cache");
    Files.createDirectory(cache);
    Files.writeString(cache.resolve("tarn-cache"), "tarn-cache 1\n");
    Path file = Files.createFile(cache.resolve("indexes"));
    DatasetBuilder builder =
        ShardDataset.builder().storage(storage).rank(0, 1).manifest(FOLDER.toString());
    assertThatThrownBy(() -> builder.cache(cache).build())
        .isInstanceOf(FileSystemException.class)
        .hasMessage(
            file
                + ": no cache can be made there: it is a file; name a folder that can be written"
                + " to");
  }
}
