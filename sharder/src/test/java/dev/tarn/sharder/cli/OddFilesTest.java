package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are not as most are, through the command. */
final class OddFilesTest {
  @TempDir Path directory;

  private Path source = Path.of("");
  private Path set = Path.of("");

  @BeforeEach
  void makeFolders() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    set = directory.resolve("set");
    Files.writeString(source.resolve("plain.txt"), "plain", UTF_8);
  }

  private CommandLineRun pack(Path from) {
    return CommandLineRun.of("pack", from, set);
  }

  private String shard() throws IOException {
    return Files.readString(set.resolve("shard-000000.tar"), ISO_8859_1);
  }

  @Test
  void nameThatIsNotUtf8KeepsItsBytes() throws IOException {
    Files.writeString(Path.of(URI.create(source.toUri() + "caf%E9.txt")), "latin", UTF_8);

    assertThat(pack(source).exitCode()).isZero();
    assertThat(shard()).contains("caf\u00e9.txt\0");
    assertThat(CommandLineRun.of("verify", set).exitCode()).isZero();
  }

  @Test
  void nameOfMoreThan255BytesIsPackedWhole() throws IOException {
    String name = "n".repeat(300) + ".jpg";
    Path archive =
        Files.write(directory.resolve("a.tar"), ArchiveFiles.tar(Map.of(name, new byte[10])));

    assertThat(pack(archive).exitCode()).isZero();
    assertThat(shard()).contains("path=" + name + "\n");
    assertThat(CommandLineRun.of("ls", set.resolve("shard-000000.tar")).out()).contains(name);
  }

  @Test
  void emptyFileIsAnEmptyMember() throws IOException {
    Files.createFile(source.resolve("empty.bin"));

    assertThat(pack(source).exitCode()).isZero();
    assertThat(CommandLineRun.of("ls", set.resolve("shard-000000.tar")).out())
        .containsPattern("(?m)^ +0 +512 empty\\.bin$");
  }

  /** The kernel gives no byte at the beginning of a process's memory, not even to root. */
  @Test
  void fileThatCannotBeReadIsNamed() throws IOException {
    Files.createSymbolicLink(source.resolve("x.bin"), Path.of("/proc/self/mem"));

    CommandLineRun pack = pack(source);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("sharder: " + source + "/x.bin: cannot be read: Input/output error");
    assertThat(set.resolve("dataset.json")).doesNotExist();
  }

  @Test
  void samplesThatAreLostAreSaidToo() throws IOException {
    Files.createSymbolicLink(source.resolve("x.bin"), Path.of("/proc/self/mem"));
    Path plan = directory.resolve("plan");
    String lost = "left out 1 sample because of errors in packing; --report FILE names them";

    CommandLineRun pack = CommandLineRun.of("pack", source, set, "--on-error=skip");
    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err()).contains(lost);

    Object[] words = {
      "plan", source, directory.resolve("parts"), "--plan", plan, "--on-error=skip"
    };
    assertThat(CommandLineRun.of(words).exitCode()).isZero();
    for (int times = 0; times < 2; times++) {
      CommandLineRun task = CommandLineRun.of("pack", "--plan", plan, "--task=0/1");
      assertThat(task.exitCode()).as(task.err()).isZero();
      assertThat(task.err()).contains(lost);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.tar | 600 | at byte 600: the archive is cut short: at least 10152 bytes of a member are",
        "a.tar | 10752 | at byte 10752: the archive is cut short: its end-of-archive blocks are",
        "a.tar.gz | 100 | the archive cannot be decompressed: the gzip data is cut short",
        "a.zip | 200 | at byte 200: the zip archive is cut short: the directory at its end is",
      })
  void archiveThatIsCutShortIsNamed(String name, int length, String message) throws IOException {
    byte[] random = ArchiveFiles.files(9000).values().iterator().next();
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("a.bin", Arrays.copyOf(random, 10_000));
    byte[] tar = ArchiveFiles.tar(files);
    byte[] archive =
        switch (name) {
          case "a.tar" -> tar;
          case "a.tar.gz" -> ArchiveFiles.gzip(tar);
          default -> ArchiveFiles.zip(files);
        };
    Path path = Files.write(directory.resolve(name), Arrays.copyOf(archive, length));

    CommandLineRun pack = pack(path);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .startsWith("sharder: " + path + " at byte ")
        .contains(message)
        .doesNotContain("\tat ");
    assertThat(set.resolve("dataset.json")).doesNotExist();
  }

  @Test
  void archiveWhoseBytesAreCorruptIsNamed() throws IOException {
    byte[] tar = ArchiveFiles.tar(Map.of("a.bin", new byte[100], "b.bin", new byte[100]));
    tar[1024] ^= 1;
    Path path = Files.write(directory.resolve("a.tar"), tar);

    CommandLineRun pack = pack(path);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains(
            "a.tar at byte 1024: not a tar header: the checksum of its 512 bytes does not match");
  }

  @Test
  void whatAListNamesInVainIsLeftOutWithItsWholeRowIfErrorsAreSkipped() throws IOException {
    Path list =
        Files.writeString(
            directory.resolve("list.csv"),
            "url,caption\nsource/plain.txt,one\nsource/none.txt,two\nftp://x/y.txt,three\n",
            UTF_8);
    Path report = directory.resolve("report");

    CommandLineRun pack =
        CommandLineRun.of("pack", list, set, "--on-error=skip", "--report", report);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 1 sample of 2 files");
    assertThat(Files.readAllLines(report, UTF_8))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .startsWith("{\"name\":\"source/none.txt\",\"sample\":\"source/none\"")
                    .contains("list.csv line 3: ", "no such file or directory"),
            line ->
                assertThat(line)
                    .contains("list.csv line 4\",\"sample\":\"\"", "unknown scheme ftp"));
  }

  @Test
  void membersOfArchivesThatMayNotBeTakenAreLeftOutIfErrorsAreSkipped() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("../out.txt", new byte[1]);
    files.put("in.txt", new byte[1]);
    Path tar = Files.write(directory.resolve("a.tar"), ArchiveFiles.tar(files));
    files.put("zip.txt", new byte[1]);
    files.remove("in.txt");
    Path zip = Files.write(directory.resolve("a.zip"), ArchiveFiles.zip(files));

    CommandLineRun pack = CommandLineRun.of("pack", tar, zip, set, "--on-error=skip");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 2 samples of 2 files");
  }

  @Test
  void dataOfAMemberThatIsEmptyByTheZipsDirectoryIsNoticed() throws IOException {
    byte[] zip = ArchiveFiles.zip(Map.of("a.txt", new byte[100]));
    int entry = new String(zip, ISO_8859_1).lastIndexOf("PK\u0001\u0002");
    Arrays.fill(zip, entry + 24, entry + 28, (byte) 0);
    Path archive = Files.write(directory.resolve("a.zip"), zip);

    CommandLineRun pack = pack(archive);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("a.zip", "a.txt", "its CRC32 is not the one that the archive's directory says");
  }

  @Test
  void linkThatLeadsNowhereIsLeftOutIfErrorsAreSkipped() throws IOException {
    Files.createSymbolicLink(source.resolve("gone.txt"), Path.of("nowhere"));
    Path report = directory.resolve("report");

    CommandLineRun pack =
        CommandLineRun.of("pack", source, set, "--on-error=skip", "--report", report);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 1 sample of 1 file");
    assertThat(Files.readString(report, UTF_8))
        .startsWith("{\"name\":\"gone.txt\"")
        .contains("a symbolic link that leads nowhere");
  }

  @Test
  void loopOfLinksIsLeftOutIfErrorsAreSkipped() throws IOException {
    Files.createSymbolicLink(Files.createDirectory(source.resolve("a")).resolve("up"), source);
    Path report = directory.resolve("report");
    String message = source + "/a/up: a symbolic link to a folder that holds it: a loop";

    CommandLineRun abort = pack(source);
    CommandLineRun skip =
        CommandLineRun.of("pack", source, set, "--on-error=skip", "--report", report);

    assertThat(abort.exitCode()).isEqualTo(1);
    assertThat(abort.err()).contains("sharder: " + message);
    assertThat(skip.exitCode()).as(skip.err()).isZero();
    assertThat(skip.err()).contains("left out 1 file or sample because of errors");
    assertThat(Files.readString(report, UTF_8).lines())
        .containsExactly(
            "{\"name\":\"a/up\",\"sample\":\"\",\"reason\":\"%s\"}".formatted(message));
  }

  /** A path has at most 4096 bytes, for root too: what lies deeper cannot be looked at. */
  @Test
  void folderThatLiesTooDeepIsLeftOutIfErrorsAreSkipped() throws IOException {
    String name = "n".repeat(240);
    Path low = directory.resolve("low").resolve((name + "/").repeat(9));
    Files.writeString(Files.createDirectories(low).resolve("x.txt"), "deep", UTF_8);
    Path high = Files.createDirectories(source.resolve((name + "/").repeat(9)));
    Files.move(directory.resolve("low"), high.resolve("low"));
    try {
      CommandLineRun abort = pack(source);
      CommandLineRun skip = CommandLineRun.of("pack", source, set, "--on-error=skip");

      assertThat(abort.exitCode()).isEqualTo(1);
      assertThat(abort.err())
          .startsWith("sharder: " + high.resolve("low"))
          .contains(": cannot be read: File name too long");
      assertThat(skip.exitCode()).as(skip.err()).isZero();
      assertThat(skip.out()).contains("packed 1 sample of 1 file");
    } finally {
      Files.move(high.resolve("low"), directory.resolve("low"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "coco.json, is no source; sources are directories",
    "x.parquet, is no source",
    "x.tar.lz4, is no source",
    "x.zip, at byte 0: is no archive of the kind that its name says",
  })
  void fileThatIsNoSourceIsToldSo(String name, String message) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "x", UTF_8);

    CommandLineRun pack = pack(file);

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err()).startsWith("sharder: " + file).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"e.zip", "e.tar", "e.tar.gz"})
  void archiveWithoutAByteIsEmpty(String name) throws IOException {
    Path file = Files.createFile(directory.resolve(name));

    assertThat(pack(file).err()).startsWith("sharder: " + file + ": is empty, so it is no archive");
  }

  @Test
  void bytesBehindAZipAreCounted() throws IOException {
    byte[] zip = ArchiveFiles.zip(Map.of("a.txt", new byte[100]));
    Path file = Files.write(directory.resolve("a.zip"), Arrays.copyOf(zip, zip.length + 5));

    assertThat(pack(file).err())
        .startsWith("sharder: " + file + " at byte " + zip.length + ": 5 bytes follow the end");
  }

  @Test
  void archiveWhoseNameIsInUpperCaseIsReadByAllCommands() throws IOException {
    Path file =
        Files.write(directory.resolve("A.TAR"), ArchiveFiles.tar(Map.of("a.txt", new byte[1])));

    assertThat(pack(file).exitCode()).isZero();
    assertThat(CommandLineRun.of("ls", file).out()).contains("a.txt");
    assertThat(CommandLineRun.of("verify", file).err()).contains("index-missing");
    assertThat(CommandLineRun.of("index", file).exitCode()).isZero();
    assertThat(CommandLineRun.of("verify", file).exitCode()).isZero();
  }

  @Test
  void whatHasNoBytesToPackIsCountedAndReported() throws IOException {
    Files.createSymbolicLink(source.resolve("device.bin"), Path.of("/dev/null"));
    Path report = directory.resolve("report");

    CommandLineRun pack = CommandLineRun.of("pack", source, set, "--report", report);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.err())
        .contains("left out 1 pipes, sockets or devices, which have no bytes to pack, such as");
    assertThat(Files.readString(report, UTF_8)).startsWith("{\"name\":\"device.bin\"");
  }

  @Test
  void filesThatAreLeftOutForTheirNamesAreAllReported() throws IOException {
    for (String name : List.of("README", "LICENSE", "MAKEFILE", "NOTES", ".hidden", "x.skip.me")) {
      Files.writeString(source.resolve(name), name, UTF_8);
    }
    Path routes = Files.writeString(directory.resolve("routes"), "x* -\n", UTF_8);
    Path report = directory.resolve("report");

    CommandLineRun pack =
        CommandLineRun.of("pack", source, set, "--report", report, "--route", routes);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(Files.readAllLines(report, UTF_8))
        .containsExactlyInAnyOrder(
            "{\"name\":\"README\",\"sample\":\"\",\"reason\":\"its name gives no key and"
                + " extension\"}",
            "{\"name\":\"LICENSE\",\"sample\":\"\",\"reason\":\"its name gives no key and"
                + " extension\"}",
            "{\"name\":\"MAKEFILE\",\"sample\":\"\",\"reason\":\"its name gives no key and"
                + " extension\"}",
            "{\"name\":\"NOTES\",\"sample\":\"\",\"reason\":\"its name gives no key and"
                + " extension\"}",
            "{\"name\":\".hidden\",\"sample\":\"\",\"reason\":\"hidden (--hidden packs it)\"}",
            "{\"name\":\"x.skip.me\",\"sample\":\"x\",\"reason\":\"left out by --route\"}");
  }

  @Test
  void rowsThatGiveOneMemberTwiceAreNamed() throws IOException {
    Path list =
        Files.writeString(
            directory.resolve("list.csv"),
            "url,caption\nsource/plain.txt,one\nsource/plain.txt,two\n",
            UTF_8);

    assertThat(pack(list).err())
        .contains("\"source/plain.caption\" (line 2) and \"source/plain.caption\" (line 3) would");
  }

  @Test
  void membersOfAZipThatAreThereTwiceAreNamedByTheirPlace() throws IOException {
    byte[] zip = ArchiveFiles.zip(Map.of("a.txt", new byte[10], "b.txt", new byte[10]));
    String twice = new String(zip, ISO_8859_1).replace("b.txt", "a.txt");
    Path file = Files.write(directory.resolve("a.zip"), twice.getBytes(ISO_8859_1));

    assertThat(pack(file).err())
        .containsPattern("\"a.txt\" \\(at byte 0\\) and .* \\(at byte [0-9]+\\)");
  }
}
