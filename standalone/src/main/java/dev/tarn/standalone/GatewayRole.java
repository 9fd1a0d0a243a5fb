package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.local.LocalControlPlane;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.GatewayConfig;
import dev.tarn.gateway.GatewayServer;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.metrics.ClusterViewMetrics;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** Speaks S3: with the target and the control plane in this process, or with those of a cluster. */
final class GatewayRole {
  private GatewayRole() {}

  /** Everything in one process. */
  static Serving startAlone(Start start) throws StartFailure {
    Listening.requireFiles("gateway.tls", start.config().gateway().tls());
    LocalControlPlane control = start.parts().add(LocalControl.open(start.data()));
    Optional<KeyPair> made = LocalControl.ensureAdmin(start, control);
    OwnTarget own =
        start.parts().add(OwnTarget.open(start.config(), start.data(), control, start.metrics()));
    S3Listener listener = new S3Listener(start, own, () -> true);
    URI adminUrl = listener.admin.start();
    return listener.open(adminUrl, made);
  }

  /** A member of a cluster. */
  static Serving startMember(Start start) throws StartFailure {
    Listening.requireFiles("gateway.tls", start.config().gateway().tls());
    ClusterSecrets secrets = ClusterAccess.secrets(start.config().cluster());
    OwnIdentity identity = OwnIdentity.of(start, secrets, List.of());
    OwnIdentity.register(start, Optional.of(identity));
    RemoteControlPlane control =
        start.parts().add(FollowedControl.open(start, secrets, Audience.GATEWAY));
    RemoteTargets targets =
        start
            .parts()
            .add(
                new RemoteTargets(
                    start.config(),
                    control,
                    new Capabilities(secrets, start.clock()),
                    identity.tls()));
    S3Listener listener = new S3Listener(start, targets, control::isKnown);
    // The admin listener starts first: it answers probes during the wait for the control plane.
    URI adminUrl = listener.admin.start();
    FollowedControl.awaitKnown(control);
    return listener.open(adminUrl, Optional.empty());
  }

  /** The S3 listener and the admin listener of a gateway. */
  private static final class S3Listener {
    private final GatewayConfig config;
    private final GatewayServer gateway;
    private final AdminListener admin;
    private volatile Optional<URI> opened = Optional.empty();

    S3Listener(Start start, Targets targets, BooleanSupplier ready) throws StartFailure {
      config = start.config().gateway();
      ClusterViewMetrics.register(start.metrics(), targets.control(), targets.map());
      ObjectTarget target =
          new ClusterTarget(
              targets.map(),
              targets::target,
              targets.control(),
              start.parts().add(Executors.newVirtualThreadPerTaskExecutor()),
              Duration.ofMillis(config.limits().callBeginMsMax()));
      gateway =
          start
              .parts()
              .add(
                  new GatewayServer(
                      config, targets.control(), target, targets.tickets(), start.metrics()));
      String role = start.config().role().title();
      admin =
          start
              .parts()
              .add(
                  new AdminListener(
                      start,
                      targets.control(),
                      target,
                      targets.scrubs(),
                      () -> new NodeStatus(role, targets.map().epoch(), targets.status()),
                      () -> opened,
                      new ClusterProfile(gateway.profile(), targets::traffic),
                      ready,
                      targets.scrape(start.metrics())));
    }

    /**
     * Opens the S3 listener. The admin listener is already open: if its address fails, no client
     * has been served.
     */
    Serving open(URI adminUrl, Optional<KeyPair> made) throws StartFailure {
      String scheme = config.tls().isPresent() ? "https" : "http";
      int port = listen();
      URI s3 = Listening.url(scheme, config.host(), port);
      opened = Optional.of(Listening.url(scheme, Listening.own(config.host()), port));
      return new Serving(ReadyLine.Listener.S3, s3, admin, adminUrl, made);
    }

    private int listen() throws StartFailure {
      try {
        return gateway.start();
      } catch (IllegalStateException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new StartFailure(Listening.explain(FailureHandler.message(e), "--listen", cause), e);
      }
    }
  }
}
