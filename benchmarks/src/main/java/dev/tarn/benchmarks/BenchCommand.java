package dev.tarn.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.report.JsonReport;
import dev.tarn.benchmarks.report.Report;
import dev.tarn.benchmarks.report.TableReport;
import dev.tarn.benchmarks.server.ScratchFolder;
import dev.tarn.benchmarks.server.TarnHome;
import dev.tarn.benchmarks.suite.BenchmarkName;
import dev.tarn.benchmarks.suite.Effort;
import dev.tarn.benchmarks.suite.Run;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/tarn bench NAME}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measure Tarn and a yardstick in alternating rounds, each server in its own process.",
      "The main figure is the server's CPU time per request. Figures are medians of the rounds."
    })
final class BenchCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "NAME",
      description = "Benchmarks to run: ${COMPLETION-CANDIDATES}.")
  private List<BenchmarkName> names = List.of();

  @Option(
      names = "--json",
      description = "Print one JSON object per line and cell instead of a table.")
  private boolean json;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds of each side, at least 3 (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--seconds", description = "Length of a round (default: 5, with --quick 1).")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm-up",
      description = "Seconds of load before the first round (default: 10, with --quick 1).")
  private @Nullable Integer warmUpSeconds;

  @Option(
      names = "--quick",
      description =
          "Use small data and short rounds, to test the benchmarks. The figures mean little.")
  private boolean quick;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = {
        "Measure only this size. For get, head and hop: the size of objects, such as 1MiB.",
        "For epoch: the size of local samples, 1KiB, 10KiB or 110KB."
      })
  private @Nullable String size;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description =
          "For load: run only this scenario: busy-machine, lost-target, silent-target or"
              + " slow-clients. For cold-cache: far, full, near, fine or warm. For cache: policy,"
              + " served or hits.")
  private @Nullable String scenario;

  @Option(
      names = "--clients",
      paramLabel = "COUNT",
      description =
          "For load: the number of slow clients, at least 3 (default: 10000, with --quick 300).")
  private @Nullable Integer slowClients;

  @Option(
      names = "--hold",
      paramLabel = "SECONDS",
      description =
          "For load: how long slow clients or busy processes stay, at most 600 (default: 60, with"
              + " --quick 10).")
  private @Nullable Integer holdSeconds;

  @Option(
      names = "--policy-only",
      description = "For cache: compare only the policies, without a server.")
  private boolean policyOnly;

  @Option(
      names = "--scratch",
      paramLabel = "DIR",
      description =
          "Folder for data, on the disk to be measured (default: the system's temporary folder).")
  private @Nullable Path scratch;

  @Option(names = "--debug", description = "Print the stack trace of a failure.")
  private boolean debug;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;

  BenchCommand(PrintStream out) {
    this.out = requireNonNull(out, "out is null");
  }

  boolean debug() {
    return debug;
  }

  @Override
  public Integer call() throws IOException {
    Effort effort = effort();
    Report report = json ? new JsonReport(out) : new TableReport(out);
    Path parent = parent();
    TarnHome home = TarnHome.find();
    for (BenchmarkName name : names) {
      try (ScratchFolder folder = ScratchFolder.create(parent)) {
        name.benchmark().run(new Run(home, folder.path(), effort, report));
      }
    }
    return 0;
  }

  private Effort effort() {
    try {
      return new Effort(
          rounds,
          Duration.ofSeconds(Optional.ofNullable(seconds).orElse(quick ? 1 : 5)),
          Duration.ofSeconds(Optional.ofNullable(warmUpSeconds).orElse(quick ? 1 : 10)),
          quick,
          Optional.ofNullable(size),
          Optional.ofNullable(scenario),
          Optional.ofNullable(slowClients).orElse(quick ? 300 : 10_000),
          Duration.ofSeconds(Optional.ofNullable(holdSeconds).orElse(quick ? 10 : 60)),
          policyOnly);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private Path parent() {
    Path parent =
        Optional.ofNullable(scratch).orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
    if (!Files.isDirectory(parent)) {
      throw usage("--scratch must be a folder that exists: " + parent);
    }
    return parent;
  }

  private ParameterException usage(String message) {
    return new ParameterException(requireNonNull(spec, "spec is null").commandLine(), message);
  }
}
