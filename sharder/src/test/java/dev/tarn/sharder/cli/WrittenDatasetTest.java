package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the SDK writes is what the sharder packs, and its tools work on it. */
final class WrittenDatasetTest {
  private static final int SAMPLES = 50;

  @TempDir Path directory;

  private final Map<String, byte[]> texts = new TreeMap<>();
  private Path written = Path.of("");

  @BeforeEach
  void write() throws IOException {
    written = directory.resolve("written");
    try (ShardWriter writer = ShardWriter.builder(written.toString()).samplesMax(20).build()) {
      for (int i = 0; i < SAMPLES; i++) {
        byte[] text = "text %d".formatted(i).repeat(i).getBytes(UTF_8);
        texts.put("k%03d".formatted(i), text);
        writer.write("k%03d".formatted(i), Map.of("txt", text, "cls", ("" + i).getBytes(UTF_8)));
      }
      writer.commit();
    }
  }

  @Test
  void shardsAndIndexesAreThoseThatTheSharderPacks() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source"));
    for (Map.Entry<String, byte[]> text : texts.entrySet()) {
      Files.write(source.resolve(text.getKey() + ".txt"), text.getValue());
      int number = Integer.parseInt(text.getKey().substring(1));
      Files.writeString(source.resolve(text.getKey() + ".cls"), "" + number, UTF_8);
    }
    Path packed = directory.resolve("packed");
    CommandLineRun pack =
        CommandLineRun.of("pack", source, packed, "--max-count", "20", "--order", "key");
    assertThat(pack.exitCode()).as(pack.err()).isZero();
    for (int shard = 0; shard < 3; shard++) {
      String name = "shard-%06d.tar".formatted(shard);
      assertThat(written.resolve(name)).hasSameBinaryContentAs(packed.resolve(name));
      assertThat(written.resolve(name + ".tarnidx"))
          .hasSameBinaryContentAs(packed.resolve(name + ".tarnidx"));
    }
  }

  @Test
  void itIsVerifiedAndLintedAndResharded() {
    CommandLineRun verify = CommandLineRun.of("verify", written);
    assertThat(verify.exitCode()).as(verify.err()).isZero();
    assertThat(verify.out()).contains("verified 50 samples in 3 shards");
    CommandLineRun lint = CommandLineRun.of("lint", written);
    assertThat(lint.exitCode()).as(lint.err()).isZero();
    Path resharded = directory.resolve("resharded");
    CommandLineRun reshard = CommandLineRun.of("reshard", written, resharded, "--max-count", "7");
    assertThat(reshard.exitCode()).as(reshard.err()).isZero();
    CommandLineRun diff = CommandLineRun.of("diff", written, resharded);
    assertThat(diff.exitCode()).as(diff.out() + diff.err()).isZero();
  }

  @Test
  void itIsAppendedTo() throws IOException {
    Path source = Files.createDirectories(directory.resolve("more"));
    Files.writeString(source.resolve("more.txt"), "more", UTF_8);
    CommandLineRun pack = CommandLineRun.of("pack", source, written, "--append");
    assertThat(pack.exitCode()).as(pack.err()).isZero();
    CommandLineRun verify = CommandLineRun.of("verify", written);
    assertThat(verify.out()).contains("verified 51 samples in 4 shards");
  }
}
