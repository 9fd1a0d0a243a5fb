package dev.tarn.transport.relay;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one event loop to a target that is away or silent; a restart takes a few seconds.
 * One call at a time tries to connect, with growing back-off. The other calls follow as soon as the
 * connection exists, or as the target answers a probe. The calls are limited in number and time.
 * Calls to a target that has been away for more than a minute fail immediately. All state belongs
 * to the event loop.
 */
final class DeferredCalls {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredCalls.class);

  /** Longer than a target needs to drain and start. After this time the target counts as down. */
  private static final long AWAY_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long BACKOFF_MS_MIN = 25;
  private static final long BACKOFF_MS_MAX = 400;

  private final EventLoop loop;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final TargetHealth health;
  private final Consumer<PendingCall> tryAgain;
  private final BiConsumer<PendingCall, String> giveUp;
  private final Queue<Waiting> calls = new ArrayDeque<>();
  private boolean away;
  private boolean scheduled;
  private long awaySinceNanos;
  private long backoffMs = BACKOFF_MS_MIN;

  private record Waiting(PendingCall call, String problem) {}

  /**
   * Creates an empty queue.
   *
   * @param health counts the deferred calls of all event loops
   * @param tryAgain sends a call once more
   * @param giveUp fails a call with the given reason
   */
  DeferredCalls(
      EventLoop loop,
      RelayLimits limits,
      LongSupplier nanoTime,
      TargetHealth health,
      Consumer<PendingCall> tryAgain,
      BiConsumer<PendingCall, String> giveUp) {
    this.loop = loop;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.health = health;
    this.tryAgain = tryAgain;
    this.giveUp = giveUp;
  }

  /**
   * Keeps a call that the target has not read, and sends it when the target is back. Fails the call
   * if it may not wait, or not beyond its deadline.
   */
  void add(PendingCall call, String problem) {
    long now = nanoTime.getAsLong();
    if (!away) {
      away = true;
      awaySinceNanos = now;
      backoffMs = BACKOFF_MS_MIN;
    }
    if (hasTime(call, now) && now - awaySinceNanos < AWAY_MAX_NANOS && health.takePlace()) {
      calls.add(new Waiting(call, problem));
      schedule();
    } else {
      giveUp.accept(call, problem);
    }
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  private boolean hasTime(PendingCall call, long now) {
    return now - call.sinceNanos() < limits.targetWaitMax().toNanos()
        && !call.request().deadline().hasPassed();
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(this::tryOne, backoffMs, TimeUnit.MILLISECONDS).addListener(this::tried);
      backoffMs = Math.min(2 * backoffMs, BACKOFF_MS_MAX);
    }
  }

  private void tryOne() {
    scheduled = false;
    long now = nanoTime.getAsLong();
    endWaiting(now);
    Waiting first = calls.poll();
    if (first == null) {
      return;
    }
    health.leavePlaces(1);
    if (!calls.isEmpty()) {
      schedule();
    }
    tryAgain.accept(first.call());
  }

  /**
   * Gives up the calls that have waited too long. All of them are removed first, because the caller
   * of an ended call may add the next one.
   */
  private void endWaiting(long now) {
    List<Waiting> ended = new ArrayList<>();
    calls.removeIf(waiting -> endsNow(waiting.call(), now) && ended.add(waiting));
    health.leavePlaces(ended.size());
    for (Waiting waiting : ended) {
      if (!waiting.call().reply().isDone()) {
        giveUp.accept(waiting.call(), waiting.problem());
      }
    }
  }

  private boolean endsNow(PendingCall call, long now) {
    return call.reply().isDone() || !hasTime(call, now);
  }

  /** Logs an attempt that failed by a defect. An event loop that ends cancels the attempt. */
  private void tried(Future<?> attempt) {
    if (!attempt.isSuccess() && !attempt.isCancelled()) {
      LOG.error("calls deferred until their target is back were not sent", attempt.cause());
    }
  }

  /** Sends all deferred calls, because a connection exists or the target answers again. */
  void targetIsThere() {
    if (away) {
      away = false;
      takeAll().forEach(waiting -> tryAgain.accept(waiting.call()));
    }
  }

  /** Gives up all deferred calls, because the target has been silent for too long. */
  void giveUpAll(String problem) {
    takeAll().forEach(waiting -> giveUp.accept(waiting.call(), problem));
  }

  private List<Waiting> takeAll() {
    List<Waiting> all = List.copyOf(calls);
    calls.clear();
    health.leavePlaces(all.size());
    return all;
  }
}
