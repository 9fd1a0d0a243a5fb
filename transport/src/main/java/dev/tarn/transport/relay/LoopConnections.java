package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one event loop to one target. Everything but the constructor runs on the event
 * loop.
 */
final class LoopConnections {
  private static final Logger LOG = LoggerFactory.getLogger(LoopConnections.class);

  /** The size of the buffer that one read from a socket fills. */
  private static final int READ_BYTES = 128 << 10;

  private static final long CHECK_PERIOD_MS_MAX = 1000;

  private final EventLoop loop;
  private final TargetAddress address;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final AtomicInteger waitingOverall;
  private final DeferredCalls deferred;
  private final Bootstrap bootstrap;
  private final Set<RelayConnection> open = new HashSet<>();
  private final Deque<RelayConnection> idle = new ArrayDeque<>();
  private final Queue<PendingCall> waiting = new ArrayDeque<>();
  private final ScheduledFuture<?> watch;
  private boolean retired;

  LoopConnections(
      VertxInternal vertx,
      EventLoop loop,
      TargetAddress address,
      RelayLimits limits,
      LongSupplier nanoTime,
      AtomicInteger waitingOverall,
      AtomicInteger deferredOverall) {
    this.loop = loop;
    this.address = address;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.waitingOverall = waitingOverall;
    this.deferred =
        new DeferredCalls(loop, limits, nanoTime, deferredOverall, this::callAgain, this::giveUp);
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(vertx.transport().channelFactory(false))
            .resolver(vertx.nameResolver().nettyAddressResolverGroup())
            .remoteAddress(address.host(), address.port())
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                Math.toIntExact(limits.connectTimeoutMax().toMillis()))
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES));
    long soonestMs = Math.min(limits.idleTimeoutMax().toMillis(), limits.waitMax().toMillis());
    long periodMs = Math.clamp(soonestMs / 4, 1, CHECK_PERIOD_MS_MAX);
    watch = loop.scheduleAtFixedRate(this::check, periodMs, periodMs, TimeUnit.MILLISECONDS);
    watch.addListener(this::watchEnded);
  }

  EventLoop loop() {
    return loop;
  }

  TargetAddress address() {
    return address;
  }

  /**
   * Sends a call on the most recently used free connection, on a new one, or on the next one that
   * is free.
   */
  void call(PendingCall call) {
    RelayConnection free = nextIdle();
    if (free != null) {
      free.start(call);
    } else if (open.size() < limits.connectionsMax()) {
      connect(call);
    } else if (waitingOverall.incrementAndGet() <= limits.waitingMax()) {
      waiting.add(call);
    } else {
      waitingOverall.decrementAndGet();
      call.fail(
          new Failure.Overloaded(
              "Too many calls wait for a connection to a target (limit "
                  + limits.waitingMax()
                  + "), one of them to "
                  + address
                  + "; retry later."));
    }
  }

  /**
   * Sends a call on a new connection. If one kept connection was closed, the others may be closed
   * too.
   */
  void callAgain(PendingCall call) {
    if (open.size() < limits.connectionsMax()) {
      connect(call);
    } else {
      call(call);
    }
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
    bootstrap
        .clone()
        .handler(connection)
        .connect()
        .addListener(connected -> {
          if (connected.isSuccess()) {
            connection.start(call);
            deferred.targetIsThere();
          } else {
            closed(connection);
            notTaken(call, "did not answer: " + connected.cause().getMessage());
          }
        });
  }

  /**
   * Handles a call that the target has not read. No byte of the call's body has been read either.
   */
  void notTaken(PendingCall call, String problem) {
    if (retired) {
      giveUp(call, problem);
    } else {
      deferred.add(call, problem);
    }
  }

  private void giveUp(PendingCall call, String problem) {
    Deadline deadline = call.request().deadline();
    call.fail(deadline.hasPassed() ? deadline.refusal() : unavailable(problem));
  }

  /** Reuses or keeps a connection after its call has ended. */
  void freed(RelayConnection connection) {
    PendingCall next = nextWaiting();
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
    PendingCall next = nextWaiting();
    if (next != null) {
      call(next);
    }
  }

  /** The next queued call with a caller that still waits. */
  private @Nullable PendingCall nextWaiting() {
    PendingCall next = waiting.poll();
    while (next != null) {
      waitingOverall.decrementAndGet();
      if (next.request().deadline().hasPassed()) {
        next.fail(next.request().deadline().refusal());
      } else if (!next.reply().isDone()) {
        return next;
      }
      next = waiting.poll();
    }
    return null;
  }

  Failure unavailable(String problem) {
    return new Failure.Unavailable("The target at " + address + " " + problem + ".");
  }

  /**
   * Logs the end of the periodic check. The check ends because of a defect, or with the event loop.
   */
  private void watchEnded(Future<?> watch) {
    if (!watch.isCancelled()) {
      LOG.error("timeouts of calls to target {} are no longer checked", address, watch.cause());
    }
  }

  /** Closes silent connections, and fails calls that have waited too long for a connection. */
  private void check() {
    for (RelayConnection connection : List.copyOf(open)) {
      connection.checkSilence(System.nanoTime(), limits.idleTimeoutMax().toNanos());
    }
    endWaiting(nanoTime.getAsLong());
    if (retired && open.isEmpty() && waiting.isEmpty()) {
      watch.cancel(false);
    }
  }

  /**
   * Fails the calls that have waited for a connection for too long, or beyond their deadline. All
   * of them are removed first, because a failed call may make its caller add the next one.
   */
  private void endWaiting(long now) {
    List<PendingCall> ended = new ArrayList<>();
    waiting.removeIf(call -> endsNow(call, now) && ended.add(call));
    waitingOverall.addAndGet(-ended.size());
    for (PendingCall call : ended) {
      Deadline deadline = call.request().deadline();
      call.fail(deadline.hasPassed() ? deadline.refusal() : noConnection());
    }
  }

  private boolean endsNow(PendingCall call, long now) {
    return call.request().deadline().hasPassed()
        || now - call.sinceNanos() > limits.waitMax().toNanos();
  }

  private Failure noConnection() {
    return new Failure.Overloaded(
        "No connection to the target at "
            + address
            + " became free within "
            + limits.waitMax().toMillis()
            + " ms (limit "
            + limits.connectionsMax()
            + " connections); retry later.");
  }
}
