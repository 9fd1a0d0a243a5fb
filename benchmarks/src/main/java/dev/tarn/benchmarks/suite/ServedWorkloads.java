package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.CheckedClient;
import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PayloadHash;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.ProcessDisk;
import dev.tarn.benchmarks.origin.OriginServer;
import dev.tarn.benchmarks.origin.SyntheticObject;
import dev.tarn.benchmarks.policy.PlayedPolicy;
import dev.tarn.benchmarks.policy.Replay;
import dev.tarn.benchmarks.policy.Workload;
import dev.tarn.benchmarks.policy.Workloads;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of training jobs through a server whose cache is too small for them, before an origin
 * in a process of its own. The yardstick is the simulation of the same workload. Hours are played
 * in a minute, and the policy's times are as much shorter.
 */
final class ServedWorkloads {
  private static final String ORIGIN = "origin";
  private static final long SEED = 42;
  private static final int READERS = 4;
  private static final Duration LATENCY = Duration.ofMillis(5);

  /** The workload is played in so many steps, each of which begins at its time. */
  private static final int STEPS = 120;

  /** The defaults of a target. */
  private static final Duration PAUSE_MIN = Duration.ofMinutes(5);

  private static final Duration SAME_READ_MAX = Duration.ofSeconds(5);
  private static final double NANOS_PER_MS = 1e6;
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int SHARD_BYTES = 8 * MIB;

  /** About what the record of a small object has besides its bytes. */
  private static final int RECORD_BYTES = 512;

  private final Run run;
  private final Map<Integer, Long> checksums = new HashMap<>();
  private final Map<Integer, ByteBuffer> bodies = new HashMap<>();

  ServedWorkloads(Run run) {
    this.run = run;
  }

  void play() throws IOException {
    int shards = run.effort().count(20, 4);
    Workload blender = Workloads.blender(run.effort().count(128, 4096), 8, SEED);
    play("epochs", Workloads.epochs(shards, .5, true, SEED), 0.95);
    play("switch", Workloads.jobSwitch(shards, true, SEED), 0.9);
    play("blender", blender, 0.9);
    smallBesideShards();
    times();
  }

  /** A job reads all small objects and all shards in each epoch; not all of them fit. */
  private void smallBesideShards() throws IOException {
    int small = run.effort().count(20_000, 500);
    int shards = run.effort().count(120, 3);
    long cache = (long) small * 8 * KIB + (long) shards * SHARD_BYTES / 2;
    Path theirs = Files.createDirectory(run.scratch().resolve("small-origin"));
    Path ours = Files.createDirectory(run.scratch().resolve("small"));
    List<String> settings = List.of("target.store.cache.bytes-max=" + cache);
    try (OriginServer origin = OriginServer.start(theirs, Duration.ZERO, 0);
        TarnServer tarn = TarnServer.startWith(run.home(), ours, settings)) {
      tarn.createCachedBucket(run.home(), bucketName(0), origin.endpoint(), ORIGIN);
      double smallFetched = 0;
      double shardsFetched = 0;
      int counted = 0;
      for (int epoch = 1; epoch <= 8; epoch++) {
        Requests signed = BenchmarkBucket.signed(tarn.address());
        double ofSmall = fetched(tarn, origin, gets(signed, bucketName(0), 8 * KIB, 0, small));
        List<PreparedRequest> all =
            new ArrayList<>(gets(signed, bucketName(0), SHARD_BYTES, 0, shards));
        Collections.shuffle(all, new Random(epoch));
        double ofShards = fetched(tarn, origin, all);
        if (epoch >= 4) {
          counted++;
          smallFetched += ofSmall / ((double) small * 8 * KIB);
          shardsFetched += ofShards / ((double) shards * SHARD_BYTES);
        }
      }
      double left = cache - (double) small * (8 * KIB + RECORD_BYTES);
      double reachable = left / ((double) shards * SHARD_BYTES);
      double hits = 1 - smallFetched / counted;
      add("small beside shards: bytes of small", hits, 1, "hits", new Goal.AtLeast(.99));
      double ofShards = 1 - shardsFetched / counted;
      Goal goal = new Goal.RatioAtLeast(.9);
      add("small beside shards: bytes of shards", ofShards, reachable, "hits", goal);
    }
  }

  /** Sends requests; returns the bytes that the origin has sent for them. */
  private static double fetched(
      TarnServer tarn, OriginServer origin, List<PreparedRequest> requests) throws IOException {
    long before = origin.figures().bytes();
    CheckedClient.sendAll(tarn.address(), requests, READERS);
    return origin.figures().bytes() - before;
  }

  private void play(String name, Workload workload, double goal) throws IOException {
    Path theirs = Files.createDirectory(run.scratch().resolve(name + "-origin"));
    Path ours = Files.createDirectory(run.scratch().resolve(name));
    long span = workload.millis(workload.references() - 1) + 1;
    double faster = (double) span / Duration.ofSeconds(run.effort().count(60, 5)).toMillis();
    List<String> settings =
        List.of(
            "target.store.cache.bytes-max=" + workload.capacityBytes(),
            "target.store.cache.pause-min=" + millis(PAUSE_MIN, faster),
            "target.store.cache.same-read-max=" + millis(SAME_READ_MAX, faster));
    try (OriginServer origin = OriginServer.start(theirs, LATENCY, 0);
        TarnServer tarn = TarnServer.startWith(run.home(), ours, settings)) {
      for (int bucket = 0; bucket <= lastBucket(workload); bucket++) {
        tarn.createCachedBucket(run.home(), bucketName(bucket), origin.endpoint(), ORIGIN);
      }
      long writtenBefore = ProcessDisk.writtenBytes(tarn.pid());
      long read = playTo(tarn, workload, faster);
      double fetched = (double) origin.figures().bytes() / read;
      double written = (double) (ProcessDisk.writtenBytes(tarn.pid()) - writtenBefore) / read;
      Replay simulated = PlayedPolicy.TENURE.play(workload);
      Replay best = PlayedPolicy.BELADY.play(workload);
      Goal.RatioAtLeast ofSimulated = new Goal.RatioAtLeast(goal);
      add(name + ": bytes from the cache", 1 - fetched, simulated.hitShare(), "hits", ofSimulated);
      add(name + ": beside the best possible", 1 - fetched, best.hitShare(), "hits", null);
      add(name + ": bytes from the backend", fetched, 1 - best.hitShare(), "per byte read", null);
      add(name + ": bytes to the device", written, simulated.writtenShare(), "per byte read", null);
    }
  }

