package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.policy.PolicyComparison;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The cache: its policy beside others, workloads through a real server, and warm GETs of a cached
 * bucket beside GETs of the same objects in a primary bucket of the same server.
 */
final class CacheBenchmark implements Benchmark {
  private static final String CACHED = "cached";

  private static final List<Size> SIZES =
      List.of(
          new Size(Corpus.kibibytes(8, 1024), 32, Optional.of(new Goal.AtMostBeyond(1))),
          new Size(Corpus.mebibytes(1, 64), 16, Optional.empty()),
          new Size(Corpus.mebibytes(8, 16), 8, Optional.of(new Goal.RatioAtMost(1.05))));

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("policy", run -> PolicyComparison.run(run.report(), run.effort().quick())),
          new Scenario("served", run -> new ServedWorkloads(run).play()),
          new Scenario("hits", CacheBenchmark::hits));

  private record Size(Corpus corpus, int connections, Optional<Goal> goal) {}

  @Override
  public void run(Run run) throws IOException {
    if (run.effort().policyOnly()) {
      PolicyComparison.run(run.report(), run.effort().quick());
      return;
    }
    Scenario.run(run, SCENARIOS);
  }

  private static void hits(Run run) throws IOException {
    Path theirs = Files.createDirectory(run.scratch().resolve("origin"));
    Path ours = Files.createDirectory(run.scratch().resolve("tarn"));
    try (TarnServer origin = TarnServer.start(run.home(), theirs);
        TarnServer tarn = TarnServer.start(run.home(), ours)) {
      BenchmarkBucket.create(origin.address());
      BenchmarkBucket.create(tarn.address());
      tarn.createCachedBucket(run.home(), CACHED, origin.endpoint(), BenchmarkBucket.NAME);
      for (Size size : run.effort().sizes(SIZES, size -> size.corpus().name())) {
        BenchmarkBucket.upload(origin.address(), size.corpus().entries());
        BenchmarkBucket.upload(tarn.address(), size.corpus().entries());
        compare(run, size, tarn);
      }
    }
  }

  private static void compare(Run run, Size size, TarnServer tarn) throws IOException {
    HttpLoad cached = load(tarn, size, CACHED);
    HttpLoad primary = load(tarn, size, BenchmarkBucket.NAME);
    cached.warmUp(run);
    primary.warmUp(run);
    Comparison comparison =
        Comparison.alternate(run.effort().rounds(), cached.round(run), primary.round(run));
    run.report()
        .add(
            new Cell(
                "cache",
                size.corpus().name() + " hit beside primary",
                comparison.ours(Measurement::cpuMicrosPerOperation),
                comparison.yardstick(Measurement::cpuMicrosPerOperation),
                "us CPU/request",
                size.goal()));
  }

  private static HttpLoad load(TarnServer tarn, Size size, String bucket) {
    return new HttpLoad(
        tarn.address(),
        List.of(tarn.pid()),
        size.connections(),
        () -> gets(BenchmarkBucket.signed(tarn.address()), bucket, size.corpus()));
  }

  private static List<PreparedRequest> gets(Requests requests, String bucket, Corpus corpus) {
    return corpus
        .entries()
        .map(entry ->
            requests.get(
                "/" + bucket + "/" + entry.path(),
                Expectation.body(entry.content().remaining(), entry.crc32c())))
        .toList();
  }
}
