package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows the end of a tar archive in its file. */
final class TrailingBytesTest {
  private static final String SECOND = "at byte 10240: 10240 bytes follow the archive's end";

  @TempDir Path directory;

  private static byte[] archive(String name) throws IOException {
    return new ShardFiles().with(name, name).bytes();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private Path concatenated() throws IOException {
    return Files.write(directory.resolve("ab.tar"), joined(archive("a.txt"), archive("b.txt")));
  }

  private Path concatenatedGzip() throws IOException {
    byte[] a =
        Files.readAllBytes(
            new ShardFiles().with("a.txt", "a").writeGzip(directory.resolve("a.tar.gz")));
    byte[] b =
        Files.readAllBytes(
            new ShardFiles().with("b.txt", "b").writeGzip(directory.resolve("b.tar.gz")));
    return Files.write(directory.resolve("ab.tar.gz"), joined(a, b));
  }

  private Path file(String name) throws IOException {
    return name.equals("ab.tar") ? concatenated() : concatenatedGzip();
  }

  private List<String> packed() {
    return CommandLineRun.of("ls", directory.resolve("set/shard-000000.tar"))
        .out()
        .lines()
        .filter(line -> line.startsWith(" "))
        .map(line -> line.strip().split(" +", 3)[2])
        .toList();
  }

  private CommandLineRun pack(Path archive, String... options) {
    Object[] words = new Object[options.length + 3];
    words[0] = "pack";
    words[1] = archive;
    words[2] = directory.resolve("set");
    System.arraycopy(options, 0, words, 3, options.length);
    return CommandLineRun.of(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab.tar", "ab.tar.gz"})
  void packRefusesAnArchiveBehindAnother(String name) throws IOException {
    Path both = file(name);

    CommandLineRun pack = pack(both);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err()).contains(both + " " + SECOND, "--ignore-zeros");
    assertThat(directory.resolve("set")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab.tar", "ab.tar.gz"})
  void packReadsOnPastZerosOnRequest(String name) throws IOException {
    CommandLineRun pack = pack(file(name), "--ignore-zeros");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(packed()).containsExactly("a.txt", "b.txt");
    assertThat(
            CommandLineRun.of("cat", directory.resolve("set/shard-000000.tar"), "b.txt").exitCode())
        .isZero();
  }

  @Test
  void packSkipsWhatFollowsTheEndIfErrorsAreSkipped() throws IOException {
    CommandLineRun pack = pack(concatenated(), "--on-error", "skip");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(packed()).containsExactly("a.txt");
    assertThat(pack.err()).contains("left out 1 file or sample because of errors");
  }

  @Test
  void packRefusesGarbageBehindTheEnd() throws IOException {
    byte[] garbage = "not a tar".getBytes(UTF_8);
    Path file = Files.write(directory.resolve("g.tar"), joined(archive("a.txt"), garbage));

    assertThat(pack(file).err()).contains(file + " at byte 10240: 9 bytes follow");
    assertThat(pack(file, "--ignore-zeros").err())
        .contains(file + " at byte 10240: not a tar header");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab.tar", "ab.tar.gz"})
  void indexRefusesAShardWithBytesBehindItsEnd(String name) throws IOException {
    Path both = file(name);

    CommandLineRun index = CommandLineRun.of("index", both);

    assertThat(index.exitCode()).isEqualTo(1);
    assertThat(index.err()).contains(both + " " + SECOND);
    assertThat(CommandLineRun.of("verify", both).err()).contains("index-missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab.tar", "ab.tar.gz"})
  void verifyReportsBytesBehindTheEndBesidesOtherProblems(String name) throws IOException {
    Path both = file(name);

    CommandLineRun verify = CommandLineRun.of("verify", both);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).contains("shard-trailing: " + both + ": " + SECOND, "index-missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab.tar", "ab.tar.gz"})
  void lintFindsBytesBehindTheEnd(String name) throws IOException {
    Path both = file(name);

    CommandLineRun lint = CommandLineRun.of("lint", both, "--strict");

    assertThat(lint.exitCode()).isEqualTo(1);
    assertThat(lint.out()).contains("trailing: 1 time", both + " " + SECOND);
  }

  @Test
  void unpackWritesTheFirstArchiveAndReportsTheRest() throws IOException {
    Path target = directory.resolve("files");

    CommandLineRun unpack = CommandLineRun.of("unpack", concatenated(), target);

    assertThat(unpack.exitCode()).isEqualTo(1);
    assertThat(unpack.err()).contains(SECOND);
    assertThat(target.resolve("a.txt")).exists();
  }

  @Test
  void paddingWithZerosIsNothingToReport() throws IOException {
    byte[] archive = archive("a.txt");
    Path padded =
        Files.write(directory.resolve("p.tar"), joined(archive, new byte[3 * 64 * 1024 + 7]));
    Path bare = directory.resolve("bare.tar");
    Files.write(bare, Arrays.copyOf(archive, 2048));

    for (Path file : List.of(padded, bare)) {
      assertThat(CommandLineRun.of("index", file).exitCode()).isZero();
      assertThat(CommandLineRun.of("verify", file).exitCode()).isZero();
      assertThat(CommandLineRun.of("lint", file).out()).doesNotContain("trailing");
    }
    assertThat(pack(padded).err()).isEmpty();
    CommandLineRun again =
        CommandLineRun.of("pack", padded, directory.resolve("again"), "--ignore-zeros");
    assertThat(again.exitCode()).as(again.err()).isZero();
  }

  /** A file of 1 TB, nearly all of it a hole: reading it whole would take minutes. */
  @Test
  void endOfAHugeFileOfZerosIsReadOnly() throws IOException {
    Path file = Files.write(directory.resolve("h.tar"), archive("a.txt"));
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.setLength(1L << 40);
    }

    assertThat(pack(file).exitCode()).isZero();
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.seek((1L << 40) - 1);
      huge.write(1);
    }
    assertThat(CommandLineRun.of("lint", file).out())
        .contains("at byte " + ((1L << 40) - 512) + ": 512 bytes follow the archive's end");
  }

  @Test
  void headersForAllMembersEndWithTheirArchive() throws IOException {
    byte[] global = archive("g.txt");
    byte[] record = "23 path=everywhere.txt\n".getBytes(UTF_8);
    global[156] = 'g';
    byte[] size = "00000000027\0".getBytes(UTF_8);
    System.arraycopy(size, 0, global, 124, size.length);
    System.arraycopy(new byte[512], 0, global, 512, 512);
    System.arraycopy(record, 0, global, 512, record.length);
    fixChecksum(global);
    byte[] first = joined(Arrays.copyOf(global, 1024), archive("a.txt"));
    Path file = Files.write(directory.resolve("g.tar"), joined(first, archive("b.txt")));

    CommandLineRun pack = pack(file, "--ignore-zeros");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(packed()).containsExactly("b.txt", "everywhere.txt");
  }

  private static void fixChecksum(byte[] archive) {
    Arrays.fill(archive, 148, 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < 512; i++) {
      sum += archive[i] & 0xff;
    }
    byte[] text = "%06o\0 ".formatted(sum).getBytes(UTF_8);
    System.arraycopy(text, 0, archive, 148, text.length);
  }
}
