package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.target.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that always has a request for the next state in progress. It retries a failed request
 * with back-off, which is bounded so that a change is known within a second once the control node
 * is back.
 */
final class Follower implements AutoCloseable {
  private static final Duration LONGER_THAN_WAITING = Duration.ofSeconds(2);
  private static final long RETRY_MS_MIN = 50;
  private static final long RETRY_MS_MAX = 500;

  private final Question question;
  private final ControlListener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "tarn-control-follower");
  private volatile @Nullable String away;
  private boolean followedBefore;

  /**
   * Requests another state than the present one, and lets the control node wait up to {@code
   * waitMs} for it.
   */
  interface Question {
    CompletionStage<Void> ask(int waitMs, Duration timeoutMax);
  }

  Follower(Question question, ControlListener listener) {
    this.question = question;
    this.listener = listener;
    this.away = "the control node has not answered yet";
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  Optional<String> away() {
    return Optional.ofNullable(away);
  }

  private void run() {
    long retryMs = RETRY_MS_MIN;
    try {
      while (closed.getCount() > 0) {
        if (asked()) {
          retryMs = RETRY_MS_MIN;
        } else {
          long jitterMs = ThreadLocalRandom.current().nextLong(retryMs / 2 + 1);
          boolean ended = closed.await(retryMs + jitterMs, TimeUnit.MILLISECONDS);
          retryMs = ended ? 0 : Math.min(2 * retryMs, RETRY_MS_MAX);
        }
      }
    } catch (InterruptedException e) {
      // The follower was closed.
      Thread.currentThread().interrupt();
    }
  }

  private boolean asked() throws InterruptedException {
    try {
      // The first request does not wait, so that the member soon knows whether the control node
      // answers.
      int waitMs = away == null ? ControlBinding.WAIT_MS_MAX : 0;
      question
          .ask(waitMs, Duration.ofMillis(waitMs).plus(LONGER_THAN_WAITING))
          .toCompletableFuture()
          .get();
      if (away != null) {
        away = null;
        followedBefore = true;
        listener.followed();
      }
      return true;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String reason = Failure.reasonOf(cause);
      boolean news = away == null || !followedBefore;
      away = reason;
      if (news) {
        followedBefore = true;
        listener.away(reason);
      }
      return false;
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
