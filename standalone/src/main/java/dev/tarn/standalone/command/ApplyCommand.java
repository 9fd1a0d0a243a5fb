package dev.tarn.standalone.command;

import dev.tarn.standalone.cluster.Backoff;
import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.ConfigException;
import dev.tarn.standalone.config.ConfigFile;
import dev.tarn.standalone.declared.Declaration;
import dev.tarn.standalone.declared.Reconciler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn apply}: creates the users, keys and buckets that a file declares. */
@Command(
    name = "apply",
    description = {
      "Create the users, key pairs and buckets that a file declares.",
      "Existing ones get the declared settings. Nothing is removed."
    },
    footer = "  tarn apply buckets.yaml")
final class ApplyCommand extends AdminCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "YAML file with the lists users, backends and buckets; see docs/DEPLOYMENT.md.")
  private Path file = Path.of("");

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "60s",
      description = "Longest wait for a server that cannot make changes yet, such as 60s or 5m.")
  private String wait = "";

  @Override
  public Integer call() throws IOException, ConfigException {
    Declaration declaration = ConfigBinder.bind(Declaration.NOTHING, ConfigFile.read(file)).value();
    Duration waitMax = given(() -> waitMax(wait));
    Printer printer = printer();
    given(() -> {
      new Reconciler(this::call, Backoff.of(waitMax), printer::line).reconcile(declaration);
      return declaration;
    });
    return 0;
  }
}
