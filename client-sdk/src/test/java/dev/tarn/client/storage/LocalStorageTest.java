package dev.tarn.client.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStorageTest {
  private final Storage storage = new LocalStorage();

  @TempDir Path directory;

  @Test
  void listingIsInTheByteOrderOfWholeNames() throws IOException {
    // "a-b" < "a/..." < "a0" in bytes, though the directory "a" sorts before "a-b" by itself.
    List<String> names = List.of("B", "a-b", "a/x", "a/y/z", "a0", "\u00e9", "\ud83d\ude00");
    for (String name : names) {
      write(name, "x");
    }
    assertThat(listed()).containsExactlyElementsOf(names);
  }

  @Test
  void namesThatAreNotUtf8SurviveListingAndReading() throws IOException {
    String name = "caf\udce9.txt";
    write(name, "latin1");
    assertThat(listed()).containsExactly(name);
    assertThat(storage.readAll(folder().resolve(name), 10)).isEqualTo("latin1".getBytes(UTF_8));
  }

  @Test
  void linkedDirectoriesAreFollowedAndLoopsRefused() throws IOException {
    write("real/file", "x");
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("real"));
    assertThat(listed()).containsExactly("link/file", "real/file");
    Files.createSymbolicLink(directory.resolve("real/up"), directory);
    assertThatThrownBy(this::listed).hasMessageContaining("symbolic links form a loop");
  }

  @Test
  void whatKilledWritersLeftIsDiscarded() throws IOException {
    write("kept", "x");
    ObjectWriter abandoned = storage.create(folder().resolve("a/b/never-closed"));
    abandoned.write(ByteBuffer.allocate(10));

    storage.discardUnfinished(folder(), Set.of("kept", "a/b/never-closed", "missing/x"));

    assertThat(listed()).containsExactly("kept");
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(directory.resolve("kept"));
    }
  }

  @Test
  void writersOfOtherNamesAreNotDiscarded() throws IOException {
    List<String> others = List.of("a/other", "a/never-closed", "b/c", "a/b/never-closed2");
    List<ObjectWriter> writers = new ArrayList<>();
    for (String name : others) {
      writers.add(storage.create(folder().child(name)));
    }

    storage.discardUnfinished(folder(), Set.of("a/b/never-closed", "a", "a/b/other"));

    for (ObjectWriter writer : writers) {
      writer.commit();
    }
    assertThat(listed()).containsExactlyInAnyOrderElementsOf(others);
  }

  @Test
  void folderIsDeletedByASlashIfItIsEmpty() throws IOException {
    write("full/x", "x");
    Files.createDirectory(directory.resolve("empty"));

    storage.delete(folder().child("full/"));
    storage.delete(folder().child("empty/"));
    storage.delete(folder().child("missing/"));

    assertThat(directory.resolve("full/x")).exists();
    assertThat(directory.resolve("empty")).doesNotExist();
    assertThatThrownBy(() -> storage.delete(folder().child("full")))
        .hasMessageContaining("is a directory, expected a file");
  }

  @Test
  void objectAppearsWholeAtTheCommit() throws IOException {
    StorageUrl url = folder().resolve("new/object");
    try (ObjectWriter writer = storage.create(url)) {
      writer.write("half".getBytes(UTF_8));
      assertThat(listed()).isEmpty();
      writer.write("whole".getBytes(UTF_8));
      assertThat(writer.commit()).isEqualTo(storage.stat(url));
    }
    assertThat(storage.readAll(url, 100)).isEqualTo("halfwhole".getBytes(UTF_8));
  }

  @Test
  void writerClosedWithoutCommitLeavesNothingAndTheFormerObject() throws IOException {
    write("object", "former");
    try (ObjectWriter writer = storage.create(folder().resolve("object"))) {
      writer.write("other".getBytes(UTF_8));
    }
    assertThat(storage.readAll(folder().resolve("object"), 100))
        .isEqualTo("former".getBytes(UTF_8));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void rangeIsCutAtTheEnd() throws IOException {
    write("object", "0123456789");
    ByteBuffer target = ByteBuffer.allocate(8);
    assertThat(storage.read(folder().resolve("object"), 6, target)).isEqualTo(4);
    assertThat(new String(target.array(), 0, 4, UTF_8)).isEqualTo("6789");
    assertThat(storage.read(folder().resolve("object"), 10, target.clear())).isZero();
    assertThatThrownBy(() -> storage.read(folder().resolve("object"), 11, target.clear()))
        .hasMessageContaining("range 11 to 19 of an object of 10 bytes");
  }

  @Test
  void replacedFileIsNotReadUnderTheFormerEtag() throws IOException {
    write("object", "first");
    StoredObject first = storage.stat(folder().resolve("object"));
    write("object", "second");
    assertThatThrownBy(() -> storage.open(first.url(), 0, Storage.TO_THE_END, first.etag()))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
  }

  @Test
  void fileCutWhileItIsReadIsAnError() throws IOException {
    write("object", "0123456789");
    try (ObjectStream stream = storage.open(folder().resolve("object"))) {
      Files.write(directory.resolve("object"), new byte[4]);
      assertThatThrownBy(() -> stream.readFully(ByteBuffer.allocate(100)))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRUNCATED))
          .hasMessageContaining("ends at byte 4, was 10 bytes long");
    }
  }

  @Test
  void missingFilesAndFoldersAreNamed() {
    StorageUrl url = folder().resolve("none");
    assertThatThrownBy(() -> storage.open(url))
        .hasMessage(url + ": cannot open it: no such file or directory");
    assertThatThrownBy(() -> storage.stat(url)).hasMessageContaining("no such file");
    assertThatThrownBy(() -> storage.list(url)).hasMessageContaining("no such file");
    assertThatThrownBy(() -> storage.open(folder()))
        .hasMessageContaining("is a directory, expected a file");
  }

  @Test
  void deletingTwiceIsNoError() throws IOException {
    write("object", "x");
    storage.delete(folder().resolve("object"));
    storage.delete(folder().resolve("object"));
    assertThat(listed()).isEmpty();
  }

  private void write(String name, String content) throws IOException {
    storage.write(folder().resolve(name), ByteBuffer.wrap(content.getBytes(UTF_8)));
  }

  private List<String> listed() throws IOException {
    try (Stream<StoredObject> objects = storage.list(folder())) {
      return objects.map(object -> object.url().nameUnder(folder())).toList();
    }
  }

  private StorageUrl folder() {
    return StorageUrl.parse(directory.toString());
  }
}
