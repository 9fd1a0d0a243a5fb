package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.compression.ShardStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sparse file through pack, ls and verify: a small one, unless the profile "soak" asks for one of
 * more bytes than a tar header's size field holds.
 */
final class HugeMemberTest {
  private static final long SIZE = Long.getLong("soak.bytes", 9L << 20);
  private static final long HEADER_SIZE_MAX = (8L << 30) - 1;
  private static final int HEADERS = 1536;

  @TempDir Path directory;

  @Test
  void sparseFileIsPackedWithAllItsZeros() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    try (RandomAccessFile file = new RandomAccessFile(source.resolve("a.bin").toFile(), "rw")) {
      file.setLength(SIZE);
    }
    Path set = directory.resolve("set");

    CommandLineRun pack =
        CommandLineRun.of("pack", source, set, "--max-size=16GiB", "--compress=zstd");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    Path shard = set.resolve("shard-000000.tar.zst");
    assertThat(CommandLineRun.of("ls", shard).out()).containsPattern("(?m)^ +" + SIZE + " .*a.bin");
    try (InputStream tar = ShardStreams.open(shard.toString(), Files.newInputStream(shard))) {
      String headers = new String(tar.readNBytes(HEADERS), ISO_8859_1);
      assertThat(headers.contains(" size=" + SIZE + "\n")).isEqualTo(SIZE > HEADER_SIZE_MAX);
    }
    CommandLineRun verify = CommandLineRun.of("verify", set);
    assertThat(verify.exitCode()).as(verify.err()).isZero();
  }
}
