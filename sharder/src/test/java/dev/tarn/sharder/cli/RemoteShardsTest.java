package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"ls", "stats", "lint", "unpack --dry-run"})
  void dataOfLargeMembersIsNotReadForTheirNames(String command) throws IOException {
    ShardFiles files = new ShardFiles();
    for (int i = 0; i < 4; i++) {
      files.with(i + ".mp4", new byte[2_000_000]);
    }
    server.objects().put("data/a.tar", files.bytes());
    List<Object> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--endpoint-url", server.endpoint(), "s3://data/a.tar"));
    if (command.startsWith("unpack")) {
      arguments.add(directory.resolve("files"));
    }

    CommandLineRun run = withCredentials(() -> CommandLineRun.of(arguments.toArray()));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).containsAnyOf("3.mp4", "4 samples", "4 files");
    assertThat(server.bytesSent()).isLessThan(1_000_000);
  }

  private static CommandLineRun withCredentials(Supplier<CommandLineRun> run) {
    System.setProperty("aws.accessKeyId", "test-key");
    System.setProperty("aws.secretAccessKey", "test-secret");
    try {
      return run.get();
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
    }
  }
}
