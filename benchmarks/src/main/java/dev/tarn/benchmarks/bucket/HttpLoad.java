package dev.tarn.benchmarks.bucket;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.load.Load;
import dev.tarn.benchmarks.load.LoadClient;
import dev.tarn.benchmarks.load.LoadResult;
import dev.tarn.benchmarks.load.PreparedRequest;
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
public record HttpLoad(
    InetSocketAddress server,
    List<Long> pids,
    int connections,
    Supplier<List<PreparedRequest>> requests) {
  public HttpLoad {
    requireNonNull(server, "server is null");
    pids = List.copyOf(pids);
    requireNonNull(requests, "requests is null");
  }

  /** Warms up, first with verified bodies and then without. */
  public void warmUp(Duration duration) throws IOException {
    Load load = Load.during(server, requests.get(), connections, duration);
    checked(LoadClient.run(load.verifyingBodies()));
    checked(LoadClient.run(load));
  }

  public Round round(Duration duration) {
    return () -> {
      Load load = Load.during(server, requests.get(), connections, duration);
      long before = cpuNanos();
      LoadResult result = checked(LoadClient.run(load));
      return new Measurement(
          result.operations(), result.bytes(), result.elapsedNanos(), cpuNanos() - before);
    };
  }

  /** Sends each request once. */
  public static void send(InetSocketAddress server, List<PreparedRequest> requests, int connections)
      throws IOException {
    checked(LoadClient.run(Load.once(server, requests, connections)));
  }

  private long cpuNanos() throws IOException {
    long sum = 0;
    for (long pid : pids) {
      sum += ProcessCpu.nanos(pid);
    }
    return sum;
  }

  /** Throws if a request failed, since errors make a figure meaningless. */
  private static LoadResult checked(LoadResult result) throws IOException {
    if (result.errors() > 0) {
      throw new IOException(
          "%d requests failed, %d succeeded; the first failure: %s"
              .formatted(result.errors(), result.operations(), result.firstError().orElse("")));
    }
    return result;
  }
}
