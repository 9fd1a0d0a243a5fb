package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often shards that are far away are asked for. */
final class RemoteShardsTest {
  @TempDir Path directory;

  private FaultyS3 server;

  @BeforeEach
  void start() throws IOException {
    server = new FaultyS3();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String url(Path shard) throws IOException {
    for (String suffix : new String[] {"", ".tarnidx"}) {
      Path file = Path.of(shard + suffix);
      if (Files.exists(file)) {
        server.objects().put("data/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
    return server.endpoint() + "/data/" + shard.getFileName();
  }

  @Test
  void samplesWhoseFilesComeInAnyOrderAreReadOnce() throws IOException {
    ShardFiles files = new ShardFiles();
    for (int i = 0; i < 50; i++) {
      files.with(i + ".jpg", new byte[2000]).with(i + ".cls", "1");
    }
    files.with("large.jpg", new byte[1_500_000]).with("large.cls", "2");
    Path shard = files.write(directory.resolve("a.tar"));
    assertThat(CommandLineRun.of("index", shard).exitCode()).isZero();

    CommandLineRun verify = CommandLineRun.of("verify", url(shard));

    assertThat(verify.exitCode()).as(verify.err()).isZero();
    // The shard and its index, and each file of the sample that memory does not hold.
    assertThat(server.count("GET data/a.tar")).isEqualTo(4);
  }

  @Test
  void indexIsReadOnceForAllMembers() throws IOException {
    ShardFiles files = new ShardFiles();
    for (int i = 0; i < 10; i++) {
      files.with(i + ".txt", "text " + i);
    }
    Path shard = files.write(directory.resolve("a.tar"));
    assertThat(CommandLineRun.of("index", shard).exitCode()).isZero();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    CommandLineRun cat =
        CommandLineRun.writing(bytes, "cat", url(shard), "7.txt", "1.txt", "3.txt");

    assertThat(cat.exitCode()).as(cat.err()).isZero();
    assertThat(bytes.toString(UTF_8)).isEqualTo("text 7text 1text 3");
    assertThat(server.count("GET data/a.tar.tarnidx")).isEqualTo(1);
  }
}
