package dev.tarn.standalone.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/tarn scrub}: verifies every stored byte. */
@Command(
    name = "scrub",
    description = {
      "Check every stored byte against its checksum. The command waits for the report.",
      "Exit code 1 if data are corrupt or were not checked."
    },
    footer = "  tarn scrub --no-wait")
final class ScrubCommand extends AdminCommand implements Callable<Integer> {
  private static final String SCRUB = "/scrub";
  private static final Duration PAUSE = Duration.ofMillis(200);

  @Option(
      names = "--report",
      description = "Show the report of the last or running scrub without starting one.")
  private boolean reportOnly;

  @Option(names = "--no-wait", description = "Start a scrub and exit.")
  private boolean noWait;

  @Override
  public Integer call() throws IOException {
    JsonObject report = call(reportOnly ? "GET" : "POST", SCRUB, null);
    while (!reportOnly && !noWait && report.getString("state", "").equals("running")) {
      pause();
      report = call("GET", SCRUB, null);
    }
    printer().document(report);
    boolean incomplete = report.getString("state", "").equals("incomplete");
    return report.getLong("corrupt_count", 0L) == 0 && !incomplete ? 0 : 1;
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted; the round goes on in the server", e);
    }
  }
}
