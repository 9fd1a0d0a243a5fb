package dev.tarn.shard.tar;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TarReaderTest {
  private static final int BLOCK = TarLayout.BLOCK;

  @TempDir Path directory;

  /** Two members: headers at 0 and 1536, their data, and the end from 2560 on. */
  private static byte[] archive() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    members.put("a.txt", new byte[600]);
    members.put("b.txt", "b".getBytes(UTF_8));
    return TarWriterTest.write(members);
  }

  private static List<String> names(TarReader reader) throws IOException {
    List<String> names = new ArrayList<>();
    for (TarMember member; (member = reader.next()) != null; ) {
      names.add(member.name());
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(ints = {TarArchiveOutputStream.LONGFILE_GNU, TarArchiveOutputStream.LONGFILE_POSIX})
  void longNamesOfAnotherWriterAreRead(int longFileMode) throws IOException {
    String longName = "d/".repeat(120) + "sample.jpg";
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
      tar.setLongFileMode(longFileMode);
      for (String name : List.of("a.txt", longName, "é.txt")) {
        byte[] content = name.getBytes(UTF_8);
        var entry = new TarArchiveEntry(name);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
      }
    }
    for (TarReader reader :
        List.of(
            TarReader.of("a.tar", new ByteArrayInputStream(bytes.toByteArray())),
            TarReader.of("a.tar", ByteBuffer.wrap(bytes.toByteArray())))) {
      List<String> names = new ArrayList<>();
      for (TarMember member; (member = reader.next()) != null; ) {
        names.add(member.name());
        assertThat(UTF_8.decode(reader.readData()).toString()).isEqualTo(member.name());
      }
      assertThat(names).containsExactly("a.txt", longName, "é.txt");
    }
  }

  @Test
  void archiveCutAnywhereBeforeItsEndIsRefusedByOffset() throws IOException {
    byte[] archive = archive();
    int end = 2560 + 2 * BLOCK;
    for (int length = 0; length < end; length += length % BLOCK == 511 ? 1 : 73 % (BLOCK - 1)) {
      byte[] part = Arrays.copyOf(archive, length);
      for (TarReader reader :
          List.of(
              TarReader.of("s.tar", ByteBuffer.wrap(part)),
              TarReader.of("s.tar", new ByteArrayInputStream(part)))) {
        assertThatThrownBy(() -> names(reader))
            .as("%d bytes", length)
            .isInstanceOf(ShardFormatException.class)
            .hasMessageStartingWith("s.tar at byte ")
            .hasMessageContaining("cut short")
            .extracting(thrown -> ((ShardFormatException) thrown).offset())
            .matches(offset -> (long) offset <= part.length);
      }
    }
    assertThat(names(TarReader.of("s.tar", ByteBuffer.wrap(archive, 0, end)))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 512, 1024, 1536, 2048, 2560, 3072})
  void archiveCutAtABlockIsRefused(int length) throws IOException {
    byte[] part = Arrays.copyOf(archive(), length);

    assertThatThrownBy(() -> names(TarReader.of("s.tar", new ByteArrayInputStream(part))))
        .isInstanceOf(ShardFormatException.class)
        .hasMessageContaining("s.tar at byte " + length + ": the archive is cut short");
  }

  @Test
  void dataCutShortIsNeverDelivered() throws IOException {
    byte[] part = Arrays.copyOf(archive(), BLOCK + 599);
    for (TarReader reader :
        List.of(
            TarReader.of("s.tar", ByteBuffer.wrap(part)),
            TarReader.of("s.tar", new ByteArrayInputStream(part)))) {
      reader.next();
      assertThatThrownBy(reader::readData)
          .hasMessage(
              "s.tar at byte 1111: the archive is cut short: at least 1 bytes of a member"
                  + " are missing");
    }
  }

  @Test
  void everyFlippedBitOfAHeaderIsNoticed() throws IOException {
    byte[] archive = archive();
    for (int bit = 0; bit < BLOCK * 8; bit++) {
      byte[] corrupt = archive.clone();
      corrupt[bit / 8] ^= (byte) (1 << bit % 8);
      if (!isOfChecksum(bit / 8)) {
        assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(corrupt))))
            .as("bit %d", bit)
            .isInstanceOf(ShardFormatException.class);
      }
    }
  }

  /** A digit may become another spelling of itself, and what follows the digits says nothing. */
  private static boolean isOfChecksum(int index) {
    return index >= TarFormat.CHECKSUM && index < TarFormat.CHECKSUM + TarFormat.CHECKSUM_LENGTH;
  }

  @Test
  void garbageIsNeverReadAsAnArchive() {
    for (int seed = 0; seed < 300; seed++) {
      byte[] garbage = new byte[new Random(seed).nextInt(4096)];
      new Random(seed).nextBytes(garbage);
      assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(garbage))))
          .isInstanceOf(ShardFormatException.class);
    }
  }

  @Test
  void corruptArchivesFailCleanly() throws IOException {
    byte[] archive = archive();
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      byte[] corrupt = archive.clone();
      int at = random.nextInt(5) * BLOCK;
      corrupt[at + random.nextInt(160)] = (byte) random.nextInt();
      fixChecksum(corrupt, at);
      try {
        names(TarReader.of("s.tar", new ByteArrayInputStream(corrupt)));
      } catch (ShardFormatException expected) {
        assertThat(expected.source()).isEqualTo("s.tar");
      }
    }
  }

  private static void fixChecksum(byte[] archive, int at) {
    Arrays.fill(archive, at + TarFormat.CHECKSUM, at + TarFormat.CHECKSUM + 8, (byte) ' ');
    int sum = 0;
    for (int i = at; i < at + BLOCK; i++) {
      sum += archive[i] & 0xff;
    }
    byte[] digits = "%06o\0 ".formatted(sum).getBytes(US_ASCII);
    System.arraycopy(digits, 0, archive, at + TarFormat.CHECKSUM, 8);
  }

  /** A reader of the same bytes through each kind of input. */
  private List<TarReader> readers(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("s.tar"), bytes);
    Iterator<ByteBuffer> halves =
        List.of(
                ByteBuffer.wrap(bytes, 0, bytes.length / 2),
                ByteBuffer.wrap(bytes, bytes.length / 2, bytes.length - bytes.length / 2))
            .iterator();
    return List.of(
        TarReader.of("s.tar", new ByteArrayInputStream(bytes)),
        TarReader.of("s.tar", FileChannel.open(file)),
        TarReader.of("s.tar", ByteBuffer.wrap(bytes)),
        TarReader.of("s.tar", () -> halves.hasNext() ? halves.next() : null));
  }

  private static byte[] followed(byte[] archive, int zeros, byte[] rest) {
    int length = archive.length + zeros + rest.length;
    return ByteBuffer.allocate(length)
        .put(archive)
        .position(length - rest.length)
        .put(rest)
        .array();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 512, 70_000, 200_192})
  void bytesBehindTheEndAreReportedOnceTheEndIsRead(int zeros) throws IOException {
    byte[] archive = archive();
    byte[] bytes = followed(archive, zeros, "garbage".getBytes(UTF_8));
    int offset = (archive.length + zeros) / BLOCK * BLOCK;
    for (TarReader reader : readers(bytes)) {
      try (reader) {
        assertThat(reader.trailing()).isNull();
        assertThat(names(reader)).containsExactly("a.txt", "b.txt");
        assertThat(reader.trailing())
            .hasMessageStartingWith(
                "s.tar at byte %d: %d bytes follow the archive's end",
                offset, bytes.length - offset);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 512, 200_000})
  void zerosBehindTheEndArePadding(int zeros) throws IOException {
    for (TarReader reader : readers(followed(archive(), zeros, new byte[0]))) {
      try (reader) {
        assertThat(names(reader)).hasSize(2);
        assertThat(reader.trailing()).isNull();
      }
    }
    for (TarReader reader : readers(followed(archive(), zeros, new byte[0]))) {
      try (reader) {
        assertThat(names(reader.ignoringZeros())).hasSize(2);
        assertThat(reader.trailing()).isNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 512, 200_192})
  void archivesOneBehindTheOtherAreReadAsOneOnRequest(int zeros) throws IOException {
    byte[] second = TarWriterTest.write(Map.of("c.txt", "c".getBytes(UTF_8)));
    for (TarReader reader : readers(followed(archive(), zeros, second))) {
      try (reader) {
        assertThat(names(reader.ignoringZeros())).containsExactly("a.txt", "b.txt", "c.txt");
        assertThat(reader.trailing()).isNull();
      }
    }
  }

  @Test
  void garbageBehindZerosIsRefusedIfZerosAreIgnored() throws IOException {
    byte[] archive = archive();
    for (TarReader reader : readers(followed(archive, 512, "garbage".getBytes(UTF_8)))) {
      try (reader) {
        assertThatThrownBy(() -> names(reader.ignoringZeros()))
            .hasMessageStartingWith("s.tar at byte %d: not a tar header", archive.length + 512);
      }
    }
  }

  @Test
  void loneBlockOfZerosIsNotTheEnd() throws IOException {
    byte[] archive = archive();
    System.arraycopy(archive, 0, archive, 2560 + BLOCK, BLOCK);

    assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(archive))))
        .hasMessageContaining("s.tar at byte 2560: a single block of zeros");
  }

  @Test
  void sparseMemberIsRefusedByName() throws IOException {
    byte[] archive = archive();
    archive[TarFormat.TYPE] = 'S';
    fixChecksum(archive, 0);

    assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(archive))))
        .hasMessageContaining("member \"a.txt\" is sparse");
  }

  @Test
  void sizeThatNoDataBacksClaimsNoMemory() throws IOException {
    byte[] archive = archive();
    System.arraycopy("07777777777".getBytes(US_ASCII), 0, archive, TarFormat.SIZE, 11);
    fixChecksum(archive, 0);
    TarReader reader = TarReader.of("s.tar", new ByteArrayInputStream(archive));

    TarMember member = reader.next();

    assertThat(member).isNotNull();
    assertThatThrownBy(reader::readData).isInstanceOf(ShardFormatException.class);
  }

  @Test
  void negativeBase256SizeIsRefused() throws IOException {
    byte[] archive = archive();
    Arrays.fill(archive, TarFormat.SIZE, TarFormat.SIZE + 12, (byte) 0xff);
    fixChecksum(archive, 0);

    assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(archive))))
        .hasMessageContaining("the header's size is neither octal digits nor a positive number");
  }

  /** An archive whose first member has a PAX header of these records. */
  private static byte[] withPax(String records) throws IOException {
    byte[] archive = archive();
    byte[] pax = new byte[2 * BLOCK];
    System.arraycopy(archive, 0, pax, 0, BLOCK);
    byte[] bytes = records.getBytes(UTF_8);
    System.arraycopy(bytes, 0, pax, BLOCK, bytes.length);
    byte[] size = "%011o".formatted(bytes.length).getBytes(US_ASCII);
    System.arraycopy(size, 0, pax, TarFormat.SIZE, size.length);
    pax[TarFormat.TYPE] = 'x';
    fixChecksum(pax, 0);
    return ByteBuffer.allocate(pax.length + archive.length).put(pax).put(archive).array();
  }

  @ParameterizedTest
  @ValueSource(strings = {"28 size=9223372036854775807\n", "28 size=1152921504606846977\n"})
  void sizeBeyondAllStoragesIsRefused(String record) throws IOException {
    byte[] archive = withPax(record);
    for (TarReader reader :
        List.of(
            TarReader.of("s.tar", ByteBuffer.wrap(archive)),
            TarReader.of("s.tar", new ByteArrayInputStream(archive)))) {
      assertThatThrownBy(() -> names(reader))
          .isInstanceOf(ShardFormatException.class)
          .hasMessageStartingWith("s.tar at byte 1024: member \"")
          .hasMessageContaining(" bytes; at most 1152921504606846976 go");
    }
  }

  @Test
  void nameWithANulIsRefused() throws IOException {
    byte[] archive = withPax("16 path=x\0y.txt\n");

    assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(archive))))
        .isInstanceOf(ShardFormatException.class)
        .hasMessageStartingWith("s.tar at byte 1024: the member's name \"x\\u0000y.txt\"");
  }

  /** As Python's tarfile does, which WebDataset reads with. */
  @Test
  void slashesAtTheEndOfAPaxPathAreNoPartOfAMembersName() throws IOException {
    TarReader reader = TarReader.of("s.tar", ByteBuffer.wrap(withPax("18 path=d/x.txt//\n")));

    TarMember member = reader.next();

    assertThat(member).isNotNull();
    assertThat(member.name()).isEqualTo("d/x.txt");
    assertThat(member.isRegular()).isTrue();
    assertThat(names(reader)).containsExactly("b.txt");
  }

  @Test
  void paxPathOfNothingButSlashesIsNoName() throws IOException {
    byte[] archive = withPax("9 path=/\n");

    assertThatThrownBy(() -> names(TarReader.of("s.tar", ByteBuffer.wrap(archive))))
        .isInstanceOf(ShardFormatException.class)
        .hasMessageContaining("the member's name \"\" is empty");
  }
}
