package dev.tarn.sharder.source.archive;

import static dev.tarn.sharder.source.archive.OpenArchives.list;
import static dev.tarn.sharder.source.archive.OpenArchives.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.sevenz.SevenZArchiveEntry;
import org.apache.commons.compress.archivers.sevenz.SevenZOutputFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SevenZipMembersTest {
  private OpenArchives archives;

  @BeforeEach
  void opensIn(@TempDir Path directory) {
    archives = new OpenArchives(directory);
  }

  @Test
  void archiveThatIsCutShortIsAnError() throws IOException {
    byte[] archive = ArchiveFiles.sevenZip(ArchiveFiles.files(20));
    byte[] cut = Arrays.copyOf(archive, archive.length / 2);
    try (Source source = archives.object("7z", cut)) {
      assertThatThrownBy(() -> list(source))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/a.7z at byte 0: the archive is corrupt");
    }
  }

  @Test
  void encryptedArchiveIsRefusedWhenItIsListed() throws IOException {
    SeekableInMemoryByteChannel bytes = new SeekableInMemoryByteChannel();
    try (SevenZOutputFile archive = new SevenZOutputFile(bytes, "secret".toCharArray())) {
      SevenZArchiveEntry entry = new SevenZArchiveEntry();
      entry.setName("a.txt");
      archive.putArchiveEntry(entry);
      archive.write("text".getBytes(UTF_8));
      archive.closeArchiveEntry();
    }
    byte[] archive = Arrays.copyOf(bytes.array(), (int) bytes.size());
    try (Source source = archives.object("7z", archive)) {
      assertThatThrownBy(() -> list(source))
          .hasMessage("memory://store/a.7z: the archive is encrypted; extract it first (7z x)");
    }
  }

  @Test
  void corruptDataIsAnError() throws IOException {
    byte[] archive = ArchiveFiles.sevenZip(Map.of("a.bin", new byte[100_000]));
    archive[60] ^= 0x55;
    try (Source source = archives.object("7z", archive)) {
      SourceFile file = list(source).getFirst();

      assertThatThrownBy(() -> read(source, file))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              "memory://store/a.7z at byte 0 of its uncompressed data: the archive is corrupt");
    }
  }

  private static Map<String, byte[]> twoMembers() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("a.bin", "the first".getBytes(UTF_8));
    files.put("b.bin", "the last".getBytes(UTF_8));
    return files;
  }

  @Test
  void membersOfASolidArchiveAreRead() throws IOException {
    try (Source source =
        archives.object("7z", SolidSevenZip.of(SolidSevenZip.COPY, "").write(twoMembers()))) {
      for (SourceFile file : list(source)) {
        assertThat(read(source, file)).isEqualTo(twoMembers().get(file.name()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void corruptDataOfASolidArchiveIsAnErrorOfItsMember(int member) throws IOException {
    byte[] archive = SolidSevenZip.of(SolidSevenZip.COPY, "").write(twoMembers());
    archive[member == 0 ? 33 : 45] ^= 1;
    for (boolean keepsOrder : List.of(true, false)) {
      try (Source source = archives.open(false, "7z", archive, archives.options(keepsOrder))) {
        SourceFile file = list(source).get(member);

        assertThatThrownBy(() -> read(source, file))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("memory://store/a.7z at byte ")
            .hasMessageContaining(
                " of its uncompressed data: the archive is corrupt: member \""
                    + file.name()
                    + "\"");
      }
    }
  }

  @Test
  void memberWithoutAChecksumThatEndsTooEarlyIsAnError() throws IOException {
    Map<String, byte[]> files = twoMembers();
    byte[] archive = new SolidSevenZip(SolidSevenZip.COPY, "", false, 5).write(files);
    try (Source source = archives.object("7z", archive)) {
      List<SourceFile> listed = list(source);

      assertThat(read(source, listed.get(0))).isEqualTo(files.get("a.bin"));
      assertThatThrownBy(() -> read(source, listed.get(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("member \"b.bin\": ends after 3 of 8 bytes");
    }
  }

  @Test
  void unsupportedMethodIsNamed() throws IOException {
    try (Source source =
        archives.object("7z", SolidSevenZip.of(SolidSevenZip.PPMD, "").write(twoMembers()))) {
      assertThatThrownBy(() -> list(source))
          .hasMessage(
              "memory://store/a.7z: compression method PPMd is not supported; extract the archive"
                  + " (7z x), or make it again with -m0=lzma2");
    }
  }

  @Test
  void decoderOverTheMemoryLimitIsRefusedWithTheLimit() throws IOException {
    long limitMiB = Math.min(512, Runtime.getRuntime().maxMemory() / 4 / (1 << 20));
    byte[] archive =
        SolidSevenZip.of(SolidSevenZip.LZMA, SolidSevenZip.LARGE_DICTIONARY).write(twoMembers());
    try (Source source = archives.object("7z", archive)) {
      assertThatThrownBy(() -> list(source))
          .hasMessageStartingWith("memory://store/a.7z: reading it takes 1024 MiB of memory")
          .hasMessageContaining("the limit is " + limitMiB + " MiB")
          .message()
          .doesNotContain("corrupt", "-Xmx");
    }
  }
}
