package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.load.CheckedClient;
import dev.tarn.benchmarks.load.LoadResult;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Wrk;
import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.ProcessCpu;
import dev.tarn.benchmarks.measure.Round;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * One side of a comparison over HTTP.
 *
 * @param pids the processes whose CPU is counted
 * @param requests renders the requests for each round again, since signatures expire
 */
record HttpLoad(
    InetSocketAddress server,
    List<Long> pids,
    int connections,
    Supplier<List<PreparedRequest>> requests) {
  private static final int CHECKED_MAX = 1024;

  /** The bytes of a round: no benchmark over HTTP reports them. */
  private static final int NOT_COUNTED = 0;

  HttpLoad {
    requireNonNull(server, "server is null");
    pids = List.copyOf(pids);
    requireNonNull(requests, "requests is null");
  }

  /** Checks the answers to the first requests with their bodies, and warms up. */
  void warmUp(Run run) throws IOException {
    List<PreparedRequest> prepared = requests.get();
    CheckedClient.sendAll(
        server, prepared.subList(0, Math.min(CHECKED_MAX, prepared.size())), connections);
    load(run, prepared, run.effort().warmUp());
  }

  Round round(Run run) {
    return () -> {
      List<PreparedRequest> prepared = requests.get();
      long before = cpuNanos();
      LoadResult result = load(run, prepared, run.effort().round());
      return new Measurement(
          result.operations(), NOT_COUNTED, result.elapsedNanos(), cpuNanos() - before);
    };
  }

  private LoadResult load(Run run, List<PreparedRequest> prepared, Duration duration)
      throws IOException {
    return Wrk.canSend(prepared)
        ? new Wrk(run.home(), run.scratch()).run(server, prepared, connections, duration)
        : CheckedClient.repeat(server, prepared, connections, duration);
  }

  private long cpuNanos() throws IOException {
    long sum = 0;
    for (long pid : pids) {
      sum += ProcessCpu.nanos(pid);
    }
    return sum;
  }
}
