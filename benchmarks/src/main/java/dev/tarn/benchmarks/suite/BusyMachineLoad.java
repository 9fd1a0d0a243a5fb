package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PacedClient;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A gateway reads from three targets at a low rate while busy processes take nearly all of the
 * processors. The targets are slow then, and none of them is silent.
 */
final class BusyMachineLoad implements Benchmark {
  private static final int BUSY_PROCESSES = 40;
  private static final int READS_PER_SECOND = 20;
  private static final int TARGETS = 3;
  private static final int OBJECTS = 100;
  private static final String TLS = "cluster.tls=";
  private static final String SILENCES_METRIC = "tarn_targets_silences_total";
  private static final Corpus CORPUS = Corpus.kibibytes(8, OBJECTS);

  /** Processes that use as much processor time as they get. Closing ends them. */
  private record BusyProcesses(List<Process> all) implements AutoCloseable {
    static BusyProcesses start(int count) throws IOException {
      BusyProcesses started = new BusyProcesses(new ArrayList<>());
      try {
        for (int number = 0; number < count; number++) {
          started.all().add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
        }
        return started;
      } catch (IOException e) {
        started.close();
        throw e;
      }
    }

    @Override
    public void close() {
      all.forEach(Process::destroyForcibly);
    }
  }

  @Override
  public void run(Run run) throws IOException {
    for (boolean tls : new boolean[] {false, true}) {
      String name = tls ? "busy-machine, TLS" : "busy-machine";
      Path scratch = Files.createDirectory(run.scratch().resolve(tls ? "secured" : "plain"));
      try (TarnCluster cluster = TarnCluster.start(run.home(), scratch, 1, TARGETS, TLS + tls);
          PacedClient client = new PacedClient(cluster.gateway().address())) {
        BenchmarkBucket.create(cluster.gateway().address());
        BenchmarkBucket.upload(cluster.gateway().address(), CORPUS.entries());
        Answers reads = read(cluster, client, run.effort().hold());
        double silences = cluster.gateway().metric(SILENCES_METRIC);
        Goal none = new Goal.AtMost(0);
        add(run, name + ": failed reads", (double) reads.failures(), reads.count(), none);
        add(run, name + ": targets found silent", silences, TARGETS, none);
        run.report()
            .add(
                new Cell(
                    LoadBenchmark.NAME,
                    name + ": longest read",
                    reads.longestMs(),
                    reads.percentileMs(50),
                    "ms",
                    Optional.empty()));
      }
    }
  }

  private static Answers read(TarnCluster cluster, PacedClient client, Duration hold)
      throws IOException {
    Requests requests = BenchmarkBucket.signed(cluster.gateway().address());
    List<PreparedRequest> gets =
        IntStream.range(0, OBJECTS)
            .mapToObj(CORPUS::path)
            .map(BenchmarkBucket::path)
            .map(path -> requests.get(path, Expectation.status(200)))
            .toList();
    try (BusyProcesses busy = BusyProcesses.start(BUSY_PROCESSES)) {
      Answers answers =
          new Answers(client.run(READS_PER_SECOND, hold, index -> gets.get(index % OBJECTS)));
      if (!busy.all().stream().allMatch(Process::isAlive)) {
        throw new IOException("a busy process ended during the load");
      }
      return answers;
    }
  }

  private static void add(Run run, String cell, double ours, double of, Goal goal) {
    run.report().add(new Cell(LoadBenchmark.NAME, cell, ours, of, "", Optional.of(goal)));
  }
}
