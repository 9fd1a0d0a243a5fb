package dev.tarn.targetnode.backend;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Repeats a read of an object that the backend is unusually slow to answer ({@link AnswerTimes}).
 * The first good answer counts; the other request is aborted. Only the head of an answer is waited
 * for, so the bytes of an object are sent once. A second request needs a free turn of the {@link
 * CallLimit}: a busy backend gets none.
 */
final class HedgedClient implements SdkHttpClient {
  private static final Logger LOG = LoggerFactory.getLogger(HedgedClient.class);
  private static final int SERVER_ERRORS = 500;
  private static final int TOO_MANY_REQUESTS = 429;

  private final SdkHttpClient client;
  private final CallLimit limit;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanos;
  private final Runnable count;
  private final AnswerTimes times = new AnswerTimes();

  /**
   * A client over another one, which it closes.
   *
   * @param limit of the requests in progress
   * @param timer starts second requests
   * @param nanos a monotonic clock
   * @param count is run for each second request
   */
  HedgedClient(
      SdkHttpClient client,
      CallLimit limit,
      ScheduledExecutorService timer,
      LongSupplier nanos,
      Runnable count) {
    this.client = client;
    this.limit = limit;
    this.timer = timer;
    this.nanos = nanos;
    this.count = count;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest first = client.prepareRequest(request);
    return isOfObject(request.httpRequest()) ? new Hedged(request, first) : first;
  }

  /** Lists and the like have parameters; how long they take depends on them. */
  private static boolean isOfObject(SdkHttpRequest request) {
    boolean isRead =
        request.method() == SdkHttpMethod.GET || request.method() == SdkHttpMethod.HEAD;
    return isRead && request.numRawQueryParameters() == 0;
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    client.close();
  }

  /** The answer that counts: the second request's, or else the first's. */
  private record Answer(@Nullable HttpExecuteResponse ofSecond) {}

  private final class Hedged implements ExecutableHttpRequest {
    private final HttpExecuteRequest request;
    private final ExecutableHttpRequest first;
    private final AtomicReference<@Nullable ExecutableHttpRequest> second = new AtomicReference<>();
    private final AtomicReference<@Nullable Answer> answer = new AtomicReference<>();

    Hedged(HttpExecuteRequest request, ExecutableHttpRequest first) {
      this.request = request;
      this.first = first;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
      long begun = nanos.getAsLong();
      Future<?> waiting = schedule();
      try {
        HttpExecuteResponse response = firstToAnswer();
        times.answered(nanos.getAsLong() - begun);
        return response;
      } finally {
        if (waiting != null) {
          waiting.cancel(false);
        }
      }
    }

    private @Nullable Future<?> schedule() {
      OptionalLong wait = times.waitNanos();
      return wait.isEmpty()
          ? null
          : timer.schedule(
              () -> Thread.ofVirtual().name("tarn-hedge").start(this::callSecond),
              wait.orElseThrow(),
              TimeUnit.NANOSECONDS);
    }

    private HttpExecuteResponse firstToAnswer() throws IOException {
      HttpExecuteResponse response;
      try {
        response = first.call();
      } catch (IOException | RuntimeException e) {
        HttpExecuteResponse ofSecond = settle();
        if (ofSecond != null) {
          return ofSecond; // The failure is that of the abort.
        }
        throw e;
      }
      HttpExecuteResponse ofSecond = settle();
      if (ofSecond == null) {
        return response;
      }
      discard(response);
      return ofSecond;
    }

    /** Ends the competition: the answer of the second request if it was first, otherwise null. */
    private @Nullable HttpExecuteResponse settle() {
      if (answer.compareAndSet(null, new Answer(null))) {
        abortSecond();
        return null;
      }
      Answer given = answer.get();
      return given == null ? null : given.ofSecond();
    }

    private void callSecond() {
      if (answer.get() != null || !limit.entersNow()) {
        return;
      }
      try {
        if (times.takesSecond()) {
          compete();
        }
      } finally {
        limit.leave();
      }
    }

    private void compete() {
      ExecutableHttpRequest repeated = client.prepareRequest(request);
      second.set(repeated);
      if (answer.get() != null) {
        return;
      }
      count.run();
      try {
        HttpExecuteResponse response = repeated.call();
        int status = response.httpResponse().statusCode();
        boolean isGood = status < SERVER_ERRORS && status != TOO_MANY_REQUESTS;
        if (isGood && answer.compareAndSet(null, new Answer(response))) {
          first.abort();
        } else {
          discard(response);
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("A second request failed; the first one continues", e);
      }
    }

    private void abortSecond() {
      ExecutableHttpRequest repeated = second.get();
      if (repeated != null) {
        repeated.abort();
      }
    }

    @Override
    public void abort() {
      first.abort();
      abortSecond();
    }
  }

  private static void discard(HttpExecuteResponse response) {
    response.responseBody().ifPresent(AbortableInputStream::abort);
  }
}
