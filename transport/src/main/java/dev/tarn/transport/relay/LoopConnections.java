package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.transport.tls.MemberTls;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one event loop to one target. Everything but the constructor runs on the event
 * loop.
 */
final class LoopConnections {
  private static final Logger LOG = LoggerFactory.getLogger(LoopConnections.class);

  /** How long a call that another target may answer waits for a handshake. */
  private static final Duration READY_MAX = Duration.ofSeconds(5);

  /** A silent target is found, and found to be back, within this period. */
  private static final long CHECK_PERIOD_MS_MAX = 100;

  private final EventLoop loop;
  private final Supplier<String> name;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final BooleanSupplier crowded;
  private final TargetHealth health;
  private final DeferredCalls deferred;
  private final Connector connector;
  private final Set<RelayConnection> open = new HashSet<>();
  private final Map<RelayConnection, PendingCall> connecting = new HashMap<>();
  private final Deque<RelayConnection> idle = new ArrayDeque<>();
  private final WaitingCalls waiting;
  private final ScheduledFuture<?> watch;
  private boolean retired;

  /** Whether the target is silent, or has replied to no call for a moment. Limits new calls. */
  private boolean guarded;

  private boolean silent;
  private long repliedNanos;
  private long receivedNanos;
  private int unanswered;

  LoopConnections(
      Connector connector,
      Supplier<String> name,
      RelayLimits limits,
      LongSupplier nanoTime,
      BooleanSupplier crowded,
      AtomicInteger waitingOverall,
      TargetHealth health) {
    this.loop = connector.loop();
    this.name = name;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.crowded = crowded;
    this.waiting = new WaitingCalls(waitingOverall, limits.waitingMax());
    this.deferred =
        new DeferredCalls(loop, limits, nanoTime, health, this::callAgain, this::giveUp);
    this.health = health;
    this.connector = connector;
    this.repliedNanos = nanoTime.getAsLong();
    this.receivedNanos = health.answeredNanos(); // Nothing has arrived on this event loop.
    this.silent = health.isSilent();
    this.guarded = silent;
    long soonestMs = Math.min(limits.idleTimeoutMax().toMillis(), limits.waitMax().toMillis());
    long periodMs = Math.clamp(soonestMs / 4, 1, CHECK_PERIOD_MS_MAX);
    watch = loop.scheduleAtFixedRate(this::check, periodMs, periodMs, TimeUnit.MILLISECONDS);
    watch.addListener(this::watchEnded);
  }

  EventLoop loop() {
    return loop;
  }

  TargetAddress address() {
    return connector.address();
  }

  /**
   * Sends a call on the most recently used free connection, on a new one, or on the next one that
   * is free.
   */
  void call(PendingCall call) {
    if (guarded && isHeldBack(call)) {
      return;
    }
    RelayConnection free = nextIdle();
    if (free != null) {
      begin(free, call);
    } else if (open.size() < limits.connectionsMax()) {
      connect(call);
    } else if (!waiting.add(call)) {
      call.fail(
          new Failure.Overloaded(
              "Too many calls wait for a connection to a target (limit "
                  + limits.waitingMax()
                  + "), one of them to "
                  + name.get()
                  + "; retry later."));
    }
  }

  /**
   * Starts a call on a free connection. Without a call, or while its body has not begun to arrive,
   * the connection serves other calls.
   */
  private void begin(RelayConnection free, @Nullable PendingCall call) {
    if (call != null && hasBegun(call)) {
      free.start(call);
    } else {
      freed(free);
    }
  }

  /** Whether a call has no body, or one that has begun. Otherwise the call is sent when it has. */
  private boolean hasBegun(PendingCall call) {
    Optional<IncomingBody> body = call.request().body();
    if (body.isEmpty()) {
      return true;
    }
    Deadline deadline = call.request().deadline();
    long remainingMs = deadline.isNone() ? 0 : deadline.remainingMs();
    return body.orElseThrow()
        .hasBegun(() -> onLoop(() -> callLater(call, deadline.isNone(), remainingMs)));
  }

  /** Sends a call whose body has begun. The time that its sender took counts for no limit. */
  private void callLater(PendingCall call, boolean mayWait, long remainingMs) {
    if (call.reply().isDone()) {
      return;
    }
    if (retired) {
      giveUp(call, "has left the cluster map, or has another address");
      return;
    }
    Deadline until = mayWait ? Deadline.NONE : Deadline.in(Duration.ofMillis(remainingMs));
    call(new PendingCall(call.request().until(until), call.reply(), now(), call.again()));
  }

  /** Runs a step on the event loop; immediately if this thread is that event loop. */
  void onLoop(Runnable step) {
    if (loop.inEventLoop()) {
      step.run();
    } else {
      loop.execute(step);
    }
  }

