package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.CheckedClient;
import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.origin.OriginFigures;
import dev.tarn.benchmarks.origin.OriginServer;
import dev.tarn.benchmarks.origin.SyntheticObject;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Short ranges at random places of large objects, of which the cache has room for a quarter. The
 * ranges are not aligned to pages.
 */
final class FineRanges {
  private static final String BUCKET = "fine";
  private static final String ORIGIN = "origin";
  private static final int OBJECTS = 40;
  private static final int PAGE = 4096;

  /** Ranges begin so far behind a multiple of their length. */
  private static final int SHIFT = 1000;

  private static final int CACHE_PARTS = 4;
  private static final int READERS = 16;
  private static final int BATCH = 10_000;
  private static final double ZIPF_EXPONENT = 0.8;

  private final Run run;
  private final long objectBytes;

  FineRanges(Run run) {
    this.run = run;
    this.objectBytes = run.effort().count(16, 1) * (1L << 20);
  }

  void play() throws IOException {
    for (int kib : new int[] {4, 16, 64}) {
      play(kib, true);
      play(kib, false);
    }
  }

  private interface Scenario {
    void play(OriginServer origin, TarnServer tarn) throws IOException;
  }

  private void with(String name, long cacheBytes, Scenario scenario) throws IOException {
    Path theirs = Files.createDirectory(run.scratch().resolve("fine-origin-" + name));
    Path ours = Files.createDirectory(run.scratch().resolve("fine-tarn-" + name));
    List<String> settings = List.of("target.store.cache.bytes-max=" + cacheBytes);
    try (OriginServer origin = OriginServer.start(theirs, Duration.ZERO, 0);
        TarnServer tarn = TarnServer.startWith(run.home(), ours, settings)) {
      tarn.createCachedBucket(run.home(), BUCKET, origin.endpoint(), ORIGIN);
      scenario.play(origin, tarn);
    }
  }

  private void play(int kib, boolean zipf) throws IOException {
    int length = kib << 10;
    int perObject = (int) (objectBytes / length) - 1;
    int[] places = places(OBJECTS * perObject, zipf);
    String name = kib + " KiB ranges, " + (zipf ? "Zipf .8" : "uniform");
    long cacheBytes = OBJECTS * objectBytes / CACHE_PARTS;
    with(
        kib + (zipf ? "-zipf" : "-uniform"),
        cacheBytes,
        (origin, tarn) -> {
          PageLru lru = new PageLru(cacheBytes / PAGE);
          int half = places.length / 2;
          read(tarn, places, 0, half, length, perObject);
          count(lru, places, 0, half, length, perObject);
          OriginFigures before = origin.figures();
          read(tarn, places, half, places.length, length, perObject);
          OriginFigures served = origin.figures().since(before);
          double reads = places.length - half;
          add(
              name + ": bytes fetched",
              served.bytes() / (reads * length),
              1,
              "times those asked",
              new Goal.AtMost(4));
          add(
              name + ": hit ratio",
              1 - served.requests() / reads,
              count(lru, places, half, places.length, length, perObject) / reads,
              "of the reads",
              new Goal.AtLeastWithin(0.03));
        });
  }

  /** The places that are read, in order: each is the number of a range. */
  private static int[] places(int ranges, boolean zipf) {
    Random random = new Random(7);
    int reads = 2 * ranges;
    if (!zipf) {
      return random.ints(reads, 0, ranges).toArray();
    }
    List<Integer> ranked = new ArrayList<>(IntStream.range(0, ranges).boxed().toList());
    Collections.shuffle(ranked, random);
    double[] sums = new double[ranges];
    double sum = 0;
    for (int rank = 0; rank < ranges; rank++) {
      sum += Math.pow(rank + 1.0, -ZIPF_EXPONENT);
      sums[rank] = sum;
    }
    double all = sum;
    return random
        .doubles(reads)
        .mapToInt(part -> ranked.get(Math.min(ranges - 1, rank(sums, part * all))))
        .toArray();
  }

