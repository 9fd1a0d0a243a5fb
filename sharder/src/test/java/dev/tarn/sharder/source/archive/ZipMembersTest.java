package dev.tarn.sharder.source.archive;

import static dev.tarn.sharder.source.archive.OpenArchives.list;
import static dev.tarn.sharder.source.archive.OpenArchives.read;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream.UnicodeExtraFieldPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ZipMembersTest {
  private static final String END = "PK\u0005\u0006";
  private static final String DIRECTORY = "PK\u0001\u0002";
  private static final int LOCATOR_LENGTH = 20;
  private static final int LARGE_LENGTH = 56;

  private OpenArchives archives;

  @BeforeEach
  void opensIn(@TempDir Path directory) {
    archives = new OpenArchives(directory);
  }

  private static byte[] zip(int count) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    IntStream.range(0, count).forEach(i -> files.put(i + ".txt", new byte[] {(byte) i}));
    return ArchiveFiles.zip(files);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int last(byte[] archive, String magic) {
    return new String(archive, ISO_8859_1).lastIndexOf(magic);
  }

  /** As archivers write it that know nothing of zip64: the number of members loses its bits. */
  private static byte[] withoutZip64(byte[] zip, int count) {
    int end = last(zip, END);
    int begin = end - LOCATOR_LENGTH - LARGE_LENGTH;
    ByteBuffer record = little(zip);
    record.putShort(end + 8, (short) count).putShort(end + 10, (short) count);
    ByteBuffer archive = ByteBuffer.allocate(zip.length - LOCATOR_LENGTH - LARGE_LENGTH);
    return archive.put(zip, 0, begin).put(zip, end, zip.length - end).array();
  }

  private List<SourceFile> listAndRead(byte[] archive) throws IOException {
    try (Source source = archives.object("zip", archive)) {
      List<SourceFile> files = list(source);
      assertThat(read(source, files.getLast())).containsExactly((byte) (files.size() - 1));
      return files;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {65_534, 65_535, 65_536, 70_000})
  void membersOfZip64AreAllListed(int count) throws IOException {
    assertThat(listAndRead(zip(count))).hasSize(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {65_536, 70_000})
  void membersPastTheNumbersBitsAreAllListed(int count) throws IOException {
    assertThat(listAndRead(withoutZip64(zip(count), count))).hasSize(count);
  }

  @Test
  void anotherNumberOfMembersThanTheEndSaysIsAnError() throws IOException {
    byte[] zip = zip(10);
    little(zip).putShort(last(zip, END) + 10, (short) 9);
    assertThatThrownBy(() -> listAndRead(zip))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("memory://store/a.zip at byte ")
        .hasMessageContaining("it has 10 members, but the archive's end says 9");

    byte[] large = zip(70_000);
    little(large).putLong(last(large, END) - LOCATOR_LENGTH - LARGE_LENGTH + 32, 70_000 - 65_536);
    assertThatThrownBy(() -> listAndRead(large))
        .hasMessageContaining("it has 70000 members, but the archive's end says 4464");
  }

  @Test
  void sizesAndPlacesOfZip64AreReadFromTheMembersExtraField() throws IOException {
    byte[] zip = zip(1);
    int at = last(zip, DIRECTORY);
    int end = last(zip, END);
    ByteBuffer plain = little(zip);
    ByteBuffer extra = ByteBuffer.allocate(28).order(ByteOrder.LITTLE_ENDIAN);
    extra.putShort((short) 1).putShort((short) 24);
    for (int field : new int[] {24, 20, 42}) {
      extra.putLong(Integer.toUnsignedLong(plain.getInt(at + field)));
      plain.putInt(at + field, -1);
    }
    plain.putShort(at + 30, (short) extra.capacity());
    plain.putInt(end + 12, end - at + extra.capacity());
    ByteBuffer archive = ByteBuffer.allocate(zip.length + extra.capacity());
    archive.put(zip, 0, end).put(extra.array()).put(zip, end, zip.length - end);

    assertThat(listAndRead(archive.array())).extracting(SourceFile::size).containsExactly(1L);
  }

  @ParameterizedTest
  @CsvSource({
    "20, 9223372036854775807, is not in it",
    "20, 200, is not in it",
    "24, 9223372036854775807, cannot be stored in",
    "24, 5000, cannot be stored in"
  })
  void lengthsThatTheArchiveHasNoRoomForAreRefused(int field, long value, String text)
      throws IOException {
    byte[] zip = zip(1);
    int at = last(zip, DIRECTORY);
    int end = last(zip, END);
    ByteBuffer extra = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    extra.putShort((short) 1).putShort((short) 8).putLong(value);
    little(zip).putInt(at + field, -1).putShort(at + 30, (short) extra.capacity());
    little(zip).putInt(end + 12, end - at + extra.capacity());
    ByteBuffer archive = ByteBuffer.allocate(zip.length + extra.capacity());
    archive.put(zip, 0, end).put(extra.array()).put(zip, end, zip.length - end);

    assertThatThrownBy(() -> listAndRead(archive.array()))
        .hasMessageStartingWith("memory://store/a.zip at byte ")
        .hasMessageContaining("the zip directory is corrupt: member \"0.txt\"")
        .hasMessageContaining(text);
  }

  @Test
  void zipOfSeveralPartsIsRefusedByName() throws IOException {
    byte[] archive = ArchiveFiles.zip(ArchiveFiles.files(3));
    archive[new String(archive, ISO_8859_1).lastIndexOf("PK\u0005\u0006") + 4] = 2;
    try (Source source = archives.object("zip", archive)) {
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
    try (Source source = archives.object("zip", archive)) {
      assertThat(list(source)).extracting(SourceFile::name).containsExactly("d/\u00e9\udcff.txt");
    }
  }

  @Test
  void corruptDataOfAZipMemberIsAnErrorThatNamesIt() throws IOException {
    byte[] archive = ArchiveFiles.zip(Map.of("a.bin", new byte[10_000]));
    archive[40] ^= 0x55;
    try (Source source = archives.object("zip", archive)) {
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
    try (Source source = archives.object("zip", archive)) {
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
    "10, 14, 'is compressed by lzma, but only stored and deflated members can be read'",
    "10, 93, 'is compressed by zstd, but only stored and deflated members can be read'",
    "10, 4711, is compressed by method 4711",
  })
  void zipMembersThatCannotBeReadAreNamedWithWhatWouldHelp(int field, int value, String message)
      throws IOException {
    byte[] archive =
        withDirectoryField(ArchiveFiles.zip(Map.of("a.bin", new byte[9])), field, value);
    try (Source source = archives.object("zip", archive)) {
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
    try (Source source = archives.object("zip", archive.array())) {
      List<SourceFile> listed = list(source);
      assertThat(listed).hasSize(10);
      for (SourceFile file : listed) {
        assertThat(read(source, file)).isEqualTo(files.get(file.name()));
      }
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
    try (Source source = archives.object("zip", cut)) {
      assertThatThrownBy(() -> list(source))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.zip at byte ")
          .hasMessageContaining("cut short");
    }
  }

  private static byte[] behindAProgram(byte[] zip) {
    return ByteBuffer.allocate(4000 + zip.length).put("MZ".getBytes(UTF_8)).put(4000, zip).array();
  }

  @Test
  void membersOfZip64BehindAProgramAreRead() throws IOException {
    assertThat(listAndRead(behindAProgram(zip(65_536)))).hasSize(65_536);
  }

  @ParameterizedTest
  @ValueSource(ints = {-46, -1, 1, 46})
  void directoryOfAnotherLengthThanTheEndSaysIsAnError(int difference) throws IOException {
    for (byte[] zip : List.of(zip(10), behindAProgram(zip(10)))) {
      int field = last(zip, END) + 12;
      little(zip).putInt(field, little(zip).getInt(field) + difference);
      assertThatThrownBy(() -> listAndRead(zip))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.zip at byte ")
          .hasMessageContaining("corrupt");
    }
  }

  @Test
  void directoryThatNeedsMoreMemoryThanTheHeapHasIsRefusedWithTheHeapThatItNeeds()
      throws IOException {
    byte[] zip = zip(65_536);
    ByteBuffer record = little(zip);
    int large = last(zip, END) - LOCATOR_LENGTH - LARGE_LENGTH;
    // as though most of the file were the directory of a large archive
    long bytes = Runtime.getRuntime().maxMemory() / 12 + (1 << 20);
    record.putLong(large + 40, bytes).putLong(large + 48, 0);
    PositionedBytes sparse = new SparseBytes(record, large, bytes);
    assertThatThrownBy(() -> ZipDirectory.open("a.zip", sparse))
        .hasMessageMatching(
            "a.zip: the zip directory has \\d+ MiB and the limit is \\d+ MiB .*-Xmx\\d+m.*");
  }

  /** The product's options are SerialGC and -Xmn16m: the survivor space has a tenth of those. */
  @ParameterizedTest
  @ValueSource(longs = {1 << 20, (9 << 20) - 1, 100 << 20, 1L << 40})
  void heapThatIsAdvisedSufficesWithoutASurvivorSpace(long directoryLength) {
    long survivor = (16 << 20) / 10;
    long heap = (ZipDirectory.heapMiB(directoryLength) << 20) - survivor;
    assertThat(heap / 12).isGreaterThanOrEqualTo(directoryLength);
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807",
    "9223372036854775807, 0",
    "0, 9223372036854775807",
    "100000000, 0",
  })
  void zip64EndThatLeadsOutOfTheFileIsAnError(long length, long offset) throws IOException {
    byte[] zip = zip(65_536);
    int large = last(zip, END) - LOCATOR_LENGTH - LARGE_LENGTH;
    little(zip).putLong(large + 40, length).putLong(large + 48, offset);
    try (Source source = archives.object("zip", zip)) {
      assertThatThrownBy(() -> list(source))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "its end says that the directory has %d bytes from byte %d"
                  .formatted(length, offset));
    }
  }

  /**
   * Bytes with a gap before their end.
   *
   * @param end the offset in the bytes of what follows the gap
   * @param gapEnd the offset in the file
   */
  private record SparseBytes(ByteBuffer bytes, int end, long gapEnd) implements PositionedBytes {
    @Override
    public long size() {
      return gapEnd + bytes.capacity() - end;
    }

    @Override
    public int read(long offset, ByteBuffer target) {
      int start = target.position();
      for (long at = offset; target.hasRemaining() && at < size(); at++) {
        target.put(at < gapEnd ? 0 : bytes.get((int) (at - gapEnd) + end));
      }
      return target.position() - start;
    }

    @Override
    public void close() {}
  }

  /** Gives the names of members, in archives that a program of another kind or age made. */
  private List<String> names(byte[] archive) throws IOException {
    try (Source source = archives.object("zip", archive)) {
      return list(source).stream().map(SourceFile::name).toList();
    }
  }

  /**
   * @param charset in which the names are written
   * @param flagged whether the archive says that names are UTF-8
   */
  private static byte[] named(
      String name, String charset, boolean flagged, UnicodeExtraFieldPolicy extra, int platform)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
      zip.setEncoding(charset);
      zip.setUseLanguageEncodingFlag(flagged);
      zip.setCreateUnicodeExtraFields(extra);
      ZipArchiveEntry entry = new ZipArchiveEntry(name);
      if (platform != ZipArchiveEntry.PLATFORM_FAT) {
        entry.setUnixMode(0644);
      }
      zip.putArchiveEntry(entry);
      zip.write(1);
      zip.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-8, true, NEVER",
    "UTF-8, false, NEVER",
    "IBM437, false, NEVER",
    "ISO-8859-1, false, ALWAYS",
  })
  void namesAreReadInTheEncodingOfTheirProgram(String charset, boolean flagged, String extra)
      throws IOException {
    UnicodeExtraFieldPolicy policy =
        extra.equals("ALWAYS") ? UnicodeExtraFieldPolicy.ALWAYS : UnicodeExtraFieldPolicy.NEVER;

    byte[] zip = named("caf\u00e9/1.jpg", charset, flagged, policy, ZipArchiveEntry.PLATFORM_UNIX);

    assertThat(names(zip)).containsExactly("caf\u00e9/1.jpg");
  }

  @Test
  void unicodeNameOfAnotherNameIsNotTaken() throws IOException {
    byte[] zip =
        named(
            "caf\u00e9.jpg",
            "IBM437",
            false,
            UnicodeExtraFieldPolicy.ALWAYS,
            ZipArchiveEntry.PLATFORM_UNIX);
    String renamed = new String(zip, ISO_8859_1).replace("caf\u0082.jpg", "tub\u0082.jpg");

    assertThat(names(renamed.getBytes(ISO_8859_1))).containsExactly("tub\u00e9.jpg");
  }

  @Test
  void backslashesOfOldWindowsProgramsSeparateFolders() throws IOException {
    UnicodeExtraFieldPolicy never = UnicodeExtraFieldPolicy.NEVER;
    byte[] windows = named("a!b!1.jpg", "UTF-8", true, never, ZipArchiveEntry.PLATFORM_FAT);
    byte[] unix = named("a!b!1.jpg", "UTF-8", true, never, ZipArchiveEntry.PLATFORM_UNIX);

    assertThat(names(withBackslashes(windows))).containsExactly("a/b/1.jpg");
    assertThat(names(withBackslashes(unix))).containsExactly("a\\b\\1.jpg");
  }

  private static byte[] withBackslashes(byte[] zip) {
    return new String(zip, ISO_8859_1).replace("a!b!1.jpg", "a\\b\\1.jpg").getBytes(ISO_8859_1);
  }
}
