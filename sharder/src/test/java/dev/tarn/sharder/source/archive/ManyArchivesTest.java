package dev.tarn.sharder.source.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What archives take does not grow with their number. */
final class ManyArchivesTest {
  private static final int MEMBERS = 5;

  private final List<String> notices = new ArrayList<>();

  @TempDir Path directory;

  private final Storage storage = Storage.open();

  @AfterEach
  void closeStorage() {
    storage.close();
  }

  private OpenSources open(String kind, int count) throws IOException {
    List<StorageUrl> urls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] tar = ArchiveFiles.tar(ArchiveFiles.files(MEMBERS));
      Path file = directory.resolve(i + "." + kind);
      Files.write(file, kind.equals("tar") ? tar : ArchiveFiles.gzip(tar));
      urls.add(StorageUrl.parse(file.toString()));
    }
    return open(urls);
  }

  private OpenSources open(List<StorageUrl> urls) throws IOException {
    return OpenSources.open(
        storage,
        urls,
        new SourceOptions(
            ListColumns.DEFAULT, true, false, false, directory, ListingFaults.ABORT, notices::add));
  }

  private static List<SourceFile> list(Source source) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    source.list(files::add);
    assertThat(files).hasSize(MEMBERS);
    return files;
  }

  private static void requireRead(Source source, SourceFile file) throws IOException {
    Map<String, byte[]> expected = ArchiveFiles.files(MEMBERS);
    ByteBuffer buffer = ByteBuffer.allocate((int) file.size() + 1);
    assertThat(source.read(file, buffer)).isEqualTo((int) file.size());
    assertThat(Arrays.copyOf(buffer.array(), buffer.position()))
        .isEqualTo(expected.get(file.name()));
  }

  private long openFiles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(this::isOfArchive).count();
    }
  }

  private boolean isOfArchive(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(directory);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void compressedArchivesOneAfterTheOtherAreReadAsStreamsOfWhichFewAreOpen() throws IOException {
    try (OpenSources sources = open("tar.gz", 100)) {
      SourceFile last = null;
      for (int i = 0; i < 100; i++) {
        Source source = sources.all().get(i);
        for (SourceFile file : list(source)) {
          requireRead(source, file);
          if (last != null) {
            requireRead(sources.all().get(i - 1), last);
          }
        }
        last = list(source).getLast();
        assertThat(openFiles()).isBetween(1L, 32L);
      }
      assertThat(notices).isEmpty();
    }
  }

  @Test
  void manyCompressedArchivesInTurnsAreKeptInTemporaryFiles() throws IOException {
    try (OpenSources sources = open("tar.gz", 40)) {
      for (int i = 0; i < MEMBERS; i++) {
        for (Source source : sources.all()) {
          requireRead(source, list(source).get(i));
        }
      }
      assertThat(notices)
          .isNotEmpty()
          .allMatch(notice -> notice.contains("kept in a temporary file in " + directory));
    }
    assertThat(openFiles()).isZero();
  }

  @Test
  void windowsOfCompressedArchivesTakeLittleTogether() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("large.bin", new byte[70 << 20]);
    files.put("last.bin", new byte[] {4});
    byte[] archive = ArchiveFiles.gzip(ArchiveFiles.tar(files));
    List<StorageUrl> urls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path file = Files.write(directory.resolve(i + ".tar.gz"), archive);
      urls.add(StorageUrl.parse(file.toString()));
    }
    try (OpenSources sources = open(urls)) {
      for (int round = 0; round < 2; round++) {
        for (Source source : sources.all()) {
          ByteBuffer last = ByteBuffer.allocate(2);
          List<SourceFile> own = new ArrayList<>();
          source.list(own::add);
          source.read(own.getLast(), last);
          assertThat(last.get(0)).isEqualTo((byte) 4);
        }
      }
      assertThat(notices).isNotEmpty();
    }
  }

  @Test
  void fewOfManyPlainArchivesAreOpen() throws IOException {
    try (OpenSources sources = open("tar", 100)) {
      for (Source source : sources.all()) {
        for (SourceFile file : list(source)) {
          requireRead(source, file);
        }
      }
      assertThat(openFiles()).isBetween(1L, 64L);
    }
    assertThat(openFiles()).isZero();
  }

  @Test
  void archiveOfSeveralGzipMembersIsReadToItsEnd() throws IOException {
    byte[] tar = ArchiveFiles.tar(ArchiveFiles.files(MEMBERS));
    byte[] first = ArchiveFiles.gzip(Arrays.copyOf(tar, 1000));
    byte[] second = ArchiveFiles.gzip(Arrays.copyOfRange(tar, 1000, tar.length));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    Path archive = Files.write(directory.resolve("a.tar.gz"), both);
    try (OpenSources sources = open(List.of(StorageUrl.parse(archive.toString())))) {
      Source source = sources.all().getFirst();
      for (SourceFile file : list(source)) {
        requireRead(source, file);
      }
    }
  }
}
