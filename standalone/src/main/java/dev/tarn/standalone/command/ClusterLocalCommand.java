package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.cluster.Launcher;
import dev.tarn.standalone.cluster.LocalCluster;
import dev.tarn.standalone.config.Role;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/tarn cluster local}. */
@Command(
    name = "local",
    mixinStandardHelpOptions = true,
    description = "Run a cluster on this machine, for trials.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterLocalCommand.Start.class,
      ClusterLocalCommand.Stop.class,
      ClusterLocalCommand.Status.class,
      ClusterLocalCommand.Env.class
    })
final class ClusterLocalCommand {
  private static final int MEMBERS_MAX = 100;

  /** The option and cluster that these commands share. */
  @Command(mixinStandardHelpOptions = true, sortOptions = false)
  abstract static class LocalCommand {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description =
            "Folder of the cluster; default: tarn-cluster beside the data folder of serve.")
    private @Nullable Path data;

    @Spec private @Nullable CommandSpec spec;

    final LocalCluster cluster() {
      Map<String, String> environment = System.getenv();
      Path folder = data == null ? LocalCluster.defaultFolder(environment) : data;
      return new LocalCluster(folder, Launcher.ofThisProcess(), environment, this::tell);
    }

    final PrintWriter out() {
      return spec().commandLine().getOut();
    }

    /** The option that names the folder again; empty for the default folder. */
    final String folderOption() {
      return data == null ? "" : " --data " + data;
    }

    private void tell(String progress) {
      out().println(progress);
      out().flush();
    }

    final CommandSpec spec() {
      return requireNonNull(spec, "picocli sets the spec");
    }
  }

  /** {@code bin/tarn cluster local start}. */
  @Command(
      name = "start",
      description = {
        "Start a control node, gateways and targets as processes, and add the targets to the"
            + " cluster map.",
        "A second run starts the processes that have stopped, with their data and ports. More"
            + " targets join the cluster."
      },
      footer = "  tarn cluster local start --targets 5")
  static final class Start extends LocalCommand implements Callable<Integer> {
    @Option(names = "--gateways", paramLabel = "N", description = "Number of gateways; default: 2.")
    private @Nullable Integer gateways;

    @Option(names = "--targets", paramLabel = "N", description = "Number of targets; default: 3.")
    private @Nullable Integer targets;

    @Override
    public Integer call() throws IOException, StartFailure {
      LocalCluster cluster = cluster();
      cluster.start(checked("--gateways", gateways), checked("--targets", targets));
      tellHowToUse(cluster);
      return 0;
    }

    private Optional<Integer> checked(String option, @Nullable Integer count) {
      if (count != null && (count < 1 || count > MEMBERS_MAX)) {
        throw new ParameterException(
            spec().commandLine(), option + " is " + count + ", must be 1 to " + MEMBERS_MAX);
      }
      return Optional.ofNullable(count);
    }

    private void tellHowToUse(LocalCluster cluster) throws IOException {
      List<LocalCluster.State> gateways =
          cluster.status().stream().filter(member -> member.role() == Role.GATEWAY).toList();
      PrintWriter out = out();
      out.println();
      out.println("S3 is at each of");
      gateways.forEach(gateway -> out.println("  " + gateway.url()));
      out.printf(
          """
          In a terminal, for S3 tools and for commands of an administrator:
            eval "$(bin/tarn cluster local env%s)"
            aws s3 mb s3://data
            bin/tarn cluster status
          """,
          folderOption());
      out.flush();
    }
  }

  /** {@code bin/tarn cluster local stop}. */
  @Command(
      name = "stop",
      description = "Stop all processes of the cluster. Their data remain.",
      footer = "  tarn cluster local stop")
  static final class Stop extends LocalCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException, StartFailure {
      if (cluster().stop() == 0) {
        out().println("nothing runs");
        out().flush();
      }
      return 0;
    }
  }

  /** {@code bin/tarn cluster local status}. */
  @Command(
      name = "status",
      description = {"Show the processes of the cluster.", "Exit code 1 unless all of them serve."},
      footer = "  tarn cluster local status")
  static final class Status extends LocalCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      List<LocalCluster.State> members = cluster().status();
      PrintWriter out = out();
      if (members.isEmpty()) {
        out.println("there is no cluster; bin/tarn cluster local start creates one");
      }
      for (LocalCluster.State member : members) {
        String state = member.pid().isEmpty() ? "stopped" : member.ready() ? "serves" : "starts";
        out.printf(
            "%-12s %-12s pid %-8s %s admin %s%n",
            member.name(),
            state,
            member.pid().map(String::valueOf).orElse("-"),
            member.url(),
            member.adminUrl());
      }
      out.flush();
      boolean serves = !members.isEmpty() && members.stream().allMatch(LocalCluster.State::ready);
      return serves ? 0 : 1;
    }
  }

  /** {@code bin/tarn cluster local env}. */
  @Command(
      name = "env",
      description = {
        "Print the variables with which S3 tools and Tarn's commands use the first gateway, as the"
            + " admin, for a shell to evaluate.",
        "The output contains the secret key."
      },
      footer = "  eval \"$(tarn cluster local env)\"")
  static final class Env extends LocalCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      LocalCluster cluster = cluster();
      LocalCluster.State gateway =
          cluster.status().stream()
              .filter(member -> member.role() == Role.GATEWAY)
              .findFirst()
              .orElseThrow(() ->
                  new IOException("there is no cluster; bin/tarn cluster local start creates one"));
      KeyPair pair = KeyPair.requiredIn(cluster.credentials(), "the key pair of the cluster");
      Map<String, String> variables = new TreeMap<>(pair.environment());
      variables.put("AWS_ACCESS_KEY_ID", pair.accessKey());
      variables.put("AWS_SECRET_ACCESS_KEY", pair.secretKey());
      variables.put("AWS_ENDPOINT_URL", gateway.url().toString());
      variables.put("AWS_REGION", "us-east-1");
      variables.put("TARN_ADMIN_URL", gateway.adminUrl().toString());
      variables.forEach((name, value) ->
          out().println("export " + name + "='" + value.replace("'", "'\\''") + "'"));
      out().flush();
      return 0;
    }
  }
}
