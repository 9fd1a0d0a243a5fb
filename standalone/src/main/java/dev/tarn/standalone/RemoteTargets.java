package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.route.HttpTarget;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.gateway.route.SettingsPublisher;
import dev.tarn.gateway.route.TransportLimits;
import dev.tarn.gateway.route.VertxTransport;
import dev.tarn.standalone.config.ClusterConfig;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The targets of the cluster, each in a process of its own. */
final class RemoteTargets implements Targets {
  private final CurrentMap map;
  private final Vertx vertx = Vertx.vertx();
  private final Map<TargetId, ObjectTarget> targets = new HashMap<>();
  private final SettingsPublisher publisher;

  RemoteTargets(ClusterConfig cluster, ControlPlane control, Capabilities capabilities) {
    this.map = new CurrentMap(cluster.map());
    VertxTransport transport = new VertxTransport(vertx, TransportLimits.DEFAULT);
    for (MapTarget member : map.get().targets()) {
      targets.put(member.id(), new HttpTarget(transport, member.addresses().get(0), capabilities));
    }
    this.publisher = new SettingsPublisher(control, map.get().targets(), transport, capabilities);
  }

  @Override
  public CurrentMap map() {
    return map;
  }

  @Override
  public ObjectTarget target(TargetId id) {
    return requireNonNull(targets.get(id), "no such target");
  }

  @Override
  public Refresh refresh() {
    return publisher;
  }

  @Override
  public ControlPlane control() {
    return publisher.controlPlane();
  }

  /** None from here: each target scrubs its own disks. */
  @Override
  public Scrubbing scrubs() {
    return Scrubbing.none();
  }

  @Override
  public List<NodeStatus.Target> status() {
    return map.get().targets().stream().map(RemoteTargets::status).toList();
  }

  private static NodeStatus.Target status(MapTarget member) {
    return new NodeStatus.Target(
        member.id().value(),
        member.addresses().get(0).toString(),
        member.state() == MemberState.IN_SERVICE ? "in service" : "out of service",
        List.of());
  }

  @Override
  public void close() {
    publisher.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
