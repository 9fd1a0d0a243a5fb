package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tarn dashboard}: prints the Grafana dashboard that the chart installs too. */
@Command(
    name = "dashboard",
    mixinStandardHelpOptions = true,
    description = {
      "Print a Grafana dashboard of Tarn's metrics, as JSON.",
      "Import it into Grafana, or put it into the folder of a dashboard provider."
    },
    footer = "  tarn dashboard")
final class DashboardCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (InputStream dashboard = DashboardCommand.class.getResourceAsStream("/dashboard.json")) {
      byte[] json = requireNonNull(dashboard, "the dashboard is missing").readAllBytes();
      PrintWriter out = requireNonNull(spec).commandLine().getOut();
      out.print(new String(json, StandardCharsets.UTF_8));
      out.flush();
    }
    return 0;
  }
}