  private static String millis(Duration time, double faster) {
    return Math.max(1, Math.round(time.toMillis() / faster)) + "ms";
  }

  private static String bucketName(int number) {
    return "bucket-" + number;
  }

  private static int lastBucket(Workload workload) {
    int last = 0;
    for (int reference = 0; reference < workload.references(); reference++) {
      last = Math.max(last, workload.bucket(workload.entry(reference)));
    }
    return last;
  }

  /** Plays all references; returns how many bytes were read. */
  private long playTo(TarnServer tarn, Workload workload, double faster) throws IOException {
    long read = 0;
    long begin = System.nanoTime();
    long span = workload.millis(workload.references() - 1) + 1;
    int next = 0;
    for (int step = 1; step <= STEPS; step++) {
      List<PreparedRequest> requests = new ArrayList<>();
      Requests signed = BenchmarkBucket.signed(tarn.address());
      long end = span * step / STEPS;
      for (; next < workload.references() && workload.millis(next) < end; next++) {
        requests.add(request(signed, workload, next));
        read += workload.isWrite(next) ? 0 : workload.size(workload.entry(next));
      }
      if (!requests.isEmpty()) {
        CheckedClient.sendAll(tarn.address(), requests, READERS);
      }
      long due = begin + (long) (end / faster * NANOS_PER_MS);
      while (due - System.nanoTime() > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
    return read;
  }

  private PreparedRequest request(Requests requests, Workload workload, int reference) {
    int entry = workload.entry(reference);
    int size = workload.size(entry);
    String path =
        "/" + bucketName(workload.bucket(entry)) + "/" + SyntheticObject.of(size, entry).key();
    return workload.isWrite(reference)
        ? requests.put(path, body(size), PayloadHash.UNSIGNED, Expectation.status(200))
        : requests.get(path, Expectation.body(size, checksum(size)));
  }

  private ByteBuffer body(int size) {
    return bodies.computeIfAbsent(size, SyntheticObject::body);
  }

  private long checksum(int size) {
    return checksums.computeIfAbsent(size, length -> SyntheticObject.crc32c(0, length));
  }

  /** How long reads take of what is cached, and of what is not; beside the origin. */
  private void times() throws IOException {
    Path theirs = Files.createDirectory(run.scratch().resolve("times-origin"));
    Path ours = Files.createDirectory(run.scratch().resolve("times"));
    try (OriginServer origin = OriginServer.start(theirs, LATENCY, 0);
        TarnServer tarn = TarnServer.start(run.home(), ours)) {
      tarn.createCachedBucket(run.home(), bucketName(0), origin.endpoint(), ORIGIN);
      times(tarn, origin, "8 KiB", 8 * KIB, run.effort().count(4000, 100));
      times(tarn, origin, "8 MiB", 8 * MIB, run.effort().count(200, 20));
    }
  }

  private void times(TarnServer tarn, OriginServer origin, String name, int size, int count)
      throws IOException {
    Requests signed = BenchmarkBucket.signed(tarn.address());
    List<PreparedRequest> cached = gets(signed, bucketName(0), size, 0, count);
    long begin = System.nanoTime();
    for (int first = count; System.nanoTime() - begin < run.effort().warmUp().toNanos(); ) {
      List<PreparedRequest> others = gets(signed, bucketName(0), size, first, count);
      CheckedClient.sendAll(tarn.address(), others, READERS);
      CheckedClient.sendAll(tarn.address(), others, READERS);
      first += count;
    }
    long[] misses = CheckedClient.timeAll(tarn.address(), cached, READERS);
    long[] hits = CheckedClient.timeAll(tarn.address(), cached, READERS);
    long[] direct =
        CheckedClient.timeAll(
            origin.address(),
            gets(Requests.unsigned(origin.address()), ORIGIN, size, 0, count),
            READERS);
    for (int percent : new int[] {50, 99}) {
      String percentile = ", p" + percent;
      double beside = percentile(direct, percent);
      add(name + " hit" + percentile, percentile(hits, percent), beside, "ms", null);
      add(name + " miss" + percentile, percentile(misses, percent), beside, "ms", null);
    }
  }

  private List<PreparedRequest> gets(
      Requests requests, String bucket, int size, int first, int count) {
    Expectation expected = Expectation.body(size, checksum(size));
    return LongStream.range(first, first + count)
        .mapToObj(number ->
            requests.get("/" + bucket + "/" + SyntheticObject.of(size, number).key(), expected))
        .toList();
  }

  private static double percentile(long[] times, int percent) {
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)] / NANOS_PER_MS;
  }

  private void add(String name, double ours, double yardstick, String unit, @Nullable Goal goal) {
    run.report().add(new Cell("cache", name, ours, yardstick, unit, Optional.ofNullable(goal)));
  }
}
