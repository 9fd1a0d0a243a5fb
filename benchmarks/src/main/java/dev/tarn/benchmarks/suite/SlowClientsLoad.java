package dev.tarn.benchmarks.suite;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PacedClient;
import dev.tarn.benchmarks.load.PayloadHash;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.load.SlowClients;
import dev.tarn.benchmarks.measure.PeakMemory;
import dev.tarn.benchmarks.measure.ProcessCpu;
import dev.tarn.benchmarks.measure.ProcessMemory;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Thousands of slow clients hold connections to a gateway while an honest client sends a steady
 * load: GETs of 8 KiB, and one PUT in five.
 */
final class SlowClientsLoad implements Benchmark {
  private static final int REQUESTS_PER_SECOND = 100;
  private static final int OBJECTS = 300;
  private static final int PUT_PERIOD = 5;
  private static final double LATENCY_GAIN_MS_MAX = 20;
  private static final int MEMORY_MIB_MAX = 512;
  private static final double MEBIBYTE = 1 << 20;

  /** The number of files that a process opens beside the connections of the slow clients. */
  private static final int OTHER_FILES = 1000;

  private static final Corpus CORPUS = Corpus.kibibytes(8, OBJECTS);

  /**
   * Larger than the buffers of the sockets between a target and a reader, which hold about 5 MB.
   */
  private static final Corpus LARGE = Corpus.mebibytes(16, 1);

  /** The answers to the honest client in one phase, and the gateway's CPU in percent of a core. */
  private record Phase(Answers answers, double cpuPercent) {}

  /**
   * The measurements while there were slow clients.
   *
   * @param ended how many slow clients the gateway ended, by kind and cause
   */
  private record Siege(Phase opening, Phase held, Map<String, Integer> ended, double peakMib) {}

  @Override
  public void run(Run run) throws IOException {
    requireOpenFiles(run.effort().slowClients());
    Duration idle = Duration.ofSeconds(run.effort().count(10, 3));
    try (TarnCluster cluster = TarnCluster.start(run.home(), run.scratch());
        PacedClient honest = new PacedClient(cluster.gateway().address())) {
      InetSocketAddress gateway = cluster.gateway().address();
      long pid = cluster.gateway().pid();
      BenchmarkBucket.create(gateway);
      BenchmarkBucket.upload(gateway, CORPUS.entries());
      BenchmarkBucket.upload(gateway, LARGE.entries());
      HonestLoad load = new HonestLoad(honest, requests(gateway), pid);
      load.run(run.effort().warmUp());
      Phase before = load.run(idle);
      double idleMib = anonymousMib(pid);
      Siege siege = besiege(run.effort(), gateway, load);
      Phase after = load.run(idle);
      report(run, before, siege);
      failures(run, siege, after);
      memory(run, idleMib, siege.peakMib(), anonymousMib(pid));
    }
  }