  /**
   * Sends a call on a new connection. If one kept connection was closed, the others may be closed
   * too.
   */
  void callAgain(PendingCall call) {
    if (guarded && isHeldBack(call)) {
      return;
    }
    if (open.size() < limits.connectionsMax()) {
      connect(call);
    } else {
      call(call);
    }
  }

  /** Whether a call was kept, failed or refused, because the target gives no answers. */
  private boolean isHeldBack(PendingCall call) {
    if (isKeptInSilence(call)) {
      return true;
    }
    if (silent) { // The silence has just ended.
      return false;
    }
    if (countUnanswered(unanswered + 1) <= limits.unansweredMax()) {
      return false;
    }
    countUnanswered(unanswered - 1);
    call.fail(
        new Failure.Overloaded(
            "Too many calls and connections wait for "
                + name.get()
                + " (limit "
                + limits.unansweredMax()
                + "); retry later."));
    return true;
  }

  /**
   * Keeps a call until a silent target is back; fails the call if it may not wait. A listing needs
   * all targets, and another target may answer a read, so these fail immediately.
   *
   * @return whether the target is silent
   */
  private boolean isKeptInSilence(PendingCall call) {
    OptionalLong silentNanos = health.silentNanos(nanoTime.getAsLong());
    if (silentNanos.isEmpty()) {
      return false;
    }
    String problem = problem(silentNanos.orElseThrow());
    if (retired
        || isTooLong(silentNanos.orElseThrow())
        || !call.request().waitsForTarget()
        || call.request().request() instanceof ListRequest) {
      giveUp(call, problem);
    } else {
      deferred.add(call, problem);
    }
    return true;
  }

  private boolean isTooLong(long silentNanos) {
    return silentNanos >= limits.targetWaitMax().toNanos();
  }

  private static String problem(long silentNanos) {
    return "has not answered for " + TimeUnit.NANOSECONDS.toMillis(silentNanos) + " ms";
  }

  /** Reports the calls in flight while there are no replies; returns those of all event loops. */
  private int countUnanswered(int calls) {
    int change = calls - unanswered;
    unanswered = calls;
    return health.countUnanswered(change);
  }

  private @Nullable RelayConnection nextIdle() {
    RelayConnection free = idle.poll();
    while (free != null && !free.isOpen()) {
      free = idle.poll();
    }
    return free;
  }

  private void connect(PendingCall call) {
    RelayConnection connection = new RelayConnection(this);
    open.add(connection);
    connecting.put(connection, call);
    connector
        .connect(connection, connection.readSizes())
        .addListener(made -> {
          PendingCall due = connecting.remove(connection);
          if (made.isSuccess()) {
            health.connected(connection.isEncrypted());
            connection.connected();
            if (connection.isEncrypted()) {
              received(now()); // The target has taken part in the handshake.
            }
            begin(connection, due);
            deferred.targetIsThere();
          } else {
            Throwable cause = connection.causeOr(made.cause());
            health.notConnected(cause);
            closed(connection);
            if (due != null) {
              notTaken(due, ConnectionFailures.notConnected(cause));
            }
          }
        });
  }

  /** Notes that a connection failed between its handshake and the first reply. */
  void notAccepted(Throwable cause) {
    health.notConnected(cause);
  }

  /**
   * Handles a call that the target has not read. No byte of the call's body has been read either.
   */
  void notTaken(PendingCall call, String problem) {
    if (retired || !call.request().waitsForTarget()) {
      giveUp(call, problem);
    } else if (!isKeptInSilence(call)) {
      deferred.add(call, problem);
    }
  }

  private void giveUp(PendingCall call, String problem) {
    Deadline deadline = call.request().deadline();
    call.fail(deadline.hasPassed() ? deadline.refusal() : unavailable(problem));
  }

  /** Notes that the target has replied to a call. */
  void replied(long nanos) {
    repliedNanos = nanos;
  }

  /** Notes that bytes of a reply have arrived. The next check reports them. */
  void received(long nanos) {
    receivedNanos = nanos;
  }

  /** Whether many bytes wait for slow clients. */
  boolean isCrowded() {
    return crowded.getAsBoolean();
  }

  /** The time by the client's clock. */
  long now() {
    return nanoTime.getAsLong();
  }

  /** Reuses or keeps a connection after its call has ended. */
  void freed(RelayConnection connection) {
    PendingCall next = waiting.next();
    while (next != null && !hasBegun(next)) {
      next = waiting.next();
    }
    if (next != null) {
      connection.start(next);
    } else if (retired) {
      connection.abort();
    } else {
      idle.push(connection);
    }
  }

