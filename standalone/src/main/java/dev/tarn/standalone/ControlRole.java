package dev.tarn.standalone;

import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.local.LocalControlPlane;
import dev.tarn.cluster.control.remote.ControlService;
import dev.tarn.cluster.control.remote.GuardedControlPlane;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.standalone.config.ControlConfig;
import dev.tarn.standalone.config.Role;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;

/** Holds the control plane for the gateways and targets of the cluster. */
final class ControlRole {
  private ControlRole() {}

  static Serving start(Start start) throws StartFailure {
    ControlConfig config = start.config().control();
    Listening.requireFiles("control.tls", config.tls());
    MessageSeal seal =
        new MessageSeal(ClusterAccess.secrets(start.config().cluster()), start.clock());
    LocalControlPlane control = start.parts().add(LocalControl.open(start.data()));
    LocalControl.ensureClusterId(start, control);
    Optional<KeyPair> made = LocalControl.ensureAdmin(start, control);
    GuardedControlPlane guarded = new GuardedControlPlane(control);
    AdminListener admin =
        start
            .parts()
            .add(
                new AdminListener(
                    start,
                    guarded,
                    new NoObjects(),
                    new NoScrubbing(),
                    () -> status(control),
                    Optional::empty,
                    ClusterProfile.of(new IoProfile(start.clock())),
                    () -> true,
                    start.metrics()::scrape));
    URI adminUrl = admin.start();
    ControlService service =
        new ControlService(
            guarded,
            seal,
            start.clock(),
            start.parts().add(Executors.newVirtualThreadPerTaskExecutor()));
    ControlServer server = start.parts().add(ControlServer.start(config, service));
    String scheme = config.tls().isPresent() ? "https" : "http";
    URI url = Listening.url(scheme, config.host(), server.port());
    return new Serving(ReadyLine.Listener.CONTROL, url, admin, adminUrl, made);
  }

  /** Lists no targets; gateways report the status of targets. */
  private static NodeStatus status(ControlPlane control) {
    long epoch = control.state().map().map(map -> map.epoch()).orElse(0L);
    return new NodeStatus(Role.CONTROL.title(), epoch, List.of());
  }

  /** Reports that this role reaches no objects. */
  private static final class NoObjects implements ObjectTarget {
    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      return CompletableFuture.completedFuture(
          Outcome.failed(
              new Failure.Unavailable(
                  "The control node has no objects; ask the admin listener of a gateway.")));
    }
  }

  /** Reports that this role reaches no disks. */
  private static final class NoScrubbing implements Scrubbing {
    @Override
    public void start() {}

    @Override
    public Optional<Report> report() {
      return Optional.of(
          new Report(
              false,
              0,
              0,
              0,
              List.of(),
              0,
              List.of(
                  "all disks: the control node has none; ask the admin listener of a gateway")));
    }
  }
}
