package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * List pages of a large bucket beside those of a small one, each on a server of its own. The cost
 * of a page must not depend on the number of keys.
 */
final class ListBenchmark implements Benchmark {
  private static final String NAME = "list";
  private static final Goal GOAL = new Goal.RatioAtMost(1.3);
  private static final int LARGE_KEYS = 1_000_000;
  private static final int SMALL_KEYS = 10_000;
  private static final int PAGE_KEYS = 1_000;
  private static final int GROUPS = 1_000;
  private static final int CONNECTIONS = 4;
  private static final int PAGES = 256;
  private static final int SEED = 1;

  @Override
  public void run(Run run) throws IOException {
    Path large = Files.createDirectory(run.scratch().resolve("large"));
    Path small = Files.createDirectory(run.scratch().resolve("small"));
    int largeKeys = run.effort().count(LARGE_KEYS, 10 * SMALL_KEYS);
    try (TarnServer ours = TarnServer.start(run.home(), large);
        TarnServer yardstick = TarnServer.start(run.home(), small)) {
      fill(ours, largeKeys);
      fill(yardstick, SMALL_KEYS);
      compare(
          run,
          "page of 1000 keys",
          pages(ours, page -> afterKey(page, largeKeys)),
          pages(yardstick, page -> afterKey(page, SMALL_KEYS)),
          Optional.of(GOAL));
      compare(
          run,
          "page of 1000 groups",
          pages(ours, page -> "delimiter=%2F&list-type=2&max-keys=1000"),
          pages(yardstick, page -> "delimiter=%2F&list-type=2&max-keys=1000"),
          Optional.empty());
    }
  }

  private static void fill(TarnServer tarn, int keys) throws IOException {
    BenchmarkBucket.create(tarn.address());
    ByteBuffer nothing = ByteBuffer.allocateDirect(0);
    Stream<Corpus.Entry> entries =
        IntStream.range(0, keys).mapToObj(i -> new Corpus.Entry(key(i, keys), nothing));
    BenchmarkBucket.upload(tarn.address(), entries);
  }

  /** Keys in order, the same number in each group. */
  private static String key(int index, int keys) {
    return "group-%03d/%07d".formatted(index / (keys / GROUPS), index);
  }

  /** The query for a page after a random key that a whole page follows. */
  private static String afterKey(int page, int keys) {
    int start = new Random(SEED + page).nextInt(keys - PAGE_KEYS - 1);
    return "list-type=2&max-keys=1000&start-after=" + key(start, keys).replace("/", "%2F");
  }

  private static HttpLoad pages(TarnServer tarn, IntFunction<String> query) {
    return new HttpLoad(
        tarn.address(), List.of(tarn.pid()), CONNECTIONS, () -> requests(tarn, query));
  }

  private static List<PreparedRequest> requests(TarnServer tarn, IntFunction<String> query) {
    Requests requests = BenchmarkBucket.signed(tarn.address());
    return IntStream.range(0, PAGES)
        .mapToObj(page ->
            requests.get("/" + BenchmarkBucket.NAME, query.apply(page), Expectation.status(200)))
        .toList();
  }

  private static void compare(
      Run run, String cell, HttpLoad ours, HttpLoad yardstick, Optional<Goal> goal)
      throws IOException {
    ours.warmUp(run);
    yardstick.warmUp(run);
    Comparison comparison =
        Comparison.alternate(run.effort().rounds(), ours.round(run), yardstick.round(run));
    run.report()
        .add(
            new Cell(
                NAME,
                cell,
                comparison.ours(Measurement::cpuMicrosPerOperation),
                comparison.yardstick(Measurement::cpuMicrosPerOperation),
                "us CPU/request",
                goal));
  }
}