  /**
   * Stops keeping connections, because no more calls go to this address. Calls in progress continue
   * to their end.
   */
  void retire() {
    retired = true;
    List.copyOf(idle).forEach(RelayConnection::abort);
  }

  /** Removes a connection that is closed or could not be opened. */
  void closed(RelayConnection connection) {
    open.remove(connection);
    idle.remove(connection);
    PendingCall next = waiting.next();
    if (next != null) {
      call(next);
    }
  }

  Failure unavailable(String problem) {
    return ConnectionFailures.unavailable(name.get(), problem);
  }

  /**
   * Logs the end of the periodic check. The check ends because of a defect, or with the event loop.
   */
  private void watchEnded(Future<?> watch) {
    if (!watch.isCancelled()) {
      LOG.error("timeouts of calls to target {} are no longer checked", address(), watch.cause());
    }
  }

  /**
   * Closes silent connections, and fails calls that have waited too long for a connection or for a
   * silent target.
   */
  private void check() {
    long now = nanoTime.getAsLong();
    for (RelayConnection connection : List.copyOf(open)) {
      connection.checkSilence(now, limits.idleTimeoutMax().toNanos());
    }
    endWaiting(now);
    checkTarget(now);
    if (retired && open.isEmpty() && waiting.isEmpty() && deferred.isEmpty()) {
      watch.cancel(false);
    }
  }

  /** Has the target probed if calls await it. Ends their wait, or the wait of deferred calls. */
  private void checkTarget(long now) {
    health.received(receivedNanos);
    int awaiting = 0;
    long sinceNanos = now;
    for (RelayConnection connection : open) {
      if (connection.isAwaiting()) {
        awaiting++;
        sinceNanos =
            connection.movedNanos() - sinceNanos < 0 ? connection.movedNanos() : sinceNanos;
      }
    }
    boolean quiet = now - sinceNanos >= TargetHealth.QUIET_NANOS;
    if (quiet) {
      health.awaited(sinceNanos);
    }
    boolean wasSilent = silent;
    OptionalLong silentNanos = health.silentNanos(now);
    silent = silentNanos.isPresent();
    guarded = silent || (quiet && now - repliedNanos >= TargetHealth.QUIET_NANOS);
    countUnanswered(guarded ? awaiting : 0);
    if (silent && isTooLong(silentNanos.orElseThrow())) {
      giveUpAll(problem(silentNanos.orElseThrow()));
    } else if (silent) {
      giveUpThoseThatDoNotWait(problem(silentNanos.orElseThrow()));
    } else if (wasSilent && !silent) {
      deferred.targetIsThere();
    }
  }

  /** Fails the calls that another target may answer. */
  private void giveUpThoseThatDoNotWait(String problem) {
    for (RelayConnection connection : List.copyOf(open)) {
      if (connection.isAwaiting() && !connection.waitsForTarget()) {
        connection.giveUp(problem);
      }
    }
    waiting.take(call -> !call.request().waitsForTarget()).forEach(call -> giveUp(call, problem));
  }

  /** Fails all calls that wait for the target. */
  private void giveUpAll(String problem) {
    List<PendingCall> queued = waiting.take(call -> true);
    for (RelayConnection connection : List.copyOf(open)) {
      if (connection.isAwaiting()) {
        connection.giveUp(problem);
      }
    }
    deferred.giveUpAll(problem);
    queued.forEach(call -> giveUp(call, problem));
  }

  /**
   * Fails the calls that have waited too long for a free connection, for a new one, or beyond their
   * deadline. A handshake may take longer than a call may wait.
   */
  private void endWaiting(long now) {
    for (PendingCall call :
        waiting.take(each -> isLate(each, now, each.sinceNanos(), limits.waitMax()))) {
      Deadline deadline = call.request().deadline();
      call.fail(deadline.hasPassed() ? deadline.refusal() : noConnection());
    }
    for (var each : List.copyOf(connecting.entrySet())) {
      PendingCall call = each.getValue();
      Duration max = call.request().waitsForTarget() ? MemberTls.HANDSHAKE_MAX : READY_MAX;
      if (isLate(call, now, each.getKey().movedNanos(), limits.connectTimeoutMax().plus(max))) {
        connecting.remove(each.getKey());
        giveUp(call, "was not ready for calls in time");
      }
    }
  }

  private static boolean isLate(PendingCall call, long now, long sinceNanos, Duration max) {
    return call.request().deadline().hasPassed() || now - sinceNanos > max.toNanos();
  }

  private Failure noConnection() {
    return new Failure.Overloaded(
        "No connection to "
            + name.get()
            + " became free within "
            + limits.waitMax().toMillis()
            + " ms (limit "
            + limits.connectionsMax()
            + " connections); retry later.");
  }
}
