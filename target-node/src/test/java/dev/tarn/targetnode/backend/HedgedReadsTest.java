package dev.tarn.targetnode.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** Reads that a backend is unusually slow to answer. */
final class HedgedReadsTest {
  private static final int ENOUGH = 200;

  private final HttpServer server;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger hedges = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CallLimit limit = new CallLimit(1, nanos::get);
  private final HedgedClient client;

  /** The number of the request that is held; those after it are answered with {@link #status}. */
  private volatile int held = Integer.MAX_VALUE;

  private volatile int status = 200;

  HedgedReadsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    client =
        new HedgedClient(
            Apache5HttpClient.create(), limit, timer, nanos::get, hedges::incrementAndGet);
  }

  private void answer(HttpExchange exchange) throws IOException {
    int number = requests.incrementAndGet();
    try {
      if (number == held) {
        released.await();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    byte[] body = ("answer " + number).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(number > held ? status : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @AfterEach
  void close() {
    released.countDown();
    client.close();
    server.stop(0);
    timer.shutdownNow();
  }

  @Test
  void slowReadIsAnsweredByASecondRequest() throws IOException {
    readMany(ENOUGH);
    held = ENOUGH + 1;

    assertThat(read("/bucket/key")).isEqualTo("answer " + (ENOUGH + 2));
    assertThat(hedges).hasValue(1);
    assertThat(read("/bucket/key")).isEqualTo("answer " + (ENOUGH + 3));
  }

  @Test
  void refusalOfTheSecondRequestLeavesTheFirst() throws Exception {
    readMany(ENOUGH);
    status = 503;
    held = ENOUGH + 1;
    Thread releasing =
        Thread.ofVirtual()
            .start(() -> {
              while (requests.get() < ENOUGH + 2) {
                Thread.onSpinWait();
              }
              released.countDown();
            });

    assertThat(read("/bucket/key")).isEqualTo("answer " + (ENOUGH + 1));
    releasing.join();
    assertThat(hedges).hasValue(1);
  }

  @Test
  void secondRequestsAreAtMostOneInAHundred() {
    AnswerTimes times = new AnswerTimes();
    int taken = 0;
    for (int i = 0; i < 1000; i++) {
      times.answered(1);
      taken += times.takesSecond() ? 1 : 0;
    }

    assertThat(taken).isEqualTo(10);
  }

  @Test
  void secondRequestWaitsForTheSlowestOfAHundredAnswers() {
    AnswerTimes times = new AnswerTimes();
    for (int i = 1; i < 20; i++) {
      times.answered(TimeUnit.MILLISECONDS.toNanos(i));
    }
    assertThat(times.waitNanos()).isEmpty();
    for (int i = 20; i <= 512; i++) {
      times.answered(TimeUnit.MILLISECONDS.toNanos(i));
    }

    assertThat(times.waitNanos()).hasValue(TimeUnit.MILLISECONDS.toNanos(507));
  }

  @Test
  void listIsNotRepeated() throws Exception {
    readMany(ENOUGH);
    held = ENOUGH + 1;

    assertThat(readAndReleaseLater("/bucket?list-type=2")).isEqualTo("answer " + (ENOUGH + 1));
    assertThat(hedges).hasValue(0);
  }

  @Test
  void backendWithoutAFreeTurnGetsNoSecondRequest() throws Exception {
    readMany(ENOUGH);
    limit.enter();
    held = ENOUGH + 1;

    assertThat(readAndReleaseLater("/bucket/key")).isEqualTo("answer " + (ENOUGH + 1));
    assertThat(hedges).hasValue(0);
  }

  /** Releases the request when a second one would have been sent. */
  private String readAndReleaseLater(String path) throws Exception {
    Future<?> releasing = timer.schedule(released::countDown, 20, TimeUnit.MILLISECONDS);
    String answer = read(path);
    releasing.get();
    return answer;
  }

  @Test
  void failureOfTheFirstRequestIsThatOfTheRead() throws IOException {
    readMany(ENOUGH);
    server.stop(0);

    assertThatThrownBy(() -> read("/bucket/key")).isInstanceOf(IOException.class);
    assertThat(hedges).hasValue(0);
  }

  private void readMany(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      assertThat(read("/bucket/key")).isEqualTo("answer " + (i + 1));
    }
  }

  private String read(String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    SdkHttpFullRequest request =
        SdkHttpFullRequest.builder().uri(uri).method(SdkHttpMethod.GET).build();
    HttpExecuteResponse response =
        client.prepareRequest(HttpExecuteRequest.builder().request(request).build()).call();
    try (var body = response.responseBody().orElseThrow()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
