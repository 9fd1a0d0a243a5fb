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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One of three targets is stopped by SIGSTOP under a steady load through a gateway, and continued
 * later. The load is GETs of 8 KiB, one PUT in ten and one list in a hundred.
 */
final class SilentTargetLoad implements Benchmark {
  private static final int TARGETS = 3;
  private static final int OBJECTS = 300;
  private static final int REQUESTS_PER_SECOND = 100;
  private static final int PUT_PERIOD = 10;
  private static final int LIST_PERIOD = 100;

  /** The default of {@code gateway.limits.target-wait-max}, and what scheduling may add to it. */
  private static final double WAIT_SECONDS_MAX = 5;

  private static final double SLACK_SECONDS = 0.5;
  private static final double DETECTION_SECONDS_MAX = 2.5;
  private static final double RECOVERY_SECONDS_MAX = 1;
  private static final double REFUSAL_MS_MAX = 100;
  private static final double LATENCY_GAIN_MS_MAX = 5;
  private static final double MS_PER_SECOND = 1e3;
  private static final long GIVE_UP_SECONDS = 60;
  private static final String SILENT_METRIC = "tarn_targets_silent";
  private static final Corpus CORPUS = Corpus.kibibytes(8, OBJECTS);

  /** How long the load lasts before the stop, during it and after it. */
  private record Phases(int before, int stopped, int after) {
    int all() {
      return before + stopped + after;
    }
  }

  /** When the target was stopped, found to be silent, and continued. */
  private record Marks(long stoppedNanos, long foundNanos, long continuedNanos) {}

  /** A request of the load. */
  private record Sent(PreparedRequest request, boolean list, boolean ofStopped) {}

  @Override
  public void run(Run run) throws IOException {
    Phases phases = run.effort().quick() ? new Phases(3, 9, 3) : new Phases(10, 20, 5);
    try (TarnCluster cluster = TarnCluster.start(run.home(), run.scratch(), 1, TARGETS);
        PacedClient client = new PacedClient(cluster.gateway().address())) {
      BenchmarkBucket.create(cluster.gateway().address());
      BenchmarkBucket.upload(cluster.gateway().address(), CORPUS.entries());
      List<Sent> requests = requests(cluster, ofTarget(cluster, client));
      client.run(
          REQUESTS_PER_SECOND,
          run.effort().warmUp(),
          index -> requests.get(index % requests.size()).request());
      CompletableFuture<List<TimedAnswer>> load =
          PacedLoad.start(
              client,
              REQUESTS_PER_SECOND,
              phases.all(),
              index -> requests.get(index % requests.size()).request());
      Marks marks = stopAndContinue(cluster, phases);
      report(run, requests, PacedLoad.end(load), marks);
    }
  }

  /** The numbers of the objects of the first target, as the gateway redirects reads of them. */
  private static Set<Integer> ofTarget(TarnCluster cluster, PacedClient client) throws IOException {
    TarnServer gateway = cluster.gateway();
    String url = "http://127.0.0.1:" + cluster.target().address().getPort() + "/";
    List<TimedAnswer> redirects =
        client.run(
            OBJECTS,
            Duration.ofSeconds(1),
            index ->
                BenchmarkBucket.signed(gateway.address())
                    .withHeader("x-tarn-direct-read", "accept")
                    .get(BenchmarkBucket.path(CORPUS.path(index)), Expectation.status(307)));
    Set<Integer> objects = new HashSet<>();
    for (TimedAnswer redirect : redirects) {
      if (redirect.location().isEmpty()) {
        throw new IOException("no redirect to an owner, but status " + redirect.status());
      }
      if (redirect.location().startsWith(url)) {
        objects.add(redirect.index());
      }
    }
    return objects;
  }

  private static List<Sent> requests(TarnCluster cluster, Set<Integer> ofStopped) {
    Requests requests = BenchmarkBucket.signed(cluster.gateway().address());
    List<Sent> all = new ArrayList<>();
    for (int index = 0; index < OBJECTS; index++) {
      boolean list = index % LIST_PERIOD == LIST_PERIOD / 2;
      Corpus.Entry object = CORPUS.entry(index);
      PreparedRequest request =
          list
              ? requests.get("/" + BenchmarkBucket.NAME, "list-type=2", Expectation.status(200))
              : index % PUT_PERIOD == 0
                  ? BenchmarkBucket.put(requests, object)
                  : requests.get(BenchmarkBucket.path(object.path()), Expectation.status(200));
      all.add(new Sent(request, list, ofStopped.contains(index)));
    }
    return all;
  }

