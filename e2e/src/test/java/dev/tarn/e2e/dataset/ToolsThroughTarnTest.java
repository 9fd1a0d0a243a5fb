package dev.tarn.e2e.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.SharderProcess;
import dev.tarn.e2e.process.TarnProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** What one does with shards after they were packed, where the shards are objects. */
class ToolsThroughTarnTest {
  private static final int FILES = 300;
  private static final String SET = "s3://data/shards";
  private static final String SHARD = SET + "/shard-000000.tar.zst";

  @TempDir private Path folder;

  @Test
  void compressedShardsInTarnAreLookedAtVerifiedRepairedComparedAndUnpacked() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(
          files.resolve("%04d.txt".formatted(i)), ("text " + i + " ").repeat(i), UTF_8);
    }
    try (TarnProcess tarn = TarnProcess.start(folder)) {
      try (S3Client s3 = tarn.openS3Client()) {
        s3.createBucket(create -> create.bucket("data"));
        assertThat(
                run(
                    tarn,
                    "pack",
                    files,
                    SET,
                    "--compress",
                    "zstd",
                    "--max-count",
                    "100",
                    "--seed",
                    1))
            .isZero();
        s3.deleteObject(delete -> delete.bucket("data").key("shards/shard-000000.tar.zst.tarnidx"));
      }
      assertThat(run(tarn, "verify", SET)).isEqualTo(1);
      assertThat(run(tarn, "index", "--force", SHARD)).isZero();
      assertThat(run(tarn, "verify", SET)).isZero();
      assertThat(output(tarn, "stats", SET)).startsWith("300 samples of 300 files in 3 shards");
      String member = lastWord(output(tarn, "ls", SHARD).lines().findFirst().orElseThrow());
      assertThat(output(tarn, "head", SET, "-n", "1"))
          .startsWith("\"%s\" in %s".formatted(member.replace(".txt", ""), SHARD));
      assertThat(output(tarn, "cat", SHARD, member))
          .isEqualTo(Files.readString(files.resolve(member)));
      assertThat(run(tarn, "cat", SHARD, "no such member")).isEqualTo(1);
      assertThat(output(tarn, "lint", SET)).contains("300 samples");
      Path plain = folder.resolve("plain");
      assertThat(SharderProcess.run("pack", files.toString(), plain.toString())).isZero();
      assertThat(run(tarn, "diff", SET, plain)).isZero();
      Path unpacked = folder.resolve("unpacked");
      assertThat(run(tarn, "unpack", SET, unpacked)).isZero();
      for (int i = 0; i < FILES; i++) {
        String name = "%04d.txt".formatted(i);
        assertThat(unpacked.resolve(name)).hasSameBinaryContentAs(files.resolve(name));
      }
    }
  }

  private static String lastWord(String line) {
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  private static String output(TarnProcess tarn, String... words) throws Exception {
    return SharderProcess.output(tarn.s3(), words);
  }

  private static int run(TarnProcess tarn, Object... arguments) throws Exception {
    String[] words = new String[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      words[i] = arguments[i].toString();
    }
    return SharderProcess.run(tarn.s3(), words);
  }
}
