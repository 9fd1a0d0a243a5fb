package dev.tarn.shard.tar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TarReaderTest {
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
}
