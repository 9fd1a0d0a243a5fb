package dev.tarn.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
  private final StringWriter errors = new StringWriter();
  private final CommandLine line = line();

  private CommandLine line() {
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    return Bench.commandLine(out).setErr(new PrintWriter(errors));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fly | expected one of [GET, HEAD",
        "get --rounds 2 | rounds must be at least 3, for a median: 2",
        "get --seconds 0 | must be longer than 0 s",
        "load --clients 2 | clients must be from 3 to 1,000,000: 2",
        "load --hold 0 | hold must be from 1 to 600 s: 0",
        "load --hold 601 | hold must be from 1 to 600 s: 601",
        "get --scratch /nowhere/at/all | --scratch must be a folder that exists: /nowhere/at/all",
      })
  void wrongUseIsNamedAndAnsweredWithTwo(String arguments, String message) {
    assertThat(line.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(errors.toString()).contains(message);
  }

  @Test
  void nothingToMeasureIsWrongUse() {
    assertThat(line.execute()).isEqualTo(2);
    assertThat(errors.toString()).contains("NAME");
  }
}