  /** Three connections to the gateway in three, and two of the gateway to its target. */
  private static void requireOpenFiles(int clients) throws IOException {
    long needed = clients * 5L / 3 + OTHER_FILES;
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && system.getMaxFileDescriptorCount() < needed) {
      throw new IOException(
          "cannot open %,d slow clients: the gateway needs %d open files, and the limit is %d; raise it (ulimit -n %d), or use fewer clients (--clients)"
              .formatted(clients, needed, system.getMaxFileDescriptorCount(), needed));
    }
  }

  private static List<PreparedRequest> requests(InetSocketAddress gateway) {
    Requests requests = BenchmarkBucket.signed(gateway);
    List<PreparedRequest> all = new ArrayList<>();
    for (int index = 0; index < OBJECTS; index++) {
      Corpus.Entry object = CORPUS.entry(index);
      all.add(
          index % PUT_PERIOD == 0
              ? BenchmarkBucket.put(requests, object)
              : requests.get(BenchmarkBucket.path(object.path()), Expectation.status(200)));
    }
    return all;
  }

  /** The requests of the honest client. */
  private record HonestLoad(PacedClient client, List<PreparedRequest> requests, long pid) {
    Phase run(Duration duration) throws IOException {
      long startNanos = System.nanoTime();
      long cpuNanos = ProcessCpu.nanos(pid);
      Answers answers =
          new Answers(
              client.run(
                  REQUESTS_PER_SECOND, duration, index -> requests.get(index % requests.size())));
      double elapsedNanos = System.nanoTime() - startNanos;
      return new Phase(answers, 100 * (ProcessCpu.nanos(pid) - cpuNanos) / elapsedNanos);
    }
  }

  private static Siege besiege(Effort effort, InetSocketAddress gateway, HonestLoad load)
      throws IOException {
    int count = effort.slowClients();
    Duration opening = Duration.ofSeconds(1 + count / SlowClients.OPENED_PER_SECOND);
    Requests requests = BenchmarkBucket.signed(gateway);
    Corpus.Entry large = LARGE.entry(0);
    PreparedRequest get = requests.get(BenchmarkBucket.path(large.path()), Expectation.status(200));
    PreparedRequest put =
        requests.put(
            BenchmarkBucket.path("slow"),
            large.content(),
            PayloadHash.UNSIGNED,
            Expectation.status(200));
    try (PeakMemory memory = PeakMemory.of(load.pid())) {
      CompletableFuture<Phase> meanwhile =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return load.run(opening);
                } catch (IOException e) {
                  throw new CompletionException(e);
                }
              },
              // Not the common pool: the JDK's HTTP client completes its answers there.
              Thread::startVirtualThread);
      try (SlowClients slow = SlowClients.open(gateway, count, get, put)) {
        Phase opened = meanwhile.join();
        Phase held = load.run(effort.hold());
        return new Siege(opened, held, slow.ended(), memory.peakBytes() / MEBIBYTE);
      }
    } catch (CompletionException e) {
      throw new IOException("the load failed", e);
    }
  }

  private static double anonymousMib(long pid) {
    return ProcessMemory.anonymousBytes(pid) / MEBIBYTE;
  }

  private static void report(Run run, Phase idle, Siege siege) {
    Answers held = siege.held().answers();
    for (int percent : new int[] {50, 99}) {
      add(
          run,
          "honest p" + percent,
          held.percentileMs(percent),
          idle.answers().percentileMs(percent),
          "ms",
          Optional.of(new Goal.AtMostBeyond(LATENCY_GAIN_MS_MAX)));
    }
    add(
        run,
        "gateway CPU",
        siege.held().cpuPercent(),
        idle.cpuPercent(),
        "% of a core",
        Optional.empty());
  }

  /** Counts the slow clients that the gateway ended, and the failures of the honest client. */
  private static void failures(Run run, Siege siege, Phase after) {
    int clients = run.effort().slowClients();
    int ended = siege.ended().values().stream().mapToInt(Integer::intValue).sum();
    Optional<Goal> none = Optional.of(new Goal.AtMost(0));
    add(run, "refused or cut", ended, clients, "slow clients", none);
    siege
        .ended()
        .forEach((how, count) -> add(run, how, count, clients, "slow clients", Optional.empty()));
    errors(run, "honest errors while they open", siege.opening());
    errors(run, "honest errors while they stay", siege.held());
    errors(run, "honest errors afterwards", after);
  }

  private static void errors(Run run, String name, Phase phase) {
    Answers answers = phase.answers();
    Optional<Goal> none = Optional.of(new Goal.AtMost(0));
    add(run, name, (double) answers.failures(), answers.count(), "requests", none);
  }

  private static void memory(Run run, double idleMib, double peakMib, double afterMib) {
    Optional<Goal> bound = Optional.of(new Goal.AtMost(MEMORY_MIB_MAX));
    add(run, "gateway memory", peakMib, idleMib, "MiB anonymous", bound);
    add(run, "gateway memory afterwards", afterMib, idleMib, "MiB anonymous", bound);
  }

  private static void add(
      Run run, String name, double ours, double yardstick, String unit, Optional<Goal> goal) {
    String cell = "slow-clients: " + name;
    run.report().add(new Cell(LoadBenchmark.NAME, cell, ours, yardstick, unit, goal));
  }
}
