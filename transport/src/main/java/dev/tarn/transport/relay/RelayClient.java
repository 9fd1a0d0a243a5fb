package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.transport.body.StreamWriter;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends encoded calls to targets over kept HTTP/1.1 connections. Each event loop has its own
 * connections, within limits.
 *
 * <p>A call from an event loop stays on that event loop. One thread moves the bytes of the answer
 * from the target's socket to the client's socket, in the buffers that they were read into. A
 * general HTTP client copies every buffer and creates objects for every header; both cost more than
 * the rest of the relay.
 */
public final class RelayClient {
  private final VertxInternal own;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final BooleanSupplier crowded;
  private final KnownTargets known;
  private final AtomicInteger waiting = new AtomicInteger();
  private final TargetHealth.Totals totals = new TargetHealth.Totals();
  private final Map<LoopTarget, LoopConnections> loops = new ConcurrentHashMap<>();
  private final Map<TargetAddress, TargetHealth> healths = new ConcurrentHashMap<>();

  private record LoopTarget(EventLoop loop, TargetAddress address) {}

  /** Creates a client with these limits, for targets that take calls in the clear. */
  public RelayClient(Vertx vertx, RelayLimits limits) {
    this(vertx, limits, address -> Optional.empty());
  }

  /**
   * Creates a client with these limits.
   *
   * @param vertx carries the calls that do not come from an event loop
   * @param known is asked for each new connection
   */
  public RelayClient(Vertx vertx, RelayLimits limits, KnownTargets known) {
    this(vertx, limits, known, System::nanoTime, StreamWriter::isCrowded);
  }

  RelayClient(Vertx vertx, RelayLimits limits, LongSupplier nanoTime) {
    this(vertx, limits, nanoTime, () -> false);
  }

  /**
   * Creates a client for a test.
   *
   * @param crowded whether many bytes wait for slow clients
   */
  RelayClient(Vertx vertx, RelayLimits limits, LongSupplier nanoTime, BooleanSupplier crowded) {
    this(vertx, limits, address -> Optional.empty(), nanoTime, crowded);
  }

  RelayClient(
      Vertx vertx,
      RelayLimits limits,
      KnownTargets known,
      LongSupplier nanoTime,
      BooleanSupplier crowded) {
    this.known = requireNonNull(known, "known is null");
    this.crowded = requireNonNull(crowded, "crowded is null");
    this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    this.own = (VertxInternal) requireNonNull(vertx, "vertx is null");
    this.limits = requireNonNull(limits, "limits is null");
  }

  /**
   * Sends a call and returns its answer. Without an answer, the outcome is {@link
   * dev.tarn.cluster.target.Failure.Unavailable}.
   */
  public CompletionStage<Outcome<RelayReply>> call(TargetAddress address, RelayRequest request) {
    PendingCall call =
        new PendingCall(request, new CompletableFuture<>(), nanoTime.getAsLong(), false);
    ContextInternal here = eventLoopHere();
    if (here != null) {
      connections(here.owner(), here.nettyEventLoop(), address).call(call);
    } else {
      EventLoop any = own.nettyEventLoopGroup().next();
      any.execute(() -> connections(own, any, address).call(call));
    }
    return call.reply();
  }

  /** The event loop of this thread; null if this thread is not an event loop. */
  private static @Nullable ContextInternal eventLoopHere() {
    Context context = Vertx.currentContext();
    return context instanceof ContextInternal known && known.nettyEventLoop().inEventLoop()
        ? known
        : null;
  }

  /** The name of the target at an address in messages. */
  String nameOf(TargetAddress address) {
    return known.nameOf(address);
  }

  private LoopConnections connections(VertxInternal vertx, EventLoop loop, TargetAddress address) {
    LoopTarget key = new LoopTarget(loop, address);
    LoopConnections known = loops.get(key);
    return known != null
        ? known
        : loops.computeIfAbsent(
            key,
            made ->
                new LoopConnections(
                    connector(vertx, loop, address),
                    () -> nameOf(address),
                    limits,
                    nanoTime,
                    crowded,
                    waiting,
                    health(address)));
  }

  private TargetHealth health(TargetAddress address) {
    return healths.computeIfAbsent(
        address,
        made -> {
          EventLoop any = own.nettyEventLoopGroup().next();
          return new TargetHealth(connector(own, any, address), limits, nanoTime, totals);
        });
  }

  private Connector connector(VertxInternal vertx, EventLoop loop, TargetAddress address) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(vertx.transport().channelFactory(false))
            .resolver(vertx.nameResolver().nettyAddressResolverGroup())
            .remoteAddress(address.host(), address.port())
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                Math.toIntExact(limits.connectTimeoutMax().toMillis()))
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    return new Connector(bootstrap, address, known);
  }

  /** Whether the target at this address answers neither calls nor probes. */
  public boolean isSilent(TargetAddress address) {
    TargetHealth known = healths.get(address);
    return known != null && known.isSilent();
  }

  /** Whether the target at this address is silent or accepts no connections. */
  public boolean isAway(TargetAddress address) {
    TargetHealth known = healths.get(address);
    return known != null && known.isAway();
  }

  /** How many calls wait for targets that are away or silent. */
  public int waitingCalls() {
    return totals.waiting().get();
  }

  /** How many targets answer neither calls nor probes. */
  public long silentTargets() {
    return healths.values().stream().filter(TargetHealth::isSilent).count();
  }

  /** How often a target was found to be silent since this client was created. */
  public long silences() {
    return totals.silences().sum();
  }

  /**
   * Closes the connections to all other addresses. Each connection is closed when its call has
   * ended. A later call to such an address opens a new connection.
   */
  public void keepOnly(Set<TargetAddress> addresses) {
    healths.forEach((address, health) -> {
      if (!addresses.contains(address) && healths.remove(address, health)) {
        health.retire();
      }
    });
    loops.forEach((key, connections) -> {
      if (!addresses.contains(key.address())) {
        // Calls look up their connections on this event loop, so no call uses retired connections.
        key.loop()
            .execute(() -> {
              loops.remove(key, connections);
              connections.retire();
            });
      }
    });
  }
}
