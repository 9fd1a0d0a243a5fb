package dev.tarn.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.fixtures.TestJvm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class ExamplesTest {
  @TempDir private Path temporary;

  @Test
  @ResourceLock(Resources.SYSTEM_OUT)
  void datasetIsWrittenAndRead() throws IOException {
    String folder = written(250);
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      ReadDataset.main(new String[] {folder});
    } finally {
      System.setOut(console);
    }
    assertThat(printed.toString(UTF_8).lines())
        .hasSize(250)
        .contains("000000: 0", "000012: 144", "000249: 62001");
  }

  @Test
  void sumGoesOnWhereItWasKilled() throws Exception {
    String folder = written(5000);
    String state = temporary.resolve("state").toString();
    Process killed = start(Map.of(), ResumeAfterKill.class, folder, state);
    try (BufferedReader lines = killed.inputReader(UTF_8)) {
      assertThat(lines.readLine()).startsWith("saved ");
    } finally {
      killed.destroyForcibly().waitFor();
    }
    assertThat(killed.exitValue()).isNotZero();

    List<String> printed = run(Map.of(), ResumeAfterKill.class, folder, state);

    assertThat(printed).hasSizeBetween(2, 5000);
    long sum = LongStream.range(0, 5000).map(i -> i * i).sum();
    assertThat(printed.get(printed.size() - 1)).isEqualTo("all: " + sum);
  }

  @Test
  void whatTwoRanksHaveLeftIsReadByThree() throws Exception {
    String folder = written(500);
    List<String> read = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      read.addAll(run(rank(rank, 2), ReadRank.class, folder, "100", checkpoint(rank, 2)));
    }
    assertThat(read).hasSize(200);
    for (int rank = 0; rank < 3; rank++) {
      List<String> rest =
          run(
              rank(rank, 3),
              ReadRank.class,
              folder,
              "1000",
              checkpoint(rank, 3),
              checkpoint(0, 2),
              checkpoint(1, 2));
      assertThat(rest).hasSize(100);
      read.addAll(rest);
    }
    assertThat(read)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 500).mapToObj("%06d"::formatted).toList());
  }

  private String written(int samples) throws IOException {
    String folder = temporary.resolve("squares").toString();
    WriteDataset.main(new String[] {folder, Integer.toString(samples)});
    return folder;
  }

  private String checkpoint(int rank, int ranks) {
    return temporary.resolve("%d-of-%d.json".formatted(rank, ranks)).toString();
  }

  private static Map<String, String> rank(int rank, int ranks) {
    return Map.of("RANK", Integer.toString(rank), "WORLD_SIZE", Integer.toString(ranks));
  }

  /** What a program prints that ends well. */
  private static List<String> run(
      Map<String, String> environment, Class<?> program, String... arguments) throws Exception {
    Process process = start(environment, program, arguments);
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      List<String> printed = lines.lines().toList();
      assertThat(process.waitFor()).isZero();
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(
      Map<String, String> environment, Class<?> program, String... arguments) throws IOException {
    List<String> command = TestJvm.command(program.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return TestJvm.start(builder);
  }
}
