package dev.tarn.targetnode.backend;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
 * The first answer counts, and the other request is aborted; only the head of an answer is waited
 * for. A failure of either request leaves the other, and so does a refusal of the second one, which
 * another server of the backend may give. A second request needs a free turn of the {@link
 * CallLimit}: a backend that is busy as a whole gets none. The time includes a wait for one of this
 * client's connections.
 */
final class HedgedClient implements SdkHttpClient {
  private static final Logger LOG = LoggerFactory.getLogger(HedgedClient.class);

  private static final int SERVER_ERRORS = 500;

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

  /** Lists and the like have other parameters; how long they take depends on them. */
  private static boolean isOfObject(SdkHttpRequest request) {
    boolean isRead =
        request.method() == SdkHttpMethod.GET || request.method() == SdkHttpMethod.HEAD;
    return isRead && Set.of("versionId").containsAll(request.rawQueryParameters().keySet());
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    client.close();
  }

  private enum State {
    /** Only the first request has been sent. */
    FIRST,
    /** Both have been sent. */
    BOTH,
    /** The second request has a good answer, which counts. */
    SECOND,
    /** The answer of the first request counts. */
    ENDED
  }

  private final class Hedged implements ExecutableHttpRequest {
    private final HttpExecuteRequest request;
    private final ExecutableHttpRequest first;
    private final AtomicReference<State> state = new AtomicReference<>(State.FIRST);
    private final CompletableFuture<Optional<HttpExecuteResponse>> ofSecond =
        new CompletableFuture<>();
    private volatile @Nullable ExecutableHttpRequest second;

    Hedged(HttpExecuteRequest request, ExecutableHttpRequest first) {
      this.request = request;
      this.first = first;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
      long begun = nanos.getAsLong();
      Future<?> waiting = schedule();
      try {
        HttpExecuteResponse response = answer();
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

    private HttpExecuteResponse answer() throws IOException {
      HttpExecuteResponse response;
      try {
        response = first.call();
      } catch (IOException | RuntimeException e) {
        Optional<HttpExecuteResponse> instead = instead();
        if (instead.isPresent()) {
          return instead.orElseThrow(); // The failure may be that of the abort.
        }
        throw e;
      }
      if (!isFailure(response) && isFirstToAnswer()) {
        return response;
      }
      Optional<HttpExecuteResponse> instead = instead();
      if (instead.isPresent()) {
        discard(response);
      }
      return instead.orElse(response);
    }

    /** Whether the answer of the first request counts: the second one has none yet. */
    private boolean isFirstToAnswer() {
      if (state.compareAndSet(State.FIRST, State.ENDED)) {
        return true;
      }
      boolean isFirst = state.compareAndSet(State.BOTH, State.ENDED);
      if (isFirst) {
        abortSecond();
      }
      return isFirst;
    }

    /** The good answer of the second request, if it was sent and gets one. */
    private Optional<HttpExecuteResponse> instead() {
      return state.compareAndSet(State.FIRST, State.ENDED) ? Optional.empty() : ofSecond.join();
    }

    private void callSecond() {
      Optional<HttpExecuteResponse> good = Optional.empty();
      try {
        if (limit.entersNow()) {
          try {
            good = compete();
          } finally {
            limit.leave();
          }
        }
      } finally {
        ofSecond.complete(good);
      }
      if (good.isPresent()) {
        first.abort();
      }
    }

    private Optional<HttpExecuteResponse> compete() {
      if (!times.takesSecond()) {
        return Optional.empty();
      }
      try {
        ExecutableHttpRequest repeated = client.prepareRequest(request);
        second = repeated;
        if (!state.compareAndSet(State.FIRST, State.BOTH)) {
          return Optional.empty();
        }
        count.run();
        HttpExecuteResponse response = LimitedClient.answered(repeated, limit);
        if (response.httpResponse().isSuccessful()
            && state.compareAndSet(State.BOTH, State.SECOND)) {
          return Optional.of(response);
        }
        discard(response);
      } catch (IOException | RuntimeException e) {
        LOG.debug("A second request failed; the first one decides", e);
      }
      return Optional.empty();
    }

    private void abortSecond() {
      ExecutableHttpRequest repeated = second;
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

  private static boolean isFailure(HttpExecuteResponse response) {
    int status = response.httpResponse().statusCode();
    return status >= SERVER_ERRORS || status == LimitedClient.TOO_MANY_REQUESTS;
  }

  private static void discard(HttpExecuteResponse response) {
    response.responseBody().ifPresent(AbortableInputStream::abort);
  }
}
