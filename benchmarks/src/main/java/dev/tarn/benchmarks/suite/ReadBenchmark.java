package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.Nginx;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * GET or HEAD of warm objects with SigV4, beside nginx that serves the same files without
 * signatures.
 */
record ReadBenchmark(String name, boolean head, List<Size> sizes) implements Benchmark {
  record Size(Corpus corpus, int connections, Optional<Goal> goal) {}

  ReadBenchmark {
    requireNonNull(name, "name is null");
    sizes = List.copyOf(sizes);
  }

  static ReadBenchmark get() {
    return new ReadBenchmark(
        "get",
        false,
        List.of(
            new Size(Corpus.kibibytes(4, 1024), 32, Optional.empty()),
            new Size(Corpus.kibibytes(8, 1024), 32, Optional.of(new Goal.RatioAtMost(1.6))),
            new Size(Corpus.kibibytes(100, 1024), 32, Optional.of(new Goal.RatioAtMost(1.3))),
            new Size(Corpus.mebibytes(1, 64), 16, Optional.of(new Goal.RatioAtMost(1.3))),
            new Size(Corpus.mebibytes(64, 4), 4, Optional.of(new Goal.RatioAtMost(1.2)))));
  }

  static ReadBenchmark headers() {
    return new ReadBenchmark(
        "head", true, List.of(new Size(Corpus.kibibytes(0, 1024), 32, Optional.empty())));
  }

  @Override
  public void run(Run run) throws IOException {
    Path files = Files.createDirectory(run.scratch().resolve("files"));
    Path ours = Files.createDirectory(run.scratch().resolve("tarn"));
    try (TarnServer tarn = TarnServer.start(run.home(), ours)) {
      BenchmarkBucket.create(tarn.address());
      for (Size size : run.effort().sizes(sizes, size -> size.corpus().name())) {
        size.corpus().write(files);
        BenchmarkBucket.upload(tarn.address(), size.corpus().entries());
        Path theirs = Files.createDirectory(run.scratch().resolve("nginx-" + size.corpus().name()));
        try (Nginx nginx = Nginx.start(run.home(), theirs, files, size.corpus().fileBytes())) {
          compare(run, size, tarn, nginx);
        }
      }
    }
  }

  private void compare(Run run, Size size, TarnServer tarn, Nginx nginx) throws IOException {
    List<Expected> expected = size.corpus().entries().map(Expected::of).toList();
    HttpLoad ours =
        new HttpLoad(
            tarn.address(),
            List.of(tarn.pid()),
            size.connections(),
            () ->
                requests(
                    BenchmarkBucket.signed(tarn.address()),
                    "/" + BenchmarkBucket.NAME + "/",
                    expected));
    HttpLoad yardstick =
        new HttpLoad(
            nginx.address(),
            List.of(nginx.worker()),
            size.connections(),
            () -> requests(Requests.unsigned(nginx.address()), "/", expected));
    ours.warmUp(run);
    yardstick.warmUp(run);
    Comparison comparison =
        Comparison.alternate(run.effort().rounds(), ours.round(run), yardstick.round(run));
    report(run, size, comparison);
  }

  private record Expected(String path, Expectation answer) {
    static Expected of(Corpus.Entry entry) {
      return new Expected(
          entry.path(), Expectation.body(entry.content().remaining(), entry.crc32c()));
    }
  }

  private List<PreparedRequest> requests(
      Requests requests, String prefix, List<Expected> expected) {
    Stream<PreparedRequest> prepared =
        expected.stream()
            .map(object ->
                head
                    ? requests.head(prefix + object.path(), object.answer())
                    : requests.get(prefix + object.path(), object.answer()));
    return prepared.toList();
  }

  private void report(Run run, Size size, Comparison comparison) {
    run.report()
        .add(
            new Cell(
                name,
                size.corpus().name(),
                comparison.ours(Measurement::cpuMicrosPerOperation),
                comparison.yardstick(Measurement::cpuMicrosPerOperation),
                "us CPU/request",
                size.goal()));
    run.report()
        .add(
            new Cell(
                name,
                size.corpus().name() + " rate",
                comparison.ours(Measurement::operationsPerSecond),
                comparison.yardstick(Measurement::operationsPerSecond),
                "requests/s",
                Optional.empty()));
  }
}
