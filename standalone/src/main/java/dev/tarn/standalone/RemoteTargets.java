package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.route.HopTransport;
import dev.tarn.gateway.route.HttpTarget;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.gateway.route.SettingsPublisher;
import dev.tarn.gateway.route.TargetReports;
import dev.tarn.gateway.wire.HopLimits;
import dev.tarn.standalone.config.TarnConfig;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The targets of the cluster, each in a process of its own. */
final class RemoteTargets implements Targets {
  private final CurrentMap map;
  private final Vertx vertx = Vertx.vertx();
  private final Map<TargetId, ObjectTarget> targets = new HashMap<>();
  private final SettingsPublisher publisher;
  private final RemoteReports reports;

  RemoteTargets(TarnConfig config, ControlPlane control, Capabilities capabilities) {
    this.map = new CurrentMap(config.cluster().map());
    HopTransport transport = new HopTransport(vertx, limits(config));
    for (MapTarget member : map.get().targets()) {
      targets.put(member.id(), new HttpTarget(transport, member.addresses().get(0), capabilities));
    }
    TargetReports asking = new TargetReports(vertx, capabilities);
    this.reports = new RemoteReports(map.get().targets(), asking::report, asking::scrub);
    this.publisher = new SettingsPublisher(control, map.get().targets(), transport, capabilities);
  }

  /** Of the connections to targets, under which a gateway's slow client keeps its own. */
  static HopLimits limits(TarnConfig config) {
    long pauseMs = config.gateway().limits().progressPeriodMs();
    return HopLimits.DEFAULT.forClientsThatPause(Duration.ofMillis(pauseMs));
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

  /** Each scrubs its own disks. */
  @Override
  public Scrubbing scrubs() {
    return reports;
  }

  @Override
  public List<NodeStatus.Target> status() {
    return reports.status();
  }

  @Override
  public void close() {
    publisher.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
