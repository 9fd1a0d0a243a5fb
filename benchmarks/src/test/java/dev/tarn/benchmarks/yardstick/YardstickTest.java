package dev.tarn.benchmarks.yardstick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YardstickTest {
  @TempDir private Path folder;

  @Test
  void everyAppendedEntryIsInTheFile()
      throws IOException, InterruptedException, ExecutionException {
    Path path = folder.resolve("log");
    ByteBuffer entry = ByteBuffer.allocateDirect(100);
    try (GroupCommitAppender appender = new GroupCommitAppender(path);
        ExecutorService writers = Executors.newFixedThreadPool(8)) {
      Callable<@Nullable Void> append =
          () -> {
            appender.append(entry);
            return null;
          };
      for (Future<@Nullable Void> done : writers.invokeAll(Collections.nCopies(200, append))) {
        done.get();
      }
    }
    assertThat(path).hasSize(200 * 100);
  }

  @Test
  void appendLoadCountsAndCleansUp() throws IOException {
    Measurement sample =
        new AppendLoad(folder, ByteBuffer.allocateDirect(8192), 4).run(Duration.ofMillis(100));
    assertThat(sample.bytes()).isEqualTo(sample.operations() * 8192);
    assertThat(filesLeft()).isZero();
  }

  @Test
  void hashAndWriteCountsAndCleansUp() throws IOException {
    Measurement sample =
        new HashAndWrite(folder, ByteBuffer.allocateDirect(3_000_000)).run(Duration.ofMillis(50));
    assertThat(sample.bytes()).isEqualTo(sample.operations() * 3_000_000);
    assertThat(sample.cpuNanos()).isPositive();
    assertThat(filesLeft()).isZero();
  }

  @Test
  void walkMeetsEveryMemberOfAnArchive() throws IOException {
    try (ShardWriter writer = ShardWriter.builder(folder.toString()).build()) {
      writer.write("empty", Map.of("bin", new byte[0]));
      writer.write("one", Map.of("bin", new byte[513], "txt", new byte[3]));
      writer.write("large", Map.of("bin", new byte[3_000_000]));
      writer.commit();
    }
    assertThat(new TarHeaderWalk().walk(folder)).isEqualTo(new TarHeaderWalk.Walked(4, 3_000_516));
  }

  private long filesLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
