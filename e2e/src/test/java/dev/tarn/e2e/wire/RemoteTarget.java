package dev.tarn.e2e.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.memory.MemoryControlPlane;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.server.DirectReadFigures;
import dev.tarn.transport.server.TargetServer;
import dev.tarn.transport.server.TargetServerConfig;
import dev.tarn.transport.server.TargetServices;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.transport.relay.RelayClient;
import dev.tarn.transport.relay.RelayLimits;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A target behind a server and a client of the HTTP binding, in one process. */
final class RemoteTarget {
  static final Capabilities CAPABILITIES =
      new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system());

  private final Vertx vertx;
  private final ObjectTarget served;
  private final AtomicLong mapEpoch = new AtomicLong(1);
  private @Nullable TargetServer server;
  private @Nullable ObjectTarget target;

  RemoteTarget(Vertx vertx, ObjectTarget served) {
    this.vertx = vertx;
    this.served = served;
  }

  void start() {
    TargetServer started =
        TargetServer.start(
                vertx,
                TargetServerConfig.LOCAL,
                TargetServices.ofObjects(served),
                CAPABILITIES,
                new CallJudge(ClusterView.of(new MemoryControlPlane(), mapEpoch::get)))
            .toCompletableFuture()
            .join();
    server = started;
    target = new HttpTarget(new RelayClient(vertx, RelayLimits.DEFAULT), address(), CAPABILITIES);
  }

  AtomicLong mapEpoch() {
    return mapEpoch;
  }

  TargetAddress address() {
    return new TargetAddress("127.0.0.1", requireNonNull(server, "not started").port());
  }

  DirectReadFigures directReads() {
    return requireNonNull(server, "not started").directReads();
  }

  ObjectTarget target() {
    return requireNonNull(target, "not started");
  }
}
