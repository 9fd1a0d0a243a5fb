package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LintCommandTest {
  @TempDir Path directory;

  private static CommandLineRun lint(Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = "lint";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return CommandLineRun.of(all);
  }

  /** The kinds that were found, but for the index that none of these shards has. */
  private static List<String> kinds(CommandLineRun lint) {
    assertThat(lint.exitCode()).as(lint.err()).isZero();
    return lint.out()
        .lines()
        .filter(line -> line.matches("[a-z0-9-]+: [0-9,]+ times?\\b.*"))
        .map(line -> line.substring(0, line.indexOf(':')))
        .filter(kind -> !kind.equals("no-index"))
        .toList();
  }

  @Test
  void whatWePackIsNothingToWarnOf() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source/" + "d".repeat(120)));
    for (int i = 0; i < 10; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
      Files.writeString(source.resolve(i + ".cls"), "" + i, UTF_8);
    }
    CommandLineRun.of("pack", directory.resolve("source"), directory.resolve("set"));

    CommandLineRun lint = lint(directory.resolve("set"), "--strict");

    assertThat(lint.exitCode()).as(lint.out()).isZero();
    assertThat(lint.out()).isEqualToIgnoringNewLines("10 samples in 1 shard: nothing was found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.txt b.txt | ",
        "im.1.seg.png | dots",
        "a..jpg | dots",
        "a.JPG | upper-case-extension",
        "A.jpg a.jpg | case-collision",
        "A.jpg b.jpg a.txt c.cls | case-collision, uneven",
        "a.jpg b.jpg a.txt | not-adjacent, uneven",
        "a.jpg a.JPG | extension-twice, upper-case-extension",
        "d/a.jpg e/a.jpg | basename-collision",
        "d/a.jpg d/a.txt | ",
        "a.__key__ | reserved-extension",
        "a.__key__.txt | dots",
        "../a.jpg | leads-out",
        "/a.jpg | leads-out",
        "a\\\\b.jpg | backslash",
        "caf\u00e9.jpg cafe\u0301.jpg | unicode-collision",
        "d/.h.txt | dots, hidden",
        "d/__m__.txt | hidden",
        "a/b. | empty-extension",
        "a.txt README | no-extension",
        ".h.txt | no-samples, no-extension",
        "a.txt __info__ | ",
        "a.txt b.cls | uneven",
        "a.txt b.txt c.txt d.txt e.txt f.cls | ",
      })
  void eachDifferenceIsFound(String names, String kinds) throws IOException {
    ShardFiles files = new ShardFiles();
    for (String name : names.split(" ", -1)) {
      files.with(name, "x");
    }
    Path shard = files.write(directory.resolve("s.tar"));

    assertThat(kinds(lint(shard)))
        .containsExactly(kinds == null ? new String[0] : kinds.split(", ", -1));
  }

  @Test
  void oddNamesAreFound() throws IOException {
    Path shard =
        new ShardFiles()
            .with("a b.txt", "")
            .with("\udcff.txt", "")
            .with("\ud83d\ude00.txt", "")
            .write(directory.resolve("s.tar"));

    CommandLineRun lint = lint(shard);

    assertThat(kinds(lint)).containsExactly("not-utf8", "blank");
    assertThat(lint.out()).contains("not-utf8: 1 time in 1 shard", "\"\\udcff.txt\" in " + shard);
  }

  @Test
  void extensionsAreShownWithoutTheirControlCharacters() throws IOException {
    Path shard =
        new ShardFiles().with("a.\u001b[2J", "").with("b.x", "").write(directory.resolve("s.tar"));

    assertThat(lint(shard).out()).contains("uneven: ", "\\u001b[2J").doesNotContain("\u001b");
  }

  @Test
  void keysOfDifferentShardsAreCompared() throws IOException {
    Path first =
        new ShardFiles().with("a.txt", "").with("b.txt", "").write(directory.resolve("0.tar"));
    Path second =
        new ShardFiles().with("a.txt", "").with("B.txt", "").write(directory.resolve("1.tar"));

    CommandLineRun lint = lint(first, second);

    assertThat(kinds(lint)).containsExactly("duplicate-key", "case-collision");
    assertThat(lint.out())
        .contains("\"a\" in " + second + ", \"a\" in " + first)
        .contains("\"b\" in " + first + ", \"B\" in " + second);
    assertThat(kinds(lint(first, first))).isEmpty();
  }

  @Test
  void archivesOfOtherProgramsAreLookedThrough() throws IOException {
    byte[] tar = new ShardFiles().with("a.txt", "text").with("n".repeat(101) + ".x", "").bytes();
    // The PAX header and the blocks of the long name, moved before a short one.
    byte[] bloated = new byte[tar.length];
    System.arraycopy(tar, 1024, bloated, 0, 1024);
    byte[] record = "30 mtime=1700000000.123456789\n".getBytes(UTF_8);
    Arrays.fill(bloated, 512, 1024, (byte) 0);
    System.arraycopy(record, 0, bloated, 512, record.length);
    byte[] size = "00000000036".getBytes(UTF_8);
    System.arraycopy(size, 0, bloated, 124, size.length);
    fixChecksum(bloated);
    System.arraycopy(tar, 0, bloated, 1024, 1024);
    Path shard = Files.write(directory.resolve("s.tar"), bloated);
    byte[] link = tar.clone();
    link[156] = '2';
    Arrays.fill(link, 124, 135, (byte) '0');
    fixChecksum(link);
    System.arraycopy(new byte[512], 0, link, 512, 512);
    Path links = Files.write(directory.resolve("l.tar"), Arrays.copyOf(link, 4096));

    assertThat(kinds(lint(shard))).containsExactly("extended-headers");
    assertThat(kinds(lint(links))).contains("not-a-file");
  }

  private static void fixChecksum(byte[] block) {
    Arrays.fill(block, 148, 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < 512; i++) {
      sum += block[i] & 0xff;
    }
    byte[] digits = "%06o\0 ".formatted(sum).getBytes(UTF_8);
    System.arraycopy(digits, 0, block, 148, digits.length);
  }

  @Test
  void shardThatIsCutShortIsAFindingAndNoFailure() throws IOException {
    ShardFiles files = new ShardFiles().with("a.txt", "").with("b.txt", "");
    Path cut = Files.write(directory.resolve("cut.tar"), Arrays.copyOf(files.bytes(), 1024));
    Path gzip = files.writeGzip(directory.resolve("c.tar.gz"));

    CommandLineRun lint = lint("--strict", cut, gzip);

    assertThat(lint.exitCode()).isEqualTo(1);
    assertThat(lint.out())
        .contains("corrupt: 1 time in 1 shard", cut + " at byte 1024: the archive is cut short")
        .contains("compressed: 1 time in 1 shard")
        .contains("no-index: 2 times in 2 shards")
        .contains("4 samples in 2 shards: 4 kinds of findings");
  }

  @Test
  void programsGetAFindingALine() throws IOException {
    Path shard = new ShardFiles().with("a.b.txt", "").write(directory.resolve("s.tar"));

    assertThat(lint("--json", shard).out().lines().toList())
        .anyMatch(line ->
            line.startsWith("{\"event\":\"finding\",\"kind\":\"dots\",\"count\":1,\"shards\":1,")
                && line.endsWith("\"examples\":[\"\\\"a.b.txt\\\" in " + shard + "\"]}"))
        .last()
        .isEqualTo(
            "{\"event\":\"summary\",\"command\":\"lint\",\"shards\":1,\"samples\":1,"
                + "\"findings\":2}");
  }

  @Test
  void shardThatIsNotThereIsAFailure() {
    CommandLineRun lint = lint(directory.resolve("none.tar"));

    assertThat(lint.exitCode()).isEqualTo(1);
    assertThat(lint.err()).contains("none.tar").contains("no such file");
  }
}
