package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.standalone.Tarn;
import dev.tarn.standalone.config.BoundConfig;
import dev.tarn.standalone.config.ConfigException;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/tarn serve}: serves until a signal ends the process. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Start a server. Without a role, one process holds gateway, target and control plane.",
      "TARN_ACCESS_KEY and TARN_SECRET_KEY are the first admin's key pair; default: a new pair."
    },
    footer = "  tarn serve --data /var/lib/tarn --listen 0.0.0.0:9000")
final class ServeCommand implements Callable<Integer> {
  @Mixin private ServeOptions options = new ServeOptions();

  @Option(
      names = "--print-config",
      description = "Print every configuration value with its origin, and exit.")
  private boolean printConfig;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, StartFailure, InterruptedException {
    PrintWriter out = requireNonNull(spec, "spec is null").commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Map<String, String> environment = System.getenv();
    BoundConfig<TarnConfig> config = options.bind(environment);
    if (printConfig) {
      out.print(config.print());
      out.flush();
      return 0;
    }
    Tarn tarn = Tarn.start(config.value(), givenPair(environment));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> endWell(tarn), "tarn-shutdown"));
    err.println("data in " + config.value().data().toAbsolutePath().normalize());
    tarn.madePair().ifPresent(pair -> tell(err, tarn, pair));
    if (config.value().admin().console() && tarn.ready().listener() == ReadyLine.Listener.S3) {
      err.println("console at " + tarn.ready().admin() + "/");
    }
    err.flush();
    out.println(tarn.ready());
    out.flush();
    new CountDownLatch(1).await();
    return 0;
  }

  private static Optional<KeyPair> givenPair(Map<String, String> environment)
      throws ConfigException {
    try {
      Optional<KeyPair> pair = KeyPair.inEnvironment(environment);
      pair.ifPresent(given -> AccessKey.requireValid(given.accessKey(), given.secretKey()));
      return pair;
    } catch (IllegalArgumentException e) {
      throw new ConfigException(List.of("TARN_ACCESS_KEY and TARN_SECRET_KEY: " + e.getMessage()));
    }
  }

  private static void tell(PrintWriter err, Tarn tarn, KeyPair pair) {
    err.println("created the first admin's key pair. It is shown only now and kept in");
    err.println("  " + tarn.credentialsFile());
    err.println("  access key: " + pair.accessKey());
    err.println("  secret key: " + pair.secretKey());
  }

  /**
   * Closes the server and exits with 0. Without this the JVM would exit with the signal's code,
   * although the shutdown succeeded.
   */
  private static void endWell(Tarn tarn) {
    tarn.close();
    Runtime.getRuntime().halt(0);
  }
}
