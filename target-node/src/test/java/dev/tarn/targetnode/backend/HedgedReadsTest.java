package dev.tarn.targetnode.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** Reads that a backend is unusually slow to answer. */
final class HedgedReadsTest {
  private static final int ENOUGH = 200;

  private final HttpServer server;
  private final Timer timer = new Timer();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger hedges = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch releasedToo = new CountDownLatch(1);
  private final CallLimit limit = new CallLimit(1, nanos::get);
  private final HedgedClient client;

  /** The number of the request that is held; those after it are answered with {@link #status}. */
  private volatile int held = Integer.MAX_VALUE;

  /** Held as well, by a latch of its own. */
  private volatile int heldToo = Integer.MAX_VALUE;

  private volatile int status = 200;
  private volatile int statusOfHeld = 200;

  /** A timer that stands until a test says that the time has come, however slow the machine is. */
  private static final class Timer extends ScheduledThreadPoolExecutor {
    Timer() {
      super(1);
      setRemoveOnCancelPolicy(true);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      throw new UnsupportedOperationException("the client schedules calls");
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
      return super.schedule(task, 10_000, TimeUnit.DAYS);
    }

    /** What was scheduled and not cancelled is due now. */
    void elapse() {
      List.copyOf(getQueue()).forEach(Runnable::run);
    }
  }

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
        timer.elapse();
        released.await();
      }
      if (number == heldToo) {
        releasedToo.await();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    byte[] body = ("answer " + number).getBytes(StandardCharsets.UTF_8);
    int answered = number == held ? statusOfHeld : 200;
    exchange.sendResponseHeaders(number > held ? status : answered, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @AfterEach
  void close() {
    released.countDown();
    releasedToo.countDown();
    client.close();
    server.stop(0);
    timer.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bucket/key", "/bucket/key?versionId=1"})
  void slowReadIsAnsweredByASecondRequest(String path) throws IOException {
    readMany(ENOUGH);
    held = ENOUGH + 1;

    assertThat(read(path)).isEqualTo("answer " + (ENOUGH + 2));
    assertThat(hedges).hasValue(1);
    assertThat(read(path)).isEqualTo("answer " + (ENOUGH + 3));
    assertThat(limit.entersNow()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 404})
  void refusalOfTheSecondRequestLeavesTheFirst(int refusal) throws Exception {
    readMany(ENOUGH);
    status = refusal;
    held = ENOUGH + 1;

    assertThat(readAndRelease(ENOUGH + 2)).isEqualTo("answer " + (ENOUGH + 1));
    assertThat(hedges).hasValue(1);
  }

  @Test
  void secondRequestCountsWhenTheFirstFails() throws Exception {
    readMany(ENOUGH);
    statusOfHeld = 503;
    held = ENOUGH + 1;
    heldToo = ENOUGH + 2;

    releasedToo.countDown();
    assertThat(readAndRelease(ENOUGH + 2)).isEqualTo("answer " + (ENOUGH + 2));
    assertThat(hedges).hasValue(1);
  }

  @Test
  void answerThatTheObjectIsMissingIsNotAFailure() throws Exception {
    readMany(ENOUGH);
    statusOfHeld = 404;
    held = ENOUGH + 1;
    heldToo = ENOUGH + 2;

    assertThat(readAndRelease(ENOUGH + 2)).isEqualTo("answer " + (ENOUGH + 1));
  }

  /** Releases the requests when so many have come. */
  private String readAndRelease(int number) throws Exception {
    Thread releasing =
        Thread.ofVirtual()
            .start(() -> {
              while (requests.get() < number) {
                Thread.onSpinWait();
              }
              released.countDown();
            });
    String answer = read("/bucket/key");
    releasing.join();
    return answer;
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
    Future<?> releasing =
        CompletableFuture.runAsync(
            released::countDown, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
    String answer = read(path);
    releasing.get();
    return answer;
  }

  @Test
  void failureOfTheFirstRequestIsThatOfTheRead() throws IOException {
    readMany(ENOUGH);
    server.stop(0);

    assertThatThrownBy(() -> read("/bucket/key")).isInstanceOf(IOException.class);
  }

  /**
   * Reads until the times are known. The HTTP client itself may repeat a request, which is no
   * hedge.
   */
  private void readMany(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      assertThat(read("/bucket/key")).startsWith("answer ");
    }
    requests.set(count);
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
