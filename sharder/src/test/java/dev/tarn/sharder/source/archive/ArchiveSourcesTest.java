package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
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
import org.apache.commons.compress.archivers.sevenz.SevenZArchiveEntry;
import org.apache.commons.compress.archivers.sevenz.SevenZOutputFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ArchiveSourcesTest {
  private final List<String> notices = new ArrayList<>();

  @TempDir Path directory;

  private SourceOptions options(boolean keepsOrder) {
    return new SourceOptions(
        ListColumns.DEFAULT, keepsOrder, directory, ListingFaults.ABORT, notices::add);
  }

  private static byte[] archive(String kind, Map<String, byte[]> files) throws IOException {
    return switch (kind) {
      case "tar" -> ArchiveFiles.tar(files);
      case "tar.gz" -> ArchiveFiles.gzip(ArchiveFiles.tar(files));
      case "zip" -> ArchiveFiles.zip(files);
      case "cpio" -> ArchiveFiles.cpio(files);
      case "cpio.gz" -> ArchiveFiles.gzip(ArchiveFiles.cpio(files));
      case "ar" -> ArchiveFiles.ar(files);
      case "7z" -> ArchiveFiles.sevenZip(files);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** The archive as a local file, or as an object. */
  private Source open(boolean local, String kind, byte[] archive, SourceOptions options)
      throws IOException {
    if (local) {
      Path path = Files.write(directory.resolve("a." + kind), archive);
      return only(Storage.open(), path.toString(), options);
    }
    MemoryStorage storage = new MemoryStorage();
    String url = "memory://store/a." + kind;
    storage.write(StorageUrl.parse(url), ByteBuffer.wrap(archive));
    return only(storage, url, options);
  }

  private static Source only(Storage storage, String url, SourceOptions options)
      throws IOException {
    return OpenSources.open(storage, List.of(StorageUrl.parse(url)), options).all().getFirst();
  }

  private static List<SourceFile> list(Source source) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    source.list(files::add);
    return files;
  }

  private static byte[] read(Source source, SourceFile file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) file.size() + 1);
    assertThat(source.read(file, buffer)).isEqualTo((int) file.size());
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static byte[] stream(Source source, SourceFile file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) file.size() + 1);
    try (ReadableByteChannel channel = source.open(file)) {
      while (channel.read(buffer) >= 0) {
        // on to its end
      }
    }
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
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
    try (Source source = open(local, kind, archive(kind, files), options(false))) {
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
    try (Source listing = open(true, kind, archive, options(false));
        Source reading = only(Storage.open(), listing.url(), options(true))) {
      for (SourceFile file : list(listing)) {
        assertThat(read(reading, file)).isEqualTo(files.get(file.name()));
      }
    }
  }

  @Test
  void compressedArchiveInItsOwnOrderIsReadAsAStream() throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(50);
    try (Source source = open(true, "tar.gz", archive("tar.gz", files), options(true))) {
      for (SourceFile file : list(source)) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
      assertThat(notices).isEmpty();
    }
  }

  @Test
  void compressedArchiveInAnotherOrderIsKeptInATemporaryFileThatHasNoName() throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(50);
    try (Source source = open(true, "tar.gz", archive("tar.gz", files), options(false))) {
      for (SourceFile file : list(source).reversed()) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left.map(path -> path.getFileName().toString())).containsExactly("a.tar.gz");
      }
    }
    assertThat(notices)
        .singleElement()
        .asString()
        .contains("a.tar.gz: is compressed as a whole")
        .contains("kept in a temporary file in " + directory)
        .contains("not packed in its own order, which --order source would keep");
  }

  @Test
  void whatHasPassedInAStreamIsReadFromATemporaryFileAfterAll() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("first.bin", new byte[] {1, 2, 3});
    files.put("large.bin", new byte[80 << 20]);
    files.put("last.bin", new byte[] {4});
    try (Source source = open(true, "tar.gz", archive("tar.gz", files), options(true))) {
      List<SourceFile> listed = list(source);

      assertThat(read(source, listed.get(2))).containsExactly(4);
      assertThat(notices).isEmpty();
      assertThat(read(source, listed.get(0))).containsExactly(1, 2, 3);
      assertThat(read(source, listed.get(2))).containsExactly(4);
      assertThat(notices)
          .singleElement()
          .asString()
          .contains("what had passed by in its stream is needed after all")
          .doesNotContain("--order source");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "ar", "7z"})
  void namesLoseThePathToTheirOwnRoot(String kind) throws IOException {
    byte[] archive = archive(kind, Map.of("././d/a.jpg", new byte[1]));
    try (Source source = open(false, kind, archive, options(false))) {
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
      try (Source source = open(false, kind, archive(kind, files), options(false))) {
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
      try (Source source = open(false, kind, cut, options(false))) {
        assertThatThrownBy(() -> list(source))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("memory://store/a." + kind + " at byte ")
            .hasMessageContaining("cut short");
      }
    }
  }

  @Test
  void sevenZipThatIsCutShortIsAnError() throws IOException {
    byte[] archive = ArchiveFiles.sevenZip(ArchiveFiles.files(20));
    byte[] cut = Arrays.copyOf(archive, archive.length / 2);
    try (Source source = open(false, "7z", cut, options(false))) {
      assertThatThrownBy(() -> list(source))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.7z at byte 0: the archive is corrupt");
    }
  }

  @Test
  void encryptedSevenZipIsRefusedByName() throws IOException {
    SeekableInMemoryByteChannel bytes = new SeekableInMemoryByteChannel();
    try (SevenZOutputFile archive = new SevenZOutputFile(bytes, "secret".toCharArray())) {
      SevenZArchiveEntry entry = new SevenZArchiveEntry();
      entry.setName("a.txt");
      archive.putArchiveEntry(entry);
      archive.write("text".getBytes(UTF_8));
      archive.closeArchiveEntry();
    }
    byte[] archive = Arrays.copyOf(bytes.array(), (int) bytes.size());
    try (Source source = open(false, "7z", archive, options(false))) {
      List<SourceFile> files = list(source);

      assertThatThrownBy(() -> read(source, files.getFirst()))
          .hasMessage("memory://store/a.7z: is encrypted: extract it first, as 7z x does");
    }
  }

  @Test
  void corruptDataOfASevenZipMemberIsAnError() throws IOException {
    byte[] archive = ArchiveFiles.sevenZip(Map.of("a.bin", new byte[100_000]));
    archive[60] ^= 0x55;
    try (Source source = open(false, "7z", archive, options(false))) {
      SourceFile file = list(source).getFirst();

      assertThatThrownBy(() -> read(source, file))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.7z at byte 0: the archive is corrupt");
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
    try (Source source = open(false, "cpio", bytes.toByteArray(), options(false))) {
      List<SourceFile> files = list(source);

      assertThat(files).extracting(SourceFile::name).containsExactly("d/\u00e9.txt");
      assertThat(read(source, files.getFirst())).isEqualTo("abc".getBytes(UTF_8));
      assertThat(notices).singleElement().asString().contains("left out 2 links");
    }
  }

  @Test
  void zipOfSeveralPartsIsRefusedByName() throws IOException {
    byte[] archive = ArchiveFiles.zip(ArchiveFiles.files(3));
    archive[new String(archive, ISO_8859_1).lastIndexOf("PK\u0005\u0006") + 4] = 2;
    try (Source source = open(false, "zip", archive, options(false))) {
      assertThatThrownBy(() -> list(source))
          .hasMessageStartingWith("memory://store/a.zip: one of several parts of a zip archive");
    }
  }

  @Test
  void zipNamesAreTheBytesThatTheArchiveHolds() throws IOException {
    byte[] archive = ArchiveFiles.zip(Map.of("d/\u00e9?.txt", new byte[1]));
    for (int at = 0; at < archive.length; at++) {
      archive[at] = archive[at] == '?' ? (byte) 0xff : archive[at];
    }
    try (Source source = open(false, "zip", archive, options(false))) {
      assertThat(list(source)).extracting(SourceFile::name).containsExactly("d/\u00e9\udcff.txt");
    }
  }

  @Test
  void noArchiveAtAllIsAnError() throws IOException {
    for (String kind : List.of("tar", "zip")) {
      byte[] text = "this is a text, not an archive ".repeat(100).getBytes(UTF_8);
      try (Source source = open(false, kind, text, options(false))) {
        assertThatThrownBy(() -> list(source))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("a." + kind + " at byte 0: no tar header");
      }
    }
  }

  @Test
  void corruptDataOfAZipMemberIsAnErrorThatNamesIt() throws IOException {
    byte[] archive = ArchiveFiles.zip(Map.of("a.bin", new byte[10_000]));
    archive[40] ^= 0x55;
    try (Source source = open(false, "zip", archive, options(false))) {
      SourceFile file = list(source).getFirst();

      assertThatThrownBy(() -> read(source, file))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.zip, member \"a.bin\" at byte 0: corrupt: ")
          .hasMessageContaining("unzip -t");
    }
  }

  @Test
  void wrongCrcOfAStoredZipMemberIsAnError() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("a.bin", new byte[0]);
    files.put("b.bin", "stored as it is".getBytes(UTF_8));
    byte[] archive = ArchiveFiles.zip(files);
    int at = new String(archive, ISO_8859_1).indexOf("stored as it is");
    archive[at] ^= 1;
    try (Source source = open(false, "zip", archive, options(false))) {
      SourceFile file = list(source).get(1);

      assertThatThrownBy(() -> read(source, file))
          .hasMessageContaining("member \"b.bin\"")
          .hasMessageContaining("CRC32");
    }
  }

  /** Changes two bytes of the first entry in the archive's directory. */
  private static byte[] withDirectoryField(byte[] archive, int field, int value) {
    int at = new String(archive, ISO_8859_1).indexOf("PK\u0001\u0002");
    archive[at + field] = (byte) value;
    archive[at + field + 1] = (byte) (value >> 8);
    return archive;
  }

  @ParameterizedTest
  @CsvSource({
    "8, 1, is encrypted: decrypt the archive first",
    "10, 14, 'is compressed by lzma, stored or deflated members are read'",
    "10, 93, 'is compressed by zstd, stored or deflated members are read'",
    "10, 4711, is compressed by method 4711",
  })
  void zipMembersThatCannotBeReadAreNamedWithWhatWouldHelp(int field, int value, String message)
      throws IOException {
    byte[] archive =
        withDirectoryField(ArchiveFiles.zip(Map.of("a.bin", new byte[9])), field, value);
    try (Source source = open(false, "zip", archive, options(false))) {
      assertThatThrownBy(() -> list(source))
          .hasMessageStartingWith("memory://store/a.zip at byte 0: member \"a.bin\" " + message);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"MZ", "#!/bin/sh\n", "PK", "\u0000"})
  void zipBehindAProgramAndBeforeACommentIsRead(String program) throws IOException {
    Map<String, byte[]> files = ArchiveFiles.files(10);
    byte[] zip = ArchiveFiles.zip(files);
    ByteBuffer archive = ByteBuffer.allocate(4000 + zip.length + 300);
    archive.put(program.getBytes(ISO_8859_1)).position(4000).put(zip);
    archive.putShort(archive.position() - 2, Short.reverseBytes((short) 300));
    try (Source source = open(false, "zip", archive.array(), options(false))) {
      List<SourceFile> listed = list(source);
      assertThat(listed).hasSize(10);
      for (SourceFile file : listed) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"PKs/1.jpg, tar", "070701_1.jpg, tar", "070701_1.jpg, tar.gz", "!<arch>/1.jpg, tar"})
  void tarWhoseFirstNameBeginsAsOtherArchivesDoIsATar(String name, String kind) throws IOException {
    byte[] tar = archive(kind, Map.of(name, new byte[3]));
    try (Source source = open(false, kind, tar, options(false))) {
      assertThat(list(source)).extracting(SourceFile::name).containsExactly(name);
    }
  }

  @Test
  void zipThatIsCutBehindAZipStoredInItDoesNotPassForThatZip() throws IOException {
    byte[] inner = ArchiveFiles.zip(Map.of("inner.jpg", new byte[9]));
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("a.jpg", new byte[3]);
    files.put("inner.zip", inner);
    files.put("z.bin", new byte[500]);
    byte[] outer = ArchiveFiles.zip(files);
    int innerAt = new String(outer, ISO_8859_1).indexOf(new String(inner, ISO_8859_1));
    byte[] cut = Arrays.copyOf(outer, innerAt + inner.length + 20);
    try (Source source = open(false, "zip", cut, options(false))) {
      assertThatThrownBy(() -> list(source))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.zip at byte ")
          .hasMessageContaining("cut short");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tar", "tar.gz", "zip", "cpio", "ar", "7z"})
  void localArchiveThatIsWrittenToIsNoticedAtTheNextRead(String kind) throws IOException {
    try (Source source = open(true, kind, archive(kind, ArchiveFiles.files(3)), options(true))) {
      SourceFile file = list(source).getFirst();
      Path path = directory.resolve("a." + kind);
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
    try (Source source = only(storage, url.toString(), options(true))) {
      List<SourceFile> files = list(source);
      storage.write(url, ByteBuffer.wrap(archive));

      assertThatThrownBy(() -> read(source, files.get(150)))
          .hasMessageContaining("memory://store/a." + kind + ": changed while it was packed");
    }
    try (Source source = only(storage, url.toString(), options(true))) {
      List<SourceFile> files = list(source);
      storage.write(url, ByteBuffer.wrap(archive));
      Source again = only(storage, url.toString(), options(true));

      assertThatThrownBy(() -> read(again, files.getFirst()))
          .hasMessageContaining("it is not the archive that was listed");
    }
  }

  @Test
  void archiveThatIsNotThereIsAnError() {
    String path = directory.resolve("none.zip").toString();

    assertThatThrownBy(() -> only(Storage.open(), path, options(false)))
        .hasMessageContaining(path)
        .hasMessageContaining("no such file or directory");
  }
}
