package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PacedClient;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.load.TimedAnswer;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnCluster;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Two gateways read a cached bucket from three targets. One target is stopped by SIGSTOP and
 * continued; then another is killed by SIGKILL. The other targets read its keys from the backend.
 */
final class LostTargetLoad implements Benchmark {
  private static final int GATEWAYS = 2;
  private static final int TARGETS = 3;
  private static final int OBJECTS = 300;
  private static final int READS_PER_SECOND = 100;
  private static final String CACHED = "cached";
  private static final double PAUSE_SECONDS_MAX = 2.5;

  /**
   * The bytes of the lost target's keys are read once from the backend; a few more are no fault.
   */
  private static final double FETCHED_RATIO_MAX = 1.1;

  private static final double BYTES_PER_MIB = 1 << 20;
  private static final double MS_PER_SECOND = 1e3;
  private static final double WARM_SECONDS_MAX = 60;
  private static final String FETCHED_METRIC = "tarn_cache_fetched_bytes_total";
  private static final String SENT_METRIC = "tarn_s3_sent_bytes_total";
  private static final Corpus CORPUS = Corpus.kibibytes(64, OBJECTS);

  /** How long the load lasts before a target is lost, then until it is back, and after that. */
  private record Phases(int before, int lost, int after) {
    int all() {
      return before + lost + after;
    }
  }

  /** Does something to a target. */
  @FunctionalInterface
  private interface Act {
    void on(TarnServer target) throws IOException;
  }

  /** How a target is lost, and what brings it back. */
  private record Loss(String name, int target, Act begin, Act end) {}

  private static final List<Loss> LOSSES =
      List.of(
          new Loss("stopped", 0, TarnServer::pause, TarnServer::resume),
          new Loss("killed", 1, TarnServer::kill, target -> {}));

  @Override
  public void run(Run run) throws IOException {
    Phases phases = run.effort().quick() ? new Phases(2, 8, 2) : new Phases(10, 25, 10);
    try (TarnServer origin =
            TarnServer.start(run.home(), Files.createDirectory(run.scratch().resolve("origin")));
        TarnCluster cluster = TarnCluster.start(run.home(), run.scratch(), GATEWAYS, TARGETS)) {
      BenchmarkBucket.create(origin.address());
      BenchmarkBucket.upload(origin.address(), CORPUS.entries());
      cluster
          .gateway()
          .createCachedBucket(run.home(), CACHED, origin.endpoint(), BenchmarkBucket.NAME);
      List<TarnServer> gateways = cluster.gateways();
      try (PacedClient first = new PacedClient(gateways.getFirst().address());
          PacedClient second = new PacedClient(gateways.getLast().address())) {
        List<PacedClient> clients = List.of(first, second);
        fill(clients, gateways);
        List<Double> shares = new ArrayList<>();
        for (TarnServer target : cluster.targets()) {
          shares.add(target.metric(FETCHED_METRIC));
        }
        for (Loss loss : LOSSES) {
          TarnServer target = cluster.targets().get(loss.target());
          double sent = origin.metric(SENT_METRIC);
          lose(run, loss, target, phases, start(clients, gateways, phases.all()));
          double fetched = origin.metric(SENT_METRIC) - sent;
          fetched(run, loss, fetched, shares.get(loss.target()));
        }
      }
    }
  }

  /** Reads everything until no read fails, so that each target has its share. */
  private static void fill(List<PacedClient> clients, List<TarnServer> gateways)
      throws IOException {
    int seconds = OBJECTS * GATEWAYS / READS_PER_SECOND;
    long startNanos = System.nanoTime();
    while (end(start(clients, gateways, seconds)).failures() > 0) {
      if (PacedLoad.seconds(System.nanoTime() - startNanos) > WARM_SECONDS_MAX) {
        throw new IOException(
            "reads of the cached bucket fail after %.0f s".formatted(WARM_SECONDS_MAX));
      }
    }
  }

  /** Starts a load on each gateway, each with its part of the rate. */
  private static List<CompletableFuture<List<TimedAnswer>>> start(
      List<PacedClient> clients, List<TarnServer> gateways, int seconds) {
    List<CompletableFuture<List<TimedAnswer>>> loads = new ArrayList<>();
    for (int gateway = 0; gateway < GATEWAYS; gateway++) {
      loads.add(
          PacedLoad.start(
              clients.get(gateway),
              READS_PER_SECOND / GATEWAYS,
              seconds,
              reads(gateways.get(gateway))));
    }
    return loads;
  }

  private static IntFunction<PreparedRequest> reads(TarnServer gateway) {
    Requests requests = BenchmarkBucket.signed(gateway.address());
    List<PreparedRequest> all = new ArrayList<>();
    for (int index = 0; index < OBJECTS; index++) {
      String path = "/" + CACHED + "/" + CORPUS.path(index);
      all.add(requests.get(path, Expectation.status(200)));
    }
    return index -> all.get(index % OBJECTS);
  }

  private static Answers end(List<CompletableFuture<List<TimedAnswer>>> loads) throws IOException {
    List<TimedAnswer> answers = new ArrayList<>();
    for (CompletableFuture<List<TimedAnswer>> load : loads) {
      answers.addAll(PacedLoad.end(load));
    }
    return new Answers(answers);
  }

  private static void lose(
      Run run,
      Loss loss,
      TarnServer target,
      Phases phases,
      List<CompletableFuture<List<TimedAnswer>>> loads)
      throws IOException {
    PacedLoad.pause(phases.before());
    long lostNanos = System.nanoTime();
    loss.begin().on(target);
    try {
      PacedLoad.pause(phases.lost());
    } finally {
      loss.end().on(target);
    }
    // A read that was sent before has perhaps begun its answer; its end cannot come from elsewhere.
    Answers reads = end(loads).select(PacedLoad.due(lostNanos, Long.MAX_VALUE));
    add(
        run,
        loss,
        "failed reads",
        (double) reads.failures(),
        reads.count(),
        "reads",
        new Goal.AtMost(0));
    add(
        run,
        loss,
        "longest pause",
        reads.longestMs() / MS_PER_SECOND,
        PAUSE_SECONDS_MAX,
        "s",
        new Goal.AtMost(PAUSE_SECONDS_MAX));
  }

  /** Compares what the backend sent with the share of the lost target. */
  private static void fetched(Run run, Loss loss, double bytes, double shareBytes) {
    add(
        run,
        loss,
        "from the backend",
        bytes / BYTES_PER_MIB,
        shareBytes / BYTES_PER_MIB,
        "MiB",
        new Goal.RatioAtMost(FETCHED_RATIO_MAX));
  }

  private static void add(
      Run run, Loss loss, String name, double ours, double yardstick, String unit, Goal goal) {
    String cell = "lost-target: %s, %s".formatted(loss.name(), name);
    run.report().add(new Cell(LoadBenchmark.NAME, cell, ours, yardstick, unit, Optional.of(goal)));
  }
}
