package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Outcome;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Kept connections to targets, bounded, of each event loop its own.
 *
 * <p>A call that is made on an event loop stays there: the bytes of its answer go from the target's
 * socket to the client's on one thread and in the buffers that they were read into. That, and a
 * head that is read by hand, is why this is no general HTTP client: one copies every buffer and
 * costs more than all the rest of the way.
 */
public final class RelayPool {
  private final VertxInternal own;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger waitingForTargets = new AtomicInteger();
  private final Map<Place, LoopConnections> loops = new ConcurrentHashMap<>();

  private record Place(EventLoop loop, TargetAddress address) {}

  /**
   * Connects within limits.
   *
   * @param vertx carries the calls that are not made on an event loop
   * @param nanoTime by which calls wait, as {@link System#nanoTime}
   */
  public RelayPool(Vertx vertx, RelayLimits limits, LongSupplier nanoTime) {
    this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    this.own = (VertxInternal) requireNonNull(vertx, "vertx is null");
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** Sends a request and gives its answer, or why there is none. */
  public CompletionStage<Outcome<HopAnswer>> call(TargetAddress address, HopRequest request) {
    PendingCall call =
        new PendingCall(request, new CompletableFuture<>(), nanoTime.getAsLong(), false);
    ContextInternal here = eventLoopHere();
    if (here != null) {
      loop(here.owner(), here.nettyEventLoop(), address).call(call);
    } else {
      EventLoop any = own.nettyEventLoopGroup().next();
      any.execute(() -> loop(own, any, address).call(call));
    }
    return call.answer();
  }

  /** Null where this thread is no event loop. */
  private static @Nullable ContextInternal eventLoopHere() {
    Context context = Vertx.currentContext();
    return context instanceof ContextInternal known && known.nettyEventLoop().inEventLoop()
        ? known
        : null;
  }

  private LoopConnections loop(VertxInternal vertx, EventLoop loop, TargetAddress address) {
    Place place = new Place(loop, address);
    LoopConnections known = loops.get(place);
    return known != null
        ? known
        : loops.computeIfAbsent(
            place,
            made ->
                new LoopConnections(
                    vertx, loop, address, limits, nanoTime, waiting, waitingForTargets));
  }

  /**
   * Lets go of the connections to all other addresses: each as soon as its call has ended. A call
   * to one of them that comes all the same is made.
   */
  public void keepOnly(Set<TargetAddress> addresses) {
    loops.forEach((place, connections) -> {
      if (!addresses.contains(place.address())) {
        // On its loop, where calls look their connections up: none is made on what has ended.
        place
            .loop()
            .execute(() -> {
              loops.remove(place, connections);
              connections.retire();
            });
      }
    });
  }
}
