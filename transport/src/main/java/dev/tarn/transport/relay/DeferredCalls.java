package dev.tarn.transport.relay;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one event loop that a target has not taken because it is away, as it is for a few
 * seconds when it restarts. One of them at a time tries to connect, with pauses that grow; the
 * others follow as soon as one has connected. They are bounded in number and time, and a target
 * that has been away for long is not waited for. All belongs to the event loop.
 */
final class DeferredCalls {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredCalls.class);

  /** Longer than a target drains and starts; from then on it is held to be down. */
  private static final long AWAY_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long PAUSE_MS_MIN = 25;
  private static final long PAUSE_MS_MAX = 400;

  private final EventLoop loop;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final AtomicInteger waitingOverall;
  private final Consumer<PendingCall> tryAgain;
  private final BiConsumer<PendingCall, String> giveUp;
  private final Queue<Waiting> calls = new ArrayDeque<>();
  private boolean away;
  private boolean scheduled;
  private long awaySinceNanos;
  private long pauseMs = PAUSE_MS_MIN;

  private record Waiting(PendingCall call, String problem) {}

  /**
   * None yet.
   *
   * @param waitingOverall how many wait on all loops
   * @param tryAgain sends a call once more
   * @param giveUp fails a call for the reason given
   */
  DeferredCalls(
      EventLoop loop,
      RelayLimits limits,
      LongSupplier nanoTime,
      AtomicInteger waitingOverall,
      Consumer<PendingCall> tryAgain,
      BiConsumer<PendingCall, String> giveUp) {
    this.loop = loop;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.waitingOverall = waitingOverall;
    this.tryAgain = tryAgain;
    this.giveUp = giveUp;
  }

  /**
   * Keeps a call that the target has not taken, to send it when the target is back; fails it where
   * it is not to wait.
   */
  void add(PendingCall call, String problem) {
    long now = nanoTime.getAsLong();
    if (!away) {
      away = true;
      awaySinceNanos = now;
      pauseMs = PAUSE_MS_MIN;
    }
    if (hasTime(call, now) && now - awaySinceNanos < AWAY_MAX_NANOS && takePlace()) {
      calls.add(new Waiting(call, problem));
      schedule();
    } else {
      giveUp.accept(call, problem);
    }
  }

  private boolean hasTime(PendingCall call, long now) {
    return now - call.sinceNanos() < limits.targetWaitMax().toNanos();
  }

  private boolean takePlace() {
    if (waitingOverall.incrementAndGet() <= limits.targetWaitingMax()) {
      return true;
    }
    waitingOverall.decrementAndGet();
    return false;
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(this::tryOne, pauseMs, TimeUnit.MILLISECONDS).addListener(this::tried);
      pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX);
    }
  }

  private void tryOne() {
    scheduled = false;
    long now = nanoTime.getAsLong();
    calls.removeIf(waiting -> endsNow(waiting, now));
    Waiting first = calls.poll();
    if (first == null) {
      return;
    }
    waitingOverall.decrementAndGet();
    if (!calls.isEmpty()) {
      schedule();
    }
    tryAgain.accept(first.call());
  }

  private boolean endsNow(Waiting waiting, long now) {
    boolean given = waiting.call().answer().isDone();
    if (!given && hasTime(waiting.call(), now)) {
      return false;
    }
    waitingOverall.decrementAndGet();
    if (!given) {
      giveUp.accept(waiting.call(), waiting.problem());
    }
    return true;
  }

  /** By a defect, or with the event loop. */
  private void tried(Future<?> attempt) {
    if (!attempt.isSuccess()) {
      LOG.error("calls that wait for a target are not sent again", attempt.cause());
    }
  }

  /** A connection has been made: the target is there. */
  void targetIsThere() {
    if (!away) {
      return;
    }
    away = false;
    List<Waiting> all = List.copyOf(calls);
    calls.clear();
    waitingOverall.addAndGet(-all.size());
    all.forEach(waiting -> tryAgain.accept(waiting.call()));
  }
}
