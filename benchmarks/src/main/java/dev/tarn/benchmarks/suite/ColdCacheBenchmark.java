package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.CheckedClient;
import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.ProcessCpu;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.origin.OriginFigures;
import dev.tarn.benchmarks.origin.OriginServer;
import dev.tarn.benchmarks.origin.SyntheticObject;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Reads of objects that a cached bucket does not have yet, before an origin that is no Tarn. The
 * yardstick is the origin itself.
 */
final class ColdCacheBenchmark implements Benchmark {
  private static final String NAME = "cold-cache";

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("far", ColdCacheBenchmark::far),
          new Scenario("full", ColdCacheBenchmark::full),
          new Scenario("near", ColdCacheBenchmark::near),
          new Scenario("fine", run -> new FineRanges(run).play()),
          new Scenario("warm", run -> new FineRanges(run).warm()));

  private static final String BUCKET = "cold";
  private static final String ORIGIN = "origin";
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final long BYTES_PER_SECOND = 300_000_000;
  private static final long KIBIBYTE = 1 << 10;
  private static final long MEBIBYTE = 1 << 20;
  private static final int RANGES = 5;

  /** The SDK for the origin has so much code that the JIT compiler needs this many. */
  private static final int WARM_UP_REQUESTS = 100_000;

  private static final double NANOS_PER_MS = 1e6;

  /** Cold reads of one kind. */
  private record Reads(String name, long bytes, int count, int readers) {}

  /** The servers, and the number of the next object that nobody has read. */
  private static final class Servers {
    private final OriginServer origin;
    private final TarnServer tarn;
    private long next;

    Servers(OriginServer origin, TarnServer tarn) {
      this.origin = origin;
      this.tarn = tarn;
    }

    List<SyntheticObject> unread(long bytes, int count) {
      next += count;
      return LongStream.range(next - count, next)
          .mapToObj(number -> SyntheticObject.of(bytes, number))
          .toList();
    }

    PreparedRequest direct(SyntheticObject object) {
      return whole(Requests.unsigned(origin.address()), ORIGIN, object);
    }

    PreparedRequest cached(SyntheticObject object) {
      return whole(BenchmarkBucket.signed(tarn.address()), BUCKET, object);
    }

    private static PreparedRequest whole(Requests from, String bucket, SyntheticObject object) {
      long crc = SyntheticObject.crc32c(0, object.length());
      return from.get("/" + bucket + "/" + object.key(), Expectation.body(object.length(), crc));
    }
  }

  @Override
  public void run(Run run) throws IOException {
    Scenario.run(run, SCENARIOS);
  }

  private interface Measuring {
    void measure(Servers servers) throws IOException;
  }

  private static void with(
      Run run, Duration latency, long rate, List<String> settings, Measuring measuring)
      throws IOException {
    Path theirs = Files.createDirectory(run.scratch().resolve("origin"));
    Path ours = Files.createDirectory(run.scratch().resolve("tarn"));
    try (OriginServer origin = OriginServer.start(theirs, latency, rate);
        TarnServer tarn = TarnServer.startWith(run.home(), ours, settings)) {
      tarn.createCachedBucket(run.home(), BUCKET, origin.endpoint(), ORIGIN);
      measuring.measure(new Servers(origin, tarn));
    }
  }

  /** A cache that keeps no unit, before the origin of a cloud. */
  private static void full(Run run) throws IOException {
    Effort effort = run.effort();
    with(
        run,
        LATENCY,
        BYTES_PER_SECOND,
        List.of("target.store.cache.bytes-max=" + MEBIBYTE),
        servers -> {
          Reads large =
              new Reads("one large object, not kept", effort.count(1024, 64) * MEBIBYTE, 1, 1);
          warmUp(run, servers, large);
          rates(run, servers, large, 0.95);
          sharedFetch(run, servers, "64 readers of one object, not kept: bytes fetched");
        });
  }

  /** The origin of a cloud: what counts is how much of its rate arrives. */
  private static void far(Run run) throws IOException {
    Effort effort = run.effort();
    with(
        run,
        LATENCY,
        BYTES_PER_SECOND,
        List.of(),
        servers -> {
          warmUp(run, servers, new Reads("warm-up", 8 * KIBIBYTE, effort.count(3000, 64), 64));
          rates(
              run,
              servers,
              new Reads("8 KiB, 16 readers", 8 * KIBIBYTE, effort.count(3000, 64), 16),
              0.9);
          rates(
              run,
              servers,
              new Reads("8 KiB, 64 readers", 8 * KIBIBYTE, effort.count(8000, 128), 64),
              0.9);
          rates(
              run,
              servers,
              new Reads("8 MiB, 8 readers", 8 * MEBIBYTE, effort.count(120, 8), 8),
              0.9);
          rates(
              run,
              servers,
              new Reads("one large object", effort.count(1024, 64) * MEBIBYTE, 1, 1),
              0.95);
          firstBytes(run, servers);
        });
  }

  /** Reads cold objects until the JIT compiler has had its time. */
  private static void warmUp(Run run, Servers servers, Reads reads) throws IOException {
    long requests = reads.bytes() < MEBIBYTE ? run.effort().count(WARM_UP_REQUESTS, 1) : 1;
    long start = System.nanoTime();
    do {
      round(reads, servers, Collections.synchronizedList(new ArrayList<>()), true).run();
      requests -= reads.count();
    } while (requests > 0 || System.nanoTime() - start < run.effort().warmUp().toNanos());
  }

  private static void rates(Run run, Servers servers, Reads reads, double goal) throws IOException {
    List<Long> ours = Collections.synchronizedList(new ArrayList<>());
    List<Long> theirs = Collections.synchronizedList(new ArrayList<>());
    Comparison comparison =
        Comparison.alternate(
            run.effort().rounds(),
            round(reads, servers, ours, true),
            round(reads, servers, theirs, false));
    add(
        run,
        reads.name() + ": rate",
        comparison.ours(Measurement::operationsPerSecond),
        comparison.yardstick(Measurement::operationsPerSecond),
        "requests/s",
        new Goal.RatioAtLeast(goal));
    if (reads.count() > 1) {
      add(
          run,
          reads.name() + ": 99th percentile",
          percentile(ours) / NANOS_PER_MS,
          percentile(theirs) / NANOS_PER_MS,
          "ms",
          new Goal.RatioAtMost(1.5));
    }
  }

  private static double percentile(List<Long> times) {
    List<Long> sorted = times.stream().sorted().toList();
    return sorted.get(sorted.size() * 99 / 100);
  }

  private static Round round(Reads reads, Servers servers, List<Long> times, boolean cached) {
    return () -> {
      List<PreparedRequest> requests =
          servers.unread(reads.bytes(), reads.count()).stream()
              .map(object -> cached ? servers.cached(object) : servers.direct(object))
              .toList();
      return measured(servers, requests, reads, times, cached);
    };
  }

  private static Measurement measured(
      Servers servers,
      List<PreparedRequest> requests,
      Reads reads,
      List<Long> times,
      boolean cached)
      throws IOException {
    long cpu = ProcessCpu.nanos(servers.tarn.pid());
    long start = System.nanoTime();
    long[] each =
        CheckedClient.timeAll(
            cached ? servers.tarn.address() : servers.origin.address(), requests, reads.readers());
    long elapsed = System.nanoTime() - start;
    LongStream.of(each).forEach(times::add);
    return new Measurement(
        each.length,
        each.length * reads.bytes(),
        elapsed,
        ProcessCpu.nanos(servers.tarn.pid()) - cpu);
  }

  /** The time until the first bytes of a range near the end of a large object that nobody read. */
  private static void firstBytes(Run run, Servers servers) throws IOException {
    long bytes = run.effort().count(1024, 64) * MEBIBYTE;
    long first = bytes - 64 * KIBIBYTE;
    Requests signed = BenchmarkBucket.signed(servers.tarn.address());
    for (SyntheticObject object : servers.unread(bytes, run.effort().count(500, 1))) {
      time(servers.tarn.address(), range(signed, BUCKET, object, first)); // For the JIT compiler.
    }
    List<Long> ours = new ArrayList<>();
    List<Long> theirs = new ArrayList<>();
    for (SyntheticObject object : servers.unread(bytes, run.effort().count(51, 3))) {
      ours.add(time(servers.tarn.address(), range(signed, BUCKET, object, first)));
      theirs.add(
          time(
              servers.origin.address(),
              range(Requests.unsigned(servers.origin.address()), ORIGIN, object, first)));
    }
    add(
        run,
        "4 KiB of the last unit of a large object",
        median(ours) / NANOS_PER_MS,
        median(theirs) / NANOS_PER_MS,
        "ms",
        new Goal.AtMostBeyond(5));
  }

  private static PreparedRequest range(
      Requests requests, String bucket, SyntheticObject object, long first) {
    return range(requests, bucket, object, first, 4 * KIBIBYTE);
  }

  private static PreparedRequest range(
      Requests requests, String bucket, SyntheticObject object, long first, long length) {
    Expectation expectation =
        new Expectation(
            206, OptionalLong.of(length), OptionalLong.of(SyntheticObject.crc32c(first, length)));
    return requests
        .withHeader("Range", "bytes=%d-%d".formatted(first, first + length - 1))
        .get("/" + bucket + "/" + object.key(), expectation);
  }

  private static long time(InetSocketAddress server, PreparedRequest request) throws IOException {
    return CheckedClient.timeAll(server, List.of(request), 1)[0];
  }

  private static double median(List<Long> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }

  /** An origin beside the cache: what counts is what the cache itself costs. */
  private static void near(Run run) throws IOException {
    Effort effort = run.effort();
    with(
        run,
        Duration.ZERO,
        0,
        List.of(),
        servers -> {
          Reads small = new Reads("8 KiB, 64 readers", 8 * KIBIBYTE, effort.count(20_000, 256), 64);
          Reads large = new Reads("8 MiB, 8 readers", 8 * MEBIBYTE, effort.count(120, 8), 8);
          costs(run, servers, small, Measurement::cpuMicrosPerOperation, "us CPU/request", 300);
          costs(run, servers, large, Measurement::cpuSecondsPerGigabyte, "CPU s/GB", 0.9);
          connections(run, servers, effort.count(5000, 200));
          sharedFetch(run, servers, "64 readers of one object: bytes fetched");
          ranges(run, servers);
        });
  }

  private static void costs(
      Run run,
      Servers servers,
      Reads reads,
      ToDoubleFunction<Measurement> cost,
      String unit,
      double bound)
      throws IOException {
    List<Long> times = Collections.synchronizedList(new ArrayList<>());
    warmUp(run, servers, reads);
    List<Measurement> rounds = new ArrayList<>();
    for (int i = 0; i < run.effort().rounds(); i++) {
      rounds.add(round(reads, servers, times, true).run());
    }
    double[] sorted = rounds.stream().mapToDouble(cost).sorted().toArray();
    add(
        run,
        reads.name() + ": cost",
        sorted[sorted.length / 2],
        bound,
        unit,
        new Goal.AtMost(bound));
  }

  private static void connections(Run run, Servers servers, int count) throws IOException {
    OriginFigures before = servers.origin.figures();
    Reads reads = new Reads("connections", 8 * KIBIBYTE, count, 64);
    round(reads, servers, Collections.synchronizedList(new ArrayList<>()), true).run();
    OriginFigures made = servers.origin.figures().since(before);
    add(
        run,
        "connections to the origin per 100 small objects",
        100.0 * made.connections() / count,
        1,
        "connections",
        new Goal.AtMost(1));
  }

  /** Many readers of one object that nobody has read before. */
  private static void sharedFetch(Run run, Servers servers, String name) throws IOException {
    long bytes = run.effort().count(256, 32) * MEBIBYTE;
    SyntheticObject object = servers.unread(bytes, 1).getFirst();
    OriginFigures before = servers.origin.figures();
    List<PreparedRequest> requests = Collections.nCopies(64, servers.cached(object));
    CheckedClient.timeAll(servers.tarn.address(), requests, requests.size());
    OriginFigures served = servers.origin.figures().since(before);
    add(run, name, (double) served.bytes() / bytes, 1, "times its bytes", new Goal.AtMost(1.05));
  }

  /** A HEAD and the ranges of a cached object, beside one GET of it. */
  private static void ranges(Run run, Servers servers) throws IOException {
    long bytes = 140 * MEBIBYTE;
    SyntheticObject object = servers.unread(bytes, 1).getFirst();
    CheckedClient.sendAll(servers.tarn.address(), List.of(servers.cached(object)), 1);
    LongFunction<List<PreparedRequest>> inPieces =
        pieces -> {
          List<PreparedRequest> requests = new ArrayList<>();
          Requests signed = BenchmarkBucket.signed(servers.tarn.address());
          requests.add(signed.head("/" + BUCKET + "/" + object.key(), Expectation.status(200)));
          for (long piece = 0; piece < pieces; piece++) {
            requests.add(range(signed, BUCKET, object, piece * bytes / pieces, bytes / pieces));
          }
          return requests;
        };
    Round ours = warm(servers, bytes, () -> inPieces.apply(RANGES));
    Round theirs = warm(servers, bytes, () -> List.of(servers.cached(object)));
    long start = System.nanoTime();
    do {
      ours.run();
      theirs.run();
    } while (System.nanoTime() - start < run.effort().warmUp().toNanos());
    Comparison comparison = Comparison.alternate(run.effort().rounds(), ours, theirs);
    add(
        run,
        "HEAD and five ranges of 140 MiB, warm, beside one GET",
        comparison.ours(Measurement::cpuSecondsPerGigabyte),
        comparison.yardstick(Measurement::cpuSecondsPerGigabyte),
        "CPU s/GB",
        new Goal.RatioAtMost(1.05));
  }

  private static Round warm(Servers servers, long bytes, Supplier<List<PreparedRequest>> requests) {
    return () -> {
      int times = 10;
      long cpu = ProcessCpu.nanos(servers.tarn.pid());
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        CheckedClient.sendAll(servers.tarn.address(), requests.get(), 1);
      }
      return new Measurement(
          times,
          times * bytes,
          System.nanoTime() - start,
          ProcessCpu.nanos(servers.tarn.pid()) - cpu);
    };
  }

  private static void add(
      Run run, String name, double ours, double yardstick, String unit, Goal goal) {
    run.report().add(new Cell(NAME, name, ours, yardstick, unit, Optional.of(goal)));
  }
}
