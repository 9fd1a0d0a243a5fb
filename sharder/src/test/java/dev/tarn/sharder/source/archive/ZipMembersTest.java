package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However many members a zip archive has, all are listed. */
final class ZipMembersTest {
  private static final String END = "PK\u0005\u0006";
  private static final String DIRECTORY = "PK\u0001\u0002";
  private static final int LOCATOR_LENGTH = 20;
  private static final int LARGE_LENGTH = 56;

  @TempDir Path directory;

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

  private List<SourceFile> list(byte[] archive) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    StorageUrl url = StorageUrl.parse("memory://store/a.zip");
    storage.write(url, ByteBuffer.wrap(archive));
    SourceOptions options =
        new SourceOptions(ListColumns.DEFAULT, false, directory, ListingFaults.ABORT, notice -> {});
    List<SourceFile> files = new ArrayList<>();
    try (OpenSources sources = OpenSources.open(storage, List.of(url), options)) {
      Source source = sources.all().getFirst();
      source.list(files::add);
      ByteBuffer one = ByteBuffer.allocate(2);
      source.read(files.getLast(), one);
      assertThat(one.get(0)).isEqualTo((byte) (files.size() - 1));
    }
    return files;
  }

  @ParameterizedTest
  @ValueSource(ints = {65_534, 65_535, 65_536, 70_000})
  void membersOfZip64AreAllListed(int count) throws IOException {
    assertThat(list(zip(count))).hasSize(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {65_536, 70_000})
  void membersPastTheNumbersBitsAreAllListed(int count) throws IOException {
    assertThat(list(withoutZip64(zip(count), count))).hasSize(count);
  }

  @Test
  void anotherNumberOfMembersThanTheEndSaysIsAnError() throws IOException {
    byte[] zip = zip(10);
    little(zip).putShort(last(zip, END) + 10, (short) 9);
    assertThatThrownBy(() -> list(zip))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("memory://store/a.zip at byte ")
        .hasMessageContaining("it has 10 members, but the archive's end says 9");

    byte[] large = zip(70_000);
    little(large).putLong(last(large, END) - LOCATOR_LENGTH - LARGE_LENGTH + 32, 70_000 - 65_536);
    assertThatThrownBy(() -> list(large))
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

    assertThat(list(archive.array())).extracting(SourceFile::size).containsExactly(1L);
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

    assertThatThrownBy(() -> list(archive.array()))
        .hasMessageStartingWith("memory://store/a.zip at byte ")
        .hasMessageContaining("the zip directory is corrupt: member \"0.txt\"")
        .hasMessageContaining(text);
  }
}
