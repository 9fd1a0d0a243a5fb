package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of compressed shards with a bit that is wrong, and of such that are cut short. */
final class CorruptCompressionTest {
  /** Two samples, by xz. */
  private static final String XZ =
      "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Av/AR5dADCLiofEDvKXpPh1PcWp7dmXqQ+egoMR36z3QayqGRBX"
          + "G8FU3T0HPnhXy/J+b6W8kabvhfc8+MiRw33NdI8m2/xSHPBlGYFWqlV5TBs46002bHGFmv7BOVMqVo47WANB"
          + "bk6a+mTnAVKuMwrrN9qvLsYA/yg0D67YDbpAZOW0HuYjl+nJdUKUb02iRIJQ4cwybOHHX1cWGyhTnaijNauK"
          + "Aaw4BF+bBBcmVNgZdxy4BqK60fdyG9xbMrBuCKGUC5e7w/dKV6Zt5K/84rU0rj0S+4566rYGd5Z+J7QTKlIu"
          + "gzLNQBNWh1V9xdmH3ONJJ0o6wopJtJznVYGuGxvDBFk2c5hPfJS+YNHj1zjGG5Tm+zSflu7ZMxZYu/vyeHDT"
          + "UAAAAABidedVsOFiQwABugKAGAAAXfOo/bHEZ/sCAAAAAARZWg==";

  /** The same, by bzip2. */
  private static final String BZIP2 =
      "QlpoOTFBWSZTWbCkab0AAE9bgMyAQAFVgAAIf///8AgIMAE5GUVU/ZE0xGT0DQlAB4oRU9pR+homaJPCnqAA"
          + "AlEJoJ6m1NqBkxNogaTKTcU9MDzQCJbbqRLAaQLCkRFAUlziOBHCghIYIMORCQsDgNR48Y0aGW/3vOM3P2ov"
          + "0Si4dt+e/o0/y/yAtixfr37h351OAQn1aUiNXXkxQ+Jb1Cr0eECnoYu0XabczfS40MzLJWoWoahqLZMqrFQT"
          + "tS+ZvwLGLxF5G2V+dDN046S3eKk5EuHFC2bZ4GGLUimULvc1WL0KCRNGHok5tK1SdS79sslgWDUYgiqEu25w"
          + "tXaxwmUY7wPNQcsHzjrJn0Kyy4bq/AeqDo1exQ4U3C8KQ6yXOoFT3UkTqzAC0UR4Rh24Jumm14P5ls43kZvT"
          + "XjnkAB/F3JFOFCQsKRpvQA==";

  @TempDir Path directory;

  private Path right = Path.of("");

  @BeforeEach
  void writeAShardThatIsRight() throws IOException {
    right = files().write(directory.resolve("right.tar"));
  }

  private static ShardFiles files() {
    return new ShardFiles().with("c.txt", "text of c").with("d.txt", "d".repeat(3000));
  }

  private static byte[] stored(String suffix) throws IOException {
    if (suffix.equals("xz") || suffix.equals("bz2")) {
      return Base64.getDecoder().decode(suffix.equals("xz") ? XZ : BZIP2);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream target =
        suffix.equals("gz")
            ? new GZIPOutputStream(bytes)
            : new ZstdOutputStream(bytes).setChecksum(true)) {
      target.write(files().bytes());
    }
    return bytes.toByteArray();
  }

  private Path corrupt(String suffix, String how) throws IOException {
    byte[] bytes = stored(suffix);
    Path shard = directory.resolve("wrong.tar." + suffix);
    Files.write(shard, bytes);
    assertThat(CommandLineRun.of("stats", shard).exitCode()).isZero();
    int middle = bytes.length / 2;
    bytes[middle] ^= 4;
    return Files.write(shard, how.equals("cut") ? Arrays.copyOf(bytes, middle) : bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "gz, flipped", "gz, cut", "zst, flipped", "zst, cut",
    "xz, flipped", "xz, cut", "bz2, flipped", "bz2, cut"
  })
  void theShardIsNamedAndTheOthersAreLookedAt(String suffix, String how) throws IOException {
    Path wrong = corrupt(suffix, how);

    assertThat(CommandLineRun.of("verify", wrong, right).err())
        .contains("shard-corrupt: " + wrong + ": at byte ")
        .contains("index-missing: " + right);
    CommandLineRun lint = CommandLineRun.of("lint", wrong, right);
    assertThat(lint.exitCode()).as(lint.err()).isZero();
    assertThat(lint.out())
        .contains("corrupt: 1 time in 1 shard")
        .contains(wrong + " at byte ")
        .contains("no-index: 2 times in 2 shards");
    assertThat(CommandLineRun.of("stats", right, wrong).err())
        .startsWith("sharder: " + wrong + " at byte ");
    assertThat(CommandLineRun.of("unpack", right, wrong, directory.resolve("out")).err())
        .startsWith("sharder: " + wrong + " at byte ");
    assertThat(CommandLineRun.of("index", wrong).err())
        .startsWith("sharder: " + wrong + " at byte ");
  }
}
