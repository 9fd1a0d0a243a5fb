package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.fixtures.TestJvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** {@code sharder} in a process of its own, with the class path of the tests. */
public final class SharderProcess {
  private SharderProcess() {}

  /** Runs a command on local paths to its end, and gives its exit code. */
  public static int run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).waitFor();
  }

  /** Starts a command on local paths. */
  public static Process start(String... arguments) throws IOException {
    return TestJvm.start(builder(Map.of(), arguments));
  }

  /** Runs a command that may name objects of this endpoint. */
  public static int run(URI endpoint, String... arguments)
      throws IOException, InterruptedException {
    return start(endpoint, arguments).waitFor();
  }

  /** Runs a command that may name objects of this endpoint, and gives what it printed. */
  public static String output(URI endpoint, String... arguments)
      throws IOException, InterruptedException {
    Process process =
        TestJvm.start(builder(environment(endpoint), arguments).redirectOutput(Redirect.PIPE));
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("exit code " + process.exitValue() + ", after " + output);
    }
    return output;
  }

  /** Starts a command that may name objects of this endpoint. */
  public static Process start(URI endpoint, String... arguments) throws IOException {
    return TestJvm.start(builder(environment(endpoint), arguments));
  }

  private static Map<String, String> environment(URI endpoint) {
    return Map.of(
        "AWS_ENDPOINT_URL",
        endpoint.toString(),
        "AWS_ACCESS_KEY_ID",
        TarnProcess.ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY",
        TarnProcess.SECRET_KEY,
        "AWS_REGION",
        "us-east-1");
  }

  private static ProcessBuilder builder(Map<String, String> environment, String... arguments) {
    List<String> command = StartCache.command("dev.tarn.sharder.cli.SharderMain", List.of());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(Redirect.DISCARD);
    builder.environment().putAll(environment);
    return builder;
  }
}