  private static Marks stopAndContinue(TarnCluster cluster, Phases phases) throws IOException {
    TarnServer target = cluster.target();
    PacedLoad.pause(phases.before());
    long stopped = System.nanoTime();
    target.pause();
    try {
      long found = foundSilent(cluster.gateway(), stopped);
      PacedLoad.pause(phases.stopped() - PacedLoad.seconds(found - stopped));
      long continued = System.nanoTime();
      target.resume();
      return new Marks(stopped, found, continued);
    } finally {
      target.resume();
    }
  }

  private static long foundSilent(TarnServer gateway, long stopped) throws IOException {
    while (gateway.metric(SILENT_METRIC) < 1) {
      if (System.nanoTime() - stopped > TimeUnit.SECONDS.toNanos(GIVE_UP_SECONDS)) {
        throw new IOException("the silence was not found within " + GIVE_UP_SECONDS + " s");
      }
      PacedLoad.pause(0.02);
    }
    return System.nanoTime();
  }

  private static void report(Run run, List<Sent> requests, List<TimedAnswer> answers, Marks marks) {
    List<TimedAnswer> others = new ArrayList<>();
    List<TimedAnswer> ofStopped = new ArrayList<>();
    List<TimedAnswer> lists = new ArrayList<>();
    for (TimedAnswer answer : answers) {
      Sent sent = requests.get(answer.index() % OBJECTS);
      (sent.list() ? lists : sent.ofStopped() ? ofStopped : others).add(answer);
    }
    Predicate<TimedAnswer> before = answer -> answer.endNanos() < marks.stoppedNanos();
    Predicate<TimedAnswer> during = PacedLoad.due(marks.stoppedNanos(), marks.continuedNanos());
    others(run, new Answers(others).select(before), new Answers(others).select(during));

    double found = PacedLoad.seconds(marks.foundNanos() - marks.stoppedNanos());
    add(run, "found silent", found, DETECTION_SECONDS_MAX, "s", DETECTION_SECONDS_MAX);
    add(
        run,
        "its keys: longest wait",
        new Answers(ofStopped).select(during).longestMs() / MS_PER_SECOND,
        WAIT_SECONDS_MAX,
        "s",
        WAIT_SECONDS_MAX + SLACK_SECONDS);
    long givenUp = marks.stoppedNanos() + PacedLoad.nanos(WAIT_SECONDS_MAX + SLACK_SECONDS);
    add(
        run,
        "its keys: wait then",
        new Answers(ofStopped)
            .select(PacedLoad.due(givenUp, marks.continuedNanos() - PacedLoad.nanos(SLACK_SECONDS)))
            .longestMs(),
        REFUSAL_MS_MAX,
        "ms",
        REFUSAL_MS_MAX);
    add(
        run,
        "lists: wait once found",
        new Answers(lists)
            .select(PacedLoad.due(marks.foundNanos(), marks.continuedNanos()))
            .longestMs(),
        REFUSAL_MS_MAX,
        "ms",
        REFUSAL_MS_MAX);
    double back =
        ofStopped.stream()
            .filter(answer -> answer.ok() && answer.endNanos() > marks.continuedNanos())
            .mapToDouble(answer -> PacedLoad.seconds(answer.endNanos() - marks.continuedNanos()))
            .min()
            .orElse(GIVE_UP_SECONDS);
    add(run, "its keys: served again", back, RECOVERY_SECONDS_MAX, "s", RECOVERY_SECONDS_MAX);
  }

  /** Compares the keys of the other targets during the stop with those before it. */
  private static void others(Run run, Answers before, Answers during) {
    run.report()
        .add(
            new Cell(
                LoadBenchmark.NAME,
                "silent-target: others served",
                during.servedPercent(),
                before.servedPercent(),
                "%",
                Optional.of(new Goal.RatioAtLeast(1))));
    for (int percent : new int[] {50, 99}) {
      run.report()
          .add(
              new Cell(
                  LoadBenchmark.NAME,
                  "silent-target: others p" + percent,
                  during.percentileMs(percent),
                  before.percentileMs(percent),
                  "ms",
                  Optional.of(new Goal.AtMostBeyond(LATENCY_GAIN_MS_MAX))));
    }
  }

  private static void add(
      Run run, String name, double ours, double yardstick, String unit, double bound) {
    Goal goal = new Goal.AtMost(bound);
    String cell = "silent-target: " + name;
    run.report().add(new Cell(LoadBenchmark.NAME, cell, ours, yardstick, unit, Optional.of(goal)));
  }
}
