package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.cli.FaultyS3.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards by URLs that are signed for them alone: what lies beside them is refused. */
final class RefusedIndexTest {
  private static final String SIGNATURE = "?X-Amz-Signature=0123abcd";

  @TempDir Path directory;

  private FaultyS3 server;
  private String shard = "";

  @BeforeEach
  void start() throws IOException {
    server = new FaultyS3();
    byte[] tar = new ShardFiles().with("a.txt", "text of a").with("b.txt", "b").bytes();
    server.objects().put("data/a.tar", tar);
    for (String method : new String[] {"GET", "HEAD"}) {
      server.fail(method + " data/a.tar.tarnidx", Fault.ACCESS_DENIED, Integer.MAX_VALUE);
    }
    shard = server.endpoint() + "/data/a.tar" + SIGNATURE;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static CommandLineRun succeed(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void commandsThatNeedNoIndexDoWithoutIt() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CommandLineRun cat = CommandLineRun.writing(bytes, "cat", shard, "a.txt");
    assertThat(cat.exitCode()).as(cat.err()).isZero();
    assertThat(bytes.toString(UTF_8)).isEqualTo("text of a");
    assertThat(succeed("stats", shard).out()).contains("2 samples");
    assertThat(succeed("unpack", shard, directory.resolve("files")).out()).contains("2 files");
    assertThat(directory.resolve("files/a.txt")).hasContent("text of a");
    Path same =
        new ShardFiles()
            .with("a.txt", "text of a")
            .with("b.txt", "b")
            .write(directory.resolve("same.tar"));
    assertThat(succeed("diff", shard, same).out()).contains("2");
    assertThat(succeed("lint", shard).out()).contains("a.tar: it may not be read");
  }

  @Test
  void verifyBlamesTheIndexAndNotTheShard() {
    CommandLineRun verify = CommandLineRun.of("verify", shard);

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err())
        .contains("index-unreadable: " + server.endpoint() + "/data/a.tar.tarnidx: ")
        .contains("1 problem in")
        .doesNotContain("shard-unreadable", "repair:");
  }

  @Test
  void messagesDoNotHaveTheSignature() {
    server.fail("GET data/a.tar", Fault.ACCESS_DENIED, Integer.MAX_VALUE);

    CommandLineRun ls = CommandLineRun.of("ls", shard);

    assertThat(ls.exitCode()).isEqualTo(1);
    assertThat(ls.err()).contains(server.endpoint() + "/data/a.tar: ").doesNotContain("0123abcd");
  }
}
