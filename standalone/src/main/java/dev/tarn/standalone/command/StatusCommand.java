package dev.tarn.standalone.command;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bin/tarn status}. */
@Command(
    name = "status",
    description = "Show version, targets, disks and counts.",
    footer = "  tarn status --admin-url http://127.0.0.1:9001")
final class StatusCommand extends AdminCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    printer().document(call("GET", "/status", null));
    return 0;
  }
}
