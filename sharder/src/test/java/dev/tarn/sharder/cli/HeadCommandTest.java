package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeadCommandTest {
  @TempDir Path directory;

  private String head(byte[] content) throws IOException {
    Path shard = new ShardFiles().with("a.bin", content).write(directory.resolve("s.tar"));
    CommandLineRun head = CommandLineRun.of("head", shard);
    assertThat(head.exitCode()).as(head.err()).isZero();
    return head.out().lines().skip(1).findFirst().orElseThrow().strip();
  }

  @Test
  void firstSamplesAreShownOfOneShardAfterTheOther() throws IOException {
    Path plain =
        new ShardFiles()
            .with("d/0.txt", "two\nlines")
            .with("__info__", "not of a sample")
            .with("d/0.\udcff", "")
            .with("d/1.cls", "7")
            .write(directory.resolve("a.tar"));
    Path compressed =
        new ShardFiles()
            .with("d/2.txt", "x".repeat(101))
            .with("d/3.txt", "not asked for")
            .writeGzip(directory.resolve("b.tar.gz"));

    CommandLineRun head = CommandLineRun.of("head", "-n", "3", plain, compressed);

    assertThat(head.exitCode()).as(head.err()).isZero();
    assertThat(head.out().lines())
        .containsExactly(
            "\"d/0\" in " + plain,
            "           9  txt          \"two\\nlines\"",
            "           0  \"\\udcff\"     empty",
            "\"d/1\" in " + plain,
            "           1  cls          \"7\"",
            "\"d/2\" in " + compressed,
            "         101  txt          \"" + "x".repeat(100) + "...\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "89504e470d0a1a0a0000000d49484452 00000280000001e0 | PNG image, 640x480",
        "474946383961 8002e001 | GIF image, 640x480",
        "474946383961 | GIF image",
        "ffd8 ffe00004abcd ffc000110801e0028003 | JPEG image, 640x480",
        "ffd8 ffc000110890009fff03 | JPEG image, 40959x36864",
        "ffd8 ffe0ffffabcd | JPEG image",
        "ffd8ffe0 | JPEG image",
        "93 4e554d50590100 7600 7b276465736372273a20273c6634277d20 | NumPy array {'descr': '<f4'}",
        "52494646 00000000 57454250 | WebP image",
        "52494646 00000000 57415645 | WAV audio",
        "00000018 66747970 6d703432 | MP4 or the like, brand mp42",
        "00000018 66747970 1b5b324a | MP4 or the like, brand \\u001b[2J",
        "93 4e554d50590100 7600 7b1b5d303b780a7d | NumPy array {\\u001b]0;x\\n}",
        "89504e470d0a1a0a0000000d49484452 ffffffff00000001 | PNG image, 4294967295x1",
        "8004 95 | Python pickle",
        "1f8b08 | gzip data",
        "00ff | binary 00 ff",
        "c3 | binary c3",
        "c3a9 | \"\u00e9\"",
        "6100 | binary 61 00",
        "000102030405060708090a0b0c0d0e0f10 | binary 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e"
            + " 0f ...",
      })
  void contentIsDescribedByItsFirstBytes(String hex, String description) throws IOException {
    assertThat(head(HexFormat.of().parseHex(hex.replace(" ", "")))).endsWith(description);
  }

  @Test
  void longTextIsShownThoughItsFirstBytesEndWithinACharacter() throws IOException {
    assertThat(
            head(("x" + "\u00e9".repeat(40_000)).getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .endsWith("\"x" + "\u00e9".repeat(99) + "...\"");
  }

  @Test
  void longHeaderOfAnArrayIsCut() throws IOException {
    String array = "\u0093NUMPY\1\0\0\0{" + "x".repeat(500) + "}";

    assertThat(head(array.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)))
        .endsWith("NumPy array {" + "x".repeat(99) + "...");
  }

  @Test
  void programsGetASampleALine() throws IOException {
    Path shard = new ShardFiles().with("a.txt", "\u20ac").write(directory.resolve("a.tar"));

    assertThat(CommandLineRun.of("head", shard, "--json").out().lines())
        .containsExactly(
            "{\"event\":\"sample\",\"key\":\"a\",\"shard\":\""
                + shard
                + "\",\"files\":[{\"name\":\"a.txt\",\"size\":3,"
                + "\"content\":\"\\\"\\u20AC\\\"\"}]}");
  }

  @Test
  void wrongCountAndMissingShardAreSaid() {
    assertThat(CommandLineRun.of("head", "a.tar", "-n", "0").exitCode()).isEqualTo(2);
    assertThat(CommandLineRun.of("head").exitCode()).isEqualTo(2);

    CommandLineRun missing = CommandLineRun.of("head", directory.resolve("none.tar"));

    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).contains("none.tar").contains("no such file");
  }
}