  private static int rank(double[] sums, double wanted) {
    int found = Arrays.binarySearch(sums, wanted);
    return found < 0 ? -found - 1 : found;
  }

  private void read(TarnServer tarn, int[] places, int from, int to, int length, int perObject)
      throws IOException {
    for (int begin = from; begin < to; begin += BATCH) {
      Requests signed = BenchmarkBucket.signed(tarn.address());
      List<PreparedRequest> requests =
          IntStream.range(begin, Math.min(to, begin + BATCH))
              .mapToObj(i -> range(signed, places[i] / perObject, places[i] % perObject, length))
              .toList();
      CheckedClient.sendAll(tarn.address(), requests, READERS);
    }
  }

  private PreparedRequest range(Requests from, int object, int number, int length) {
    long first = (long) number * length + SHIFT;
    Expectation expectation =
        new Expectation(
            206, OptionalLong.of(length), OptionalLong.of(SyntheticObject.crc32c(first, length)));
    return from.withHeader("Range", "bytes=%d-%d".formatted(first, first + length - 1))
        .get("/" + BUCKET + "/" + SyntheticObject.of(objectBytes, object).key(), expectation);
  }

  /** LRU of pages: what a cache without objects does. */
  private static final class PageLru {
    private final LinkedHashMap<Long, Boolean> pages;

    PageLru(long pagesMax) {
      pages =
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
              return size() > pagesMax;
            }
          };
    }

    /** Whether all of these pages were there. */
    boolean isHit(long first, long last) {
      boolean hit = true;
      for (long page = first; page <= last; page++) {
        hit &= pages.put(page, true) != null;
      }
      return hit;
    }
  }

  /** Plays reads on the pages' LRU, and returns how many were hits. */
  private long count(PageLru lru, int[] places, int from, int to, int length, int perObject) {
    long hits = 0;
    for (int i = from; i < to; i++) {
      long first =
          places[i] / perObject * objectBytes + (long) (places[i] % perObject) * length + SHIFT;
      hits += lru.isHit(first / PAGE, (first + length - 1) / PAGE) ? 1 : 0;
    }
    return hits;
  }

  /** What a range that is in the cache costs, beside an object of its length. */
  void warm() throws IOException {
    with(
        "warm",
        1L << 40,
        (origin, tarn) -> {
          int ranges = Math.min(1000, (int) (objectBytes / PAGE) - 1);
          HttpLoad pieces =
              load(
                  tarn,
                  () -> {
                    Requests signed = BenchmarkBucket.signed(tarn.address());
                    return IntStream.range(0, ranges)
                        .mapToObj(number -> range(signed, 0, number, PAGE))
                        .toList();
                  });
          HttpLoad objects =
              load(
                  tarn,
                  () -> {
                    Requests signed = BenchmarkBucket.signed(tarn.address());
                    return IntStream.range(0, ranges)
                        .mapToObj(number -> small(signed, number))
                        .toList();
                  });
          pieces.warmUp(run);
          objects.warmUp(run);
          Comparison comparison =
              Comparison.alternate(run.effort().rounds(), pieces.round(run), objects.round(run));
          add(
              "4 KiB range, warm, beside an object of 4 KiB",
              comparison.ours(Measurement::cpuMicrosPerOperation),
              comparison.yardstick(Measurement::cpuMicrosPerOperation),
              "us CPU/request",
              new Goal.RatioAtMost(1.3));
        });
  }

  private static PreparedRequest small(Requests from, int number) {
    SyntheticObject object = SyntheticObject.of(PAGE, number);
    return from.get(
        "/" + BUCKET + "/" + object.key(), Expectation.body(PAGE, SyntheticObject.crc32c(0, PAGE)));
  }

  private static HttpLoad load(TarnServer tarn, Supplier<List<PreparedRequest>> requests) {
    return new HttpLoad(tarn.address(), List.of(tarn.pid()), READERS, requests);
  }

  private void add(String name, double ours, double yardstick, String unit, Goal goal) {
    run.report().add(new Cell("cold-cache", name, ours, yardstick, unit, Optional.of(goal)));
  }
}
