package dev.tarn.shard.tar;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.name.MemberNames;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TarWriterTest {
  @Test
  void anotherReaderFindsWhatWasWritten() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    members.put("a.txt", "hello".getBytes(UTF_8));
    members.put("empty.bin", new byte[0]);
    members.put("n".repeat(100), new byte[512]);
    members.put("日".repeat(60) + ".jpg", new byte[300_000]);

    byte[] archive = write(members);

    assertThat(archive.length % 10_240).isZero();
    try (var tar = new TarArchiveInputStream(new ByteArrayInputStream(archive), "UTF-8")) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        TarArchiveEntry entry = tar.getNextEntry();
        assertThat(entry.getName()).isEqualTo(member.getKey());
        assertThat(entry.getMode()).isEqualTo(0444);
        assertThat(entry.getLongUserId() + entry.getLongGroupId()).isZero();
        assertThat(entry.getLastModifiedTime().toMillis())
            .isEqualTo(HeaderEncoder.DEFAULT_TIME * 1000);
        assertThat(tar.readAllBytes()).isEqualTo(member.getValue());
      }
      assertThat(tar.getNextEntry()).isNull();
    }
  }

  @Test
  void shortNameCostsOneHeaderBlockAndNoExtendedHeader() throws IOException {
    byte[] archive = write(Map.of("n".repeat(100), new byte[1]));

    assertThat(new String(archive, 0, 100, US_ASCII)).isEqualTo("n".repeat(100));
    assertThat(archive[TarFormat.TYPE]).isEqualTo((byte) '0');
    assertThat(Arrays.copyOfRange(archive, TarFormat.MAGIC, TarFormat.MAGIC + 8))
        .isEqualTo("ustar\u000000".getBytes(US_ASCII));
  }

  @Test
  void randomArchivesReadBackFromEverySource() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Map<String, byte[]> members = new LinkedHashMap<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        byte[] name = new byte[1 + random.nextInt(random.nextBoolean() ? 30 : 400)];
        for (int b = 0; b < name.length; b++) {
          name[b] = (byte) (random.nextInt(20) == 0 ? 1 + random.nextInt(255) : 'a');
        }
        name[name.length - 1] = 'z';
        byte[] data = new byte[random.nextInt(random.nextBoolean() ? 2000 : 200_000)];
        random.nextBytes(data);
        members.put(MemberNames.decode(name), data);
      }
      byte[] archive = write(members);

      assertThat(archive.length % 10_240).isZero();
      assertThat(readAll(TarReader.of("x", ByteBuffer.wrap(archive)))).isEqualTo(hashed(members));
      assertThat(readAll(TarReader.of("x", new DribblingStream(archive, random))))
          .isEqualTo(hashed(members));
    }
  }

  private static Map<String, Integer> readAll(TarReader reader) throws IOException {
    Map<String, Integer> found = new LinkedHashMap<>();
    for (TarMember member; (member = reader.next()) != null; ) {
      ByteBuffer data = reader.readData();
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      found.put(member.name(), Arrays.hashCode(bytes));
    }
    return found;
  }

  private static Map<String, Integer> hashed(Map<String, byte[]> members) {
    Map<String, Integer> hashes = new LinkedHashMap<>();
    members.forEach((name, data) -> hashes.put(name, Arrays.hashCode(data)));
    return hashes;
  }

  @Test
  void sizeBeyondEightGibibytesGoesIntoAPaxRecord() throws IOException {
    long size = (1L << 33) + 5;
    ByteBuffer headers = ByteBuffer.allocate(TarLayout.headerLength(new byte[] {'a'}, size));
    new HeaderEncoder(0).encode(headers, new byte[] {'a'}, size);

    assertThat(headers.hasRemaining()).isFalse();
    TarMember member = TarReader.of("x", headers.flip()).next();
    assertThat(member).isEqualTo(new TarMember("a", MemberType.REGULAR, size, 0, 1536));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\0b", "dir/"})
  void nameThatTarCannotExpressIsRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> write(Map.of(name, new byte[0])));
  }

  @Test
  void memberMustHaveExactlyTheAnnouncedSize() throws IOException {
    var writer = new TarWriter(Channels.newChannel(new ByteArrayOutputStream()));
    writer.begin("a", 2);
    assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(3)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
  }

  static byte[] write(Map<String, byte[]> members) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var writer = new TarWriter(Channels.newChannel(bytes))) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        long data = writer.begin(member.getKey(), member.getValue().length);
        assertThat(data % TarLayout.BLOCK).isZero();
        writer.write(ByteBuffer.wrap(member.getValue()));
      }
      writer.finish();
      assertThat(writer.position()).isEqualTo(bytes.size());
    }
    return bytes.toByteArray();
  }
}
