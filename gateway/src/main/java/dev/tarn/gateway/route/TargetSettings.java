package dev.tarn.gateway.route;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.wire.SettingsTable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one target. One table is under way at a time and at most one attempt waits behind it, for
 * whoever asked meanwhile; a failed attempt is repeated, ever more rarely up to a bound.
 */
final class TargetSettings {
  private static final Logger LOG = LoggerFactory.getLogger(TargetSettings.class);
  private static final Duration CAPABILITY_LIFETIME = Duration.ofMinutes(1);
  private static final long RETRY_MS_MIN = 100;
  private static final long RETRY_MS_MAX = 5_000;

  private final MapTarget target;
  private final SettingsTransport transport;
  private final Capabilities capabilities;
  private final ScheduledExecutorService timer;
  private final Supplier<SettingsTable> newest;
  private @Nullable CompletableFuture<Void> running;
  private @Nullable CompletableFuture<Void> next;
  private @Nullable ScheduledFuture<?> waitingRetry;
  private long retryMs = RETRY_MS_MIN;

  TargetSettings(
      MapTarget target,
      SettingsTransport transport,
      Capabilities capabilities,
      ScheduledExecutorService timer,
      Supplier<SettingsTable> newest) {
    if (target.addresses().isEmpty()) {
      throw new IllegalArgumentException("target " + target.id() + " has no address");
    }
    this.target = target;
    this.transport = transport;
    this.capabilities = capabilities;
    this.timer = timer;
    this.newest = newest;
  }

  /** Sends the newest table, now or when the attempt under way has ended. */
  synchronized void publish() {
    if (running == null) {
      CompletableFuture<Void> attempt = new CompletableFuture<>();
      running = attempt;
      send(attempt);
    } else if (next == null) {
      next = new CompletableFuture<>();
    }
  }

  /** Done when every attempt that has been asked for is, whatever became of it. */
  synchronized CompletableFuture<Void> underWay() {
    CompletableFuture<Void> last = next == null ? running : next;
    return last == null ? CompletableFuture.completedFuture(null) : last;
  }

  private void send(CompletableFuture<Void> attempt) {
    SettingsTable table = newest.get();
    CompletionStage<Optional<String>> answer;
    try {
      String capability =
          capabilities.issue(Grant.ofSettings(table.version()), CAPABILITY_LIFETIME);
      answer =
          transport.publish(target.addresses().get(0), table.version(), table.encode(), capability);
    } catch (RuntimeException defect) {
      answer = CompletableFuture.failedFuture(defect);
    }
    answer.whenComplete((refusal, defect) -> {
      if (defect != null) {
        ended(attempt, table, Optional.of(defect.toString()));
      } else {
        ended(attempt, table, refusal);
      }
    });
  }

  private void ended(
      CompletableFuture<Void> attempt, SettingsTable table, Optional<String> refusal) {
    CompletableFuture<Void> following;
    synchronized (this) {
      following = next;
      next = null;
      running = following;
      if (refusal.isEmpty()) {
        retryMs = RETRY_MS_MIN;
      } else {
        retryLater(table, refusal.orElseThrow());
      }
    }
    attempt.complete(null);
    if (following != null) {
      send(following);
    }
  }

  private void retryLater(SettingsTable table, String refusal) {
    if (waitingRetry != null) {
      return;
    }
    if (retryMs == RETRY_MS_MIN) {
      LOG.warn(
          "target {} does not take the bucket settings of version {}: {}; tried again until it"
              + " does",
          target.id(),
          table.version(),
          refusal);
    }
    try {
      waitingRetry = timer.schedule(this::retry, retryMs, TimeUnit.MILLISECONDS);
      retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
    } catch (RejectedExecutionException closed) {
      LOG.debug("target {} is told no more: this process ends", target.id());
    }
  }

  private void retry() {
    synchronized (this) {
      waitingRetry = null;
    }
    publish();
  }
}
