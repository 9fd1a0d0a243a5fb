package dev.tarn.sharder.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class DirectorySourceTest {
  @TempDir Path directory;

  private Source source() {
    return new DirectorySource(StorageUrl.parse(directory.toString()));
  }

  private static SourceFile file(String name, long size) {
    return SourceFile.named(name, size, 0);
  }

  private static List<SourceFile> list(Source source) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    source.list(file -> files.add(file(file.name(), file.size())));
    return files;
  }

  private Path raw(String percentEncoded) {
    return Path.of(URI.create(directory.toUri() + percentEncoded));
  }

  @Test
  void namesAreTheFilesBytesWhateverTheLocale() throws IOException {
    Files.write(raw("caf%E9.txt"), new byte[] {1});
    Files.write(raw("%C3%A9%20%25.txt"), new byte[] {2, 2});
    Files.write(raw("plain.txt"), new byte[] {3, 3, 3});

    List<SourceFile> files = list(source());

    assertThat(files)
        .containsExactlyInAnyOrder(
            file("caf\udce9.txt", 1), file("é %.txt", 2), file("plain.txt", 3));
    for (SourceFile file : files) {
      ByteBuffer bytes = ByteBuffer.allocate(10);
      assertThat(source().read(file, bytes)).isEqualTo((int) file.size());
      assertThat(bytes.get(0)).isEqualTo((byte) file.size());
    }
  }

  @Test
  void namesAreWholeWhateverDirectoriesAreBesideThem() throws IOException {
    Files.createDirectory(directory.resolve("x"));
    Files.write(raw("%C3%A9.jpg"), new byte[] {1});
    Files.write(raw("x/%C3%A9.jpg"), new byte[] {2, 2});

    assertThat(list(source())).containsExactlyInAnyOrder(file("é.jpg", 1), file("x/é.jpg", 2));
  }

  /** Makes one of the two threads wait for the other at the first file of each. */
  private abstract static class Meeting implements Consumer<SourceFile> {
    private final Thread lister = Thread.currentThread();
    private boolean reached;

    final boolean isLister() {
      return Thread.currentThread().equals(lister);
    }

    final synchronized void reach() {
      reached = true;
      notifyAll();
    }

    final synchronized void awaitOther() {
      try {
        while (!reached) {
          wait();
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  @Timeout(60)
  void errorOfAnyThreadIsThrownAsItIs() throws IOException {
    for (String folder : List.of("a", "b")) {
      Files.write(Files.createDirectory(directory.resolve(folder)).resolve("f"), new byte[1]);
    }
    Error error = new OutOfMemoryError("of the other thread");
    Consumer<SourceFile> action =
        new Meeting() {
          @Override
          public void accept(SourceFile file) {
            if (isLister()) {
              awaitOther();
            } else {
              reach();
              throw error;
            }
          }
        };

    assertThatThrownBy(() -> source().list(action)).isSameAs(error);
  }

  @Test
  @Timeout(60)
  void directoryIsReadAtOnceWhereManyWaitAlready() throws IOException {
    for (int i = 0; i < 200; i++) {
      Path folder = Files.createDirectory(directory.resolve("d%03d".formatted(i)));
      Files.write(folder.resolve("f"), new byte[1]);
    }
    List<String> inOrder = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(directory)) {
      folders.forEach(folder -> inOrder.add(folder.getFileName() + "/f"));
    }
    List<String> byLister = new ArrayList<>();
    source()
        .list(
            new Meeting() {
              @Override
              public void accept(SourceFile file) {
                if (isLister()) {
                  byLister.add(file.name());
                  reach();
                } else {
                  awaitOther();
                }
              }
            });

    // What waits is taken from its end: had all been left waiting, the last would be the first.
    assertThat(inOrder.subList(0, 100)).contains(byLister.getFirst());
  }

  @Test
  void linksAreFollowedToFilesAndDirectories() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("a/b"));
    Files.write(folder.resolve("x.txt"), new byte[5]);
    Files.createSymbolicLink(directory.resolve("link.txt"), folder.resolve("x.txt"));
    Files.createSymbolicLink(directory.resolve("c"), folder);

    assertThat(list(source()))
        .containsExactlyInAnyOrder(file("a/b/x.txt", 5), file("c/x.txt", 5), file("link.txt", 5));
  }

  @Test
  void linksThatFormALoopAreRefused() throws IOException {
    Files.createSymbolicLink(directory.resolve("loop"), directory);

    assertThatThrownBy(() -> list(source()))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(directory + "/loop: a symbolic link to a folder that holds it: a loop");
  }

  @Test
  void fileOfTheVeryBeginningOfTimeIsMarkedToo() throws IOException {
    Path path = Files.write(directory.resolve("a.txt"), new byte[] {1});
    Files.setLastModifiedTime(path, FileTime.fromMillis(0));
    List<SourceFile> listed = new ArrayList<>();
    source().list(listed::add);
    ByteBuffer target = ByteBuffer.allocate(2);
    assertThat(source().read(listed.getFirst(), target)).isEqualTo(1);
    Files.setLastModifiedTime(path, FileTime.fromMillis(5000));

    assertThatThrownBy(() -> source().read(listed.getFirst(), ByteBuffer.allocate(2)))
        .hasMessageContaining("it was written to since it was listed");
  }

  @Test
  void fileIsNoDirectory() throws IOException {
    Path file = Files.write(directory.resolve("f"), new byte[1]);
    Source source = new DirectorySource(StorageUrl.parse(file.toString()));

    assertThatThrownBy(() -> list(source)).hasMessageStartingWith(file + ": is no source");
  }

  @Test
  void fileThatWasWrittenToSinceItWasListedIsNoticedThoughItsSizeIsTheSame() throws IOException {
    for (String name : List.of("plain.txt", "caf%E9.txt")) {
      Files.write(raw(name), new byte[100]);
    }
    List<SourceFile> listed = new ArrayList<>();
    source().list(listed::add);
    assertThat(listed).hasSize(2);
    for (SourceFile file : listed) {
      Path path = raw(file.name().startsWith("p") ? "plain.txt" : "caf%E9.txt");
      Files.setLastModifiedTime(path, FileTime.fromMillis(file.stamp() + 1));
      String message =
          directory
              + "/"
              + file.name()
              + ": changed while it was packed: it was written to since it was listed; pack again"
              + " when nothing writes to it any more";

      assertThatThrownBy(() -> source().read(file, ByteBuffer.allocate(101))).hasMessage(message);
      try (ReadableByteChannel channel = source().open(file)) {
        assertThat(channel.read(ByteBuffer.allocate(101))).isEqualTo(100);
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessage(message);
      }
    }
  }
}
