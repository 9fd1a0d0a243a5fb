package dev.tarn.targetnode.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many requests a backend gets at a time, and when it is left alone. */
final class CallLimitTest {
  private static final int SIZE = 5;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final AtomicLong now = new AtomicLong(5);
  private final CallLimit limit = new CallLimit(100, now::get);

  @Test
  void refusalsShrinkTheBoundOnceASecond() {
    for (int i = 0; i < 50; i++) {
      limit.overloaded(Duration.ZERO);
    }
    assertThat(limit.bound()).isEqualTo(70);

    now.addAndGet(SECOND);
    limit.overloaded(Duration.ZERO);
    assertThat(limit.bound()).isEqualTo(49);

    for (int i = 0; i < 50; i++) {
      now.addAndGet(SECOND);
      limit.overloaded(Duration.ZERO);
    }
    assertThat(limit.bound()).isEqualTo(8);
  }

  @Test
  void boundGrowsByOneWithAsManyAnswersAsItAllowsRequests() {
    limit.overloaded(Duration.ZERO);
    for (int i = 0; i < 70; i++) {
      limit.answered();
    }
    assertThat(limit.bound()).isEqualTo(71);

    for (int i = 0; i < 100 * 100; i++) {
      limit.answered();
    }
    assertThat(limit.bound()).isEqualTo(100);
  }

  @Test
  void requestsBeyondTheBoundWaitForTheirTurn() throws Exception {
    for (int i = 0; i < 50; i++) {
      limit.overloaded(Duration.ZERO);
      now.addAndGet(SECOND);
    }
    AtomicInteger inProgress = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> requests = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1000; i++) {
        requests.add(
            threads.submit(() -> {
              limit.enter();
              most.accumulateAndGet(inProgress.incrementAndGet(), Math::max);
              Thread.onSpinWait();
              inProgress.decrementAndGet();
              limit.leave();
              return true;
            }));
      }
      for (Future<?> request : requests) {
        request.get();
      }
    }
    assertThat(most.get()).isBetween(1, 8);
  }

  @Test
  void readersDoNotSeeThatABackendAsksForFewerRequests() throws Exception {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    HttpServer server =
        start(exchange -> refused.add(exchange.getRequestURI().getPath()) ? 503 : 200);
    try (Backend backend = open(server, BackendLimits.DEFAULT);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<BackendObject>> reads = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        ObjectKey key = ObjectKey.of("key" + i);
        reads.add(threads.submit(() -> backend.head(key, Optional.empty())));
      }
      for (Future<BackendObject> read : reads) {
        assertThat(read.get().sizeBytes()).isEqualTo(SIZE);
      }
    } finally {
      server.stop(0);
    }
    assertThat(refused).hasSize(300);
  }

  @Test
  void backendThatDoesNotAnswerIsAskedLittleUntilItAnswers() throws Exception {
    AtomicInteger status = new AtomicInteger(500);
    HttpServer server = start(exchange -> status.get());
    BackendLimits once = new BackendLimits(8, Duration.ofSeconds(5), Duration.ofSeconds(30), 1);
    try (Backend backend = open(server, once)) {
      assertThat(questions(backend)).isEqualTo(1000);
      while (questions(backend) == 1000) {
        fail(backend);
      }

      status.set(200);
      backend.head(ObjectKey.of("key"), Optional.empty());
      assertThat(questions(backend)).isEqualTo(1000);
    } finally {
      server.stop(0);
    }
  }

  /** Starts a server with an object under each key; the function gives the status of an answer. */
  private static HttpServer start(ToIntFunction<HttpExchange> status) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("etag", "\"e\"");
          exchange.getResponseHeaders().set("content-length", String.valueOf(SIZE));
          exchange.getResponseHeaders().set("Retry-After", "0");
          exchange.sendResponseHeaders(status.applyAsInt(exchange), -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static Backend open(HttpServer server, BackendLimits limits) {
    URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return S3Backend.open(
        new BackendSettings(Optional.of(endpoint), "us-east-1", "b", "", "a", "s"), limits);
  }

  private static void fail(Backend backend) {
    try {
      backend.head(ObjectKey.of("key"), Optional.empty());
    } catch (BackendException e) {
      assertThat(e.unreachable()).isTrue();
      return;
    }
    throw new AssertionError("the backend answered");
  }

  /** How many of 1,000 questions may be asked. */
  private static long questions(Backend backend) {
    return IntStream.range(0, 1000).filter(i -> backend.mayAsk()).count();
  }
}
