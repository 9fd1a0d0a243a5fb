package dev.tarn.benchmarks.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Sends requests at a fixed rate, however long their answers take. Each request has a thread of its
 * own, and a kept connection or a new one. Failures are results, not errors.
 */
public final class PacedClient implements AutoCloseable {
  private final CheckedClient client;

  public PacedClient(InetSocketAddress server) {
    this.client = new CheckedClient(server);
  }

  /**
   * Sends requests for this long, and waits for all answers.
   *
   * @param requests returns the request of an index, counted from 0
   */
  public List<TimedAnswer> run(
      int perSecond, Duration duration, IntFunction<PreparedRequest> requests) throws IOException {
    long periodNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    long count = duration.toNanos() / periodNanos;
    long startNanos = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<TimedAnswer>> answers = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        long dueNanos = startNanos + index * periodNanos;
        for (long early = 1; early > 0; early = dueNanos - System.nanoTime()) {
          LockSupport.parkNanos(early);
        }
        int number = index;
        answers.add(threads.submit(() -> send(number, dueNanos, requests.apply(number))));
      }
      List<TimedAnswer> ended = new ArrayList<>();
      for (Future<TimedAnswer> answer : answers) {
        ended.add(answer.get());
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a load", e);
    } catch (ExecutionException e) {
      throw new IOException("a request could not be sent", e);
    }
  }

  private TimedAnswer send(int index, long dueNanos, PreparedRequest request) {
    int status = 0;
    String location = "";
    try {
      HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
      location = answer.headers().firstValue("location").orElse("");
      status = answer.statusCode();
    } catch (IOException e) {
      // The answer has no status.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new TimedAnswer(index, status, dueNanos, System.nanoTime(), location);
  }

  @Override
  public void close() {
    client.close();
  }
}
