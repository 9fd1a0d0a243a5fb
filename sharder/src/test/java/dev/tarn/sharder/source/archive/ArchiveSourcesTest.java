package dev.tarn.sharder.source.archive;

import static dev.tarn.sharder.source.archive.OpenArchives.archive;
import static dev.tarn.sharder.source.archive.OpenArchives.list;
import static dev.tarn.sharder.source.archive.OpenArchives.only;
import static dev.tarn.sharder.source.archive.OpenArchives.read;
import static dev.tarn.sharder.source.archive.OpenArchives.stream;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveOutputStream;
import org.apache.commons.compress.archivers.cpio.CpioConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ArchiveSourcesTest {
  private OpenArchives archives;

  @BeforeEach
  void opensIn(@TempDir Path directory) {
    archives = new OpenArchives(directory);
  }

  @ParameterizedTest
  @CsvSource({
    "tar, true",
    "tar, false",
    "tar.gz, true",
    "tar.gz, false",
    "zip, true",
    "zip, false",
    "cpio, true",
    "cpio, false",
    "cpio.gz, true",
    "ar, true",
    "ar, false",
    "7z, true",
    "7z, false",
  })
  void membersAreListedInTheArchivesOrderAndReadInAny(String kind, boolean local)
      throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(300);
    try (Source source =
        archives.open(local, kind, archive(kind, files), archives.options(false))) {
      List<SourceFile> listed = list(source);

      assertThat(source.isOrdered()).isTrue();
      assertThat(listed).extracting(SourceFile::name).containsExactlyElementsOf(files.keySet());
      for (SourceFile file : listed) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
      Collections.shuffle(listed, new Random(1));
      for (SourceFile file : listed) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
        assertThat(stream(source, file)).isEqualTo(files.get(file.name()));
      }
    }
  }

  /** As a task of a distributed pack does, which has the plan alone. */
  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "cpio.gz", "ar", "7z"})
  void membersAreReadByAnotherThatDidNotListThem(String kind) throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(20);
    byte[] archive = archive(kind, files);
    try (Source listing = archives.open(true, kind, archive, archives.options(false));
        Source reading = only(Storage.open(), listing.url(), archives.options(true))) {
      for (SourceFile file : list(listing)) {
        assertThat(read(reading, file)).isEqualTo(files.get(file.name()));
      }
    }
  }

  @Test
  void compressedArchiveInItsOwnOrderIsReadAsAStream() throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(50);
    try (Source source =
        archives.open(true, "tar.gz", archive("tar.gz", files), archives.options(true))) {
      for (SourceFile file : list(source)) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
      assertThat(archives.notices()).isEmpty();
    }
  }

  @Test
  void compressedArchiveInAnotherOrderIsKeptInATemporaryFileThatHasNoName() throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(50);
    try (Source source =
        archives.open(true, "tar.gz", archive("tar.gz", files), archives.options(false))) {
      for (SourceFile file : list(source).reversed()) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
      try (Stream<Path> left = Files.list(archives.directory())) {
        assertThat(left.map(path -> path.getFileName().toString())).containsExactly("a.tar.gz");
      }
    }
    assertThat(archives.notices())
        .singleElement()
        .asString()
        .contains("a.tar.gz: is compressed as a whole")
        .contains("kept in a temporary file in " + archives.directory())
        .contains("not packed in its own order, which --order source would keep");
  }

  @Test
  void whatHasPassedInAStreamIsReadFromATemporaryFileAfterAll() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("first.bin", new byte[] {1, 2, 3});
    files.put("large.bin", new byte[80 << 20]);
    files.put("last.bin", new byte[] {4});
    try (Source source =
        archives.open(true, "tar.gz", archive("tar.gz", files), archives.options(true))) {
      List<SourceFile> listed = list(source);

      assertThat(read(source, listed.get(2))).containsExactly(4);
      assertThat(archives.notices()).isEmpty();
      assertThat(read(source, listed.get(0))).containsExactly(1, 2, 3);
      assertThat(read(source, listed.get(2))).containsExactly(4);
      assertThat(archives.notices())
          .singleElement()
          .asString()
          .contains("bytes that its stream has passed are needed again")
          .doesNotContain("--order source");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "ar", "7z"})
  void namesLoseThePathToTheirOwnRoot(String kind) throws IOException {
    byte[] archive = archive(kind, Map.of("././d/a.jpg", new byte[1]));
    try (Source source = archives.object(kind, archive)) {
      assertThat(list(source)).extracting(SourceFile::name).containsExactly("d/a.jpg");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../a.jpg", "a/../../b.jpg", "/etc/a.jpg", "a\\..\\..\\b.jpg", "C:/a.jpg"})
  void namesThatLeadOutOfTheArchiveAreRefusedWithTheirPlace(String name) throws IOException {
    for (String kind : List.of("tar", "zip", "cpio", "ar", "7z")) {
      Map<String, byte[]> files = new LinkedHashMap<>();
      files.put("a.bin", new byte[100]);
      files.put(name, new byte[1]);
      try (Source source = archives.object(kind, archive(kind, files))) {
        assertThatThrownBy(() -> list(source))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("memory://store/a." + kind + " at byte ")
            .hasMessageContaining("leads out of the archive")
            .hasMessageContaining("names must be relative and without \"..\"");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "cpio.gz", "ar"})
  void archiveThatIsCutShortIsAnError(String kind) throws IOException {
    byte[] archive = archive(kind, ArchiveFiles.files(20));
    for (int length : List.of(archive.length / 2, archive.length - 11_000)) {
      byte[] cut = Arrays.copyOf(archive, length);
      try (Source source = archives.object(kind, cut)) {
        assertThatThrownBy(() -> list(source))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("memory://store/a." + kind + " at byte ")
            .hasMessageContaining("cut short");
      }
    }
  }

  @Test
  void linksOfACpioArchiveAreLeftOutAndCounted() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (CpioArchiveOutputStream cpio = new CpioArchiveOutputStream(bytes, "UTF-8")) {
      CpioArchiveEntry hard = new CpioArchiveEntry("hard.txt", 0);
      hard.setNumberOfLinks(2);
      cpio.putArchiveEntry(hard);
      CpioArchiveEntry directory = new CpioArchiveEntry("d", 0);
      directory.setMode(CpioConstants.C_ISDIR | 0755);
      cpio.putArchiveEntry(directory);
      CpioArchiveEntry link = new CpioArchiveEntry("link.txt", 5);
      link.setMode(CpioConstants.C_ISLNK | 0777);
      cpio.putArchiveEntry(link);
      cpio.write("d/abc".getBytes(UTF_8));
      cpio.putArchiveEntry(new CpioArchiveEntry("d/\u00e9.txt", 3));
      cpio.write("abc".getBytes(UTF_8));
      cpio.closeArchiveEntry();
    }
    try (Source source = archives.object("cpio", bytes.toByteArray())) {
      List<SourceFile> files = list(source);

      assertThat(files).extracting(SourceFile::name).containsExactly("d/\u00e9.txt");
      assertThat(read(source, files.getFirst())).isEqualTo("abc".getBytes(UTF_8));
      assertThat(archives.notices()).singleElement().asString().contains("left out 2 links");
    }
  }

  @Test
  void noArchiveAtAllIsAnError() throws IOException {
    byte[] text = "this is a text, not an archive ".repeat(100).getBytes(UTF_8);
    try (Source source = archives.object("tar", text)) {
      assertThatThrownBy(() -> list(source))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a.tar at byte 0: not a tar header");
    }
    assertThatThrownBy(() -> archives.object("zip", text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.zip at byte 0: is no archive of the kind that its name says");
  }

  @ParameterizedTest
  @CsvSource({"PKs/1.jpg, tar", "070701_1.jpg, tar", "070701_1.jpg, tar.gz", "!<arch>/1.jpg, tar"})
  void tarWhoseFirstNameBeginsAsOtherArchivesDoIsATar(String name, String kind) throws IOException {
    byte[] tar = archive(kind, Map.of(name, new byte[3]));
    try (Source source = archives.object(kind, tar)) {
      assertThat(list(source)).extracting(SourceFile::name).containsExactly(name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "ar", "7z"})
  void localArchiveThatIsWrittenToIsNoticedAtTheNextRead(String kind) throws IOException {
    try (Source source =
        archives.open(true, kind, archive(kind, ArchiveFiles.files(3)), archives.options(true))) {
      SourceFile file = list(source).getFirst();
      Path path = archives.directory().resolve("a." + kind);
      Files.setLastModifiedTime(path, FileTime.fromMillis(file.stamp() + 1000));

      assertThatThrownBy(() -> read(source, file))
          .hasMessageContaining(path + ": changed while it was packed")
          .hasMessageContaining("pack again");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip"})
  void objectThatIsReplacedIsNoticedAtTheNextRead(String kind) throws IOException {
    byte[] archive = archive(kind, ArchiveFiles.files(300));
    MemoryStorage storage = new MemoryStorage();
    StorageUrl url = StorageUrl.parse("memory://store/a." + kind);
    storage.write(url, ByteBuffer.wrap(archive));
    try (Source source = only(storage, url.toString(), archives.options(true))) {
      List<SourceFile> files = list(source);
      storage.write(url, ByteBuffer.wrap(archive));

      assertThatThrownBy(() -> read(source, files.get(150)))
          .hasMessageContaining("memory://store/a." + kind + ": changed while it was packed");
    }
    try (Source source = only(storage, url.toString(), archives.options(true))) {
      List<SourceFile> files = list(source);
      storage.write(url, ByteBuffer.wrap(archive));
      Source again = only(storage, url.toString(), archives.options(true));

      assertThatThrownBy(() -> read(again, files.getFirst()))
          .hasMessageContaining("it is not the archive that was listed");
    }
  }

  @Test
  void archiveThatIsNotThereIsAnError() {
    String path = archives.directory().resolve("none.zip").toString();

    assertThatThrownBy(() -> only(Storage.open(), path, archives.options(false)))
        .hasMessageContaining(path)
        .hasMessageContaining("no such file or directory");
  }
}
