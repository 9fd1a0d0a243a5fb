package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PayloadHash;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.Comparison;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.Measurements;
import dev.tarn.benchmarks.measure.Round;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.Nginx;
import dev.tarn.benchmarks.server.TarnCluster;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cost of the hop from a gateway to a target in another process. The gateway's CPU is compared
 * with an nginx that proxies the same files from another nginx. The CPU of gateway and target is
 * compared with one process that has both roles. TLS between gateway and target is compared with
 * the same cluster without it.
 */
final class HopBenchmark implements Benchmark {
  private static final String NAME = "hop";
  private static final String TLS = "cluster.tls=true";
  private static final String UNIT = "us CPU/request";

  /** The number of keys to write. Few keys are overwritten repeatedly to bound the disk space. */
  private static final int WRITTEN_MAX = 64;

  private static final List<Size> SIZES =
      List.of(
          new Size(Corpus.kibibytes(8, 1024), 32, Optional.empty()),
          new Size(Corpus.kibibytes(100, 1024), 32, Optional.of(new Goal.RatioAtMost(1.5))),
          new Size(Corpus.mebibytes(1, 64), 16, Optional.of(new Goal.RatioAtMost(1.0))));

  private record Size(Corpus corpus, int connections, Optional<Goal> goal) {}

  /** Tarn as a cluster of processes, as one whose processes use TLS, and as one process. */
  private record Servers(TarnCluster apart, TarnCluster secured, TarnServer together) {}

  @Override
  public void run(Run run) throws IOException {
    Path files = Files.createDirectory(run.scratch().resolve("files"));
    Path apart = Files.createDirectory(run.scratch().resolve("apart"));
    Path secure = Files.createDirectory(run.scratch().resolve("secured"));
    Path together = Files.createDirectory(run.scratch().resolve("together"));
    try (TarnCluster cluster = TarnCluster.start(run.home(), apart);
        TarnCluster secured = TarnCluster.start(run.home(), secure, 1, 1, TLS);
        TarnServer alone = TarnServer.start(run.home(), together)) {
      BenchmarkBucket.create(cluster.gateway().address());
      BenchmarkBucket.create(secured.gateway().address());
      BenchmarkBucket.create(alone.address());
      Servers servers = new Servers(cluster, secured, alone);
      for (Size size : run.effort().sizes(SIZES, size -> size.corpus().name())) {
        size.corpus().write(files);
        BenchmarkBucket.upload(cluster.gateway().address(), size.corpus().entries());
        BenchmarkBucket.upload(secured.gateway().address(), size.corpus().entries());
        BenchmarkBucket.upload(alone.address(), size.corpus().entries());
        reads(run, size, servers, files);
        writes(run, size, servers);
      }
    }
  }

  private static void reads(Run run, Size size, Servers servers, Path files) throws IOException {
    String name = size.corpus().name();
    Path behind = Files.createDirectory(run.scratch().resolve("upstream-" + name));
    Path before = Files.createDirectory(run.scratch().resolve("proxy-" + name));
    try (Nginx upstream = Nginx.start(run.home(), behind, files, size.corpus().fileBytes());
        Nginx proxy = Nginx.startProxy(run.home(), before, upstream.address())) {
      HttpLoad yardstick =
          new HttpLoad(
              proxy.address(),
              List.of(proxy.worker()),
              size.connections(),
              () -> gets(Requests.unsigned(proxy.address()), "/", size.corpus()));
      List<HttpLoad> ours = sides(size, servers, HopBenchmark::signedGets);
      List<Measurements> measured =
          measure(run, Stream.concat(ours.stream(), Stream.of(yardstick)));
      add(run, name, measured.get(0), measured.get(5), size.goal());
      add(run, name + " both processes", measured.get(1), measured.get(4), Optional.empty());
      addTls(run, name, measured);
    }
  }

  private static void writes(Run run, Size size, Servers servers) throws IOException {
    List<Measurements> measured = measure(run, sides(size, servers, HopBenchmark::puts).stream());
    String name = size.corpus().name() + " PUT";
    add(run, name + " gateway alone", measured.get(0), measured.get(4), Optional.empty());
    add(run, name + " both processes", measured.get(1), measured.get(4), Optional.empty());
    addTls(run, name, measured);
  }

  /** TLS beside no TLS. */
  private static void addTls(Run run, String name, List<Measurements> sides) {
    add(run, name + " TLS gateway alone", sides.get(2), sides.get(0), Optional.empty());
    add(run, name + " TLS both processes", sides.get(3), sides.get(1), Optional.empty());
  }

  /**
   * The sides, by the CPU they count: the gateway alone, gateway and target, the same two of the
   * cluster with TLS, the one process.
   */
  private static List<HttpLoad> sides(Size size, Servers servers, Work work) {
    List<HttpLoad> sides = new ArrayList<>();
    for (TarnCluster cluster : List.of(servers.apart(), servers.secured())) {
      TarnServer gateway = cluster.gateway();
      sides.add(load(gateway, List.of(gateway.pid()), size, work));
      sides.add(load(gateway, List.of(gateway.pid(), cluster.target().pid()), size, work));
    }
    sides.add(load(servers.together(), List.of(servers.together().pid()), size, work));
    return sides;
  }

  private static HttpLoad load(TarnServer server, List<Long> counted, Size size, Work work) {
    return new HttpLoad(
        server.address(),
        counted,
        size.connections(),
        () -> work.on(server.address(), size.corpus()));
  }

  /** The requests for a Tarn server. */
  private interface Work {
    List<PreparedRequest> on(InetSocketAddress server, Corpus corpus);
  }

  private static List<PreparedRequest> signedGets(InetSocketAddress server, Corpus corpus) {
    return gets(BenchmarkBucket.signed(server), "/" + BenchmarkBucket.NAME + "/", corpus);
  }

  private static List<PreparedRequest> gets(Requests requests, String prefix, Corpus corpus) {
    return corpus
        .entries()
        .map(entry ->
            requests.get(
                prefix + entry.path(),
                Expectation.body(entry.content().remaining(), entry.crc32c())))
        .toList();
  }

  private static List<PreparedRequest> puts(InetSocketAddress server, Corpus corpus) {
    Requests requests = BenchmarkBucket.signed(server);
    return corpus
        .entries()
        .limit(WRITTEN_MAX)
        .map(entry ->
            requests.put(
                BenchmarkBucket.path("written/" + entry.path()),
                entry.content(),
                PayloadHash.UNSIGNED,
                Expectation.status(200)))
        .toList();
  }

  private static List<Measurements> measure(Run run, Stream<HttpLoad> loads) throws IOException {
    List<HttpLoad> sides = loads.toList();
    for (HttpLoad side : sides) {
      side.warmUp(run);
    }
    List<Round> rounds = sides.stream().map(side -> side.round(run)).toList();
    return Comparison.alternate(run.effort().rounds(), rounds);
  }

  private static void add(
      Run run, String cell, Measurements ours, Measurements yardstick, Optional<Goal> goal) {
    run.report()
        .add(
            new Cell(
                NAME,
                cell,
                ours.median(Measurement::cpuMicrosPerOperation),
                yardstick.median(Measurement::cpuMicrosPerOperation),
                UNIT,
                goal));
  }
}
