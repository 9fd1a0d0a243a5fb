package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.standalone.certificate.IdentityFile;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.membership.Member;
import dev.tarn.transport.server.TargetServices;
import dev.tarn.transport.tls.MemberTls;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Keeps objects for the gateways of the cluster. A target has no users: its admin API rejects every
 * signed request.
 */
final class TargetRole {
  private TargetRole() {}

  static Serving start(Start start) throws StartFailure {
    ClusterSecrets secrets = ClusterAccess.secrets(start.config().cluster());
    String host = start.config().gateway().host();
    Optional<String> advertise = start.config().cluster().advertise();
    String reachedAt = TargetMembership.host(advertise, host);
    if (start.config().cluster().tls() && !IdentityFile.isSignable(reachedAt)) {
      throw new StartFailure(
          "cluster.tls is on, but no certificate can be signed for the host '"
              + reachedAt
              + "' of this target; set cluster.advertise to a DNS name of letters, digits and"
              + " hyphens, or an address without leading zeros");
    }
    OwnIdentity identity = start.parts().add(OwnIdentity.of(start, List.of(reachedAt)));
    RemoteControlPlane control =
        start.parts().add(FollowedControl.open(start, secrets, Audience.TARGET, identity));
    OwnTarget own = start.parts().add(OwnTarget.openMember(start.config(), start.data(), control));
    TargetMembership membership = start.parts().add(own.membership());
    String role = start.config().role().title();
    AdminListener admin =
        start
            .parts()
            .add(
                new AdminListener(
                    start,
                    own.control(),
                    own.target(),
                    own.scrubs(),
                    () -> new NodeStatus(role, Member.mapEpoch(control), own.status()),
                    () -> membership.notReady().isEmpty(),
                    own.scrape(start.metrics())));
    URI adminUrl = admin.start();
    TargetServices services = new TargetServices(own.target(), own.administration());
    InternalListener listener =
        start
            .parts()
            .add(
                InternalListener.start(
                    start.config(),
                    tls(start, identity),
                    services,
                    new Capabilities(secrets, start.clock()),
                    own.judge()));
    DirectReadMetrics.register(listener.directReads(), start.metrics());
    FollowedControl.awaitKnown(control);
    membership.announce(
        TargetMembership.address(advertise, host, listener.port()),
        start.config().cluster().tls()
            ? Optional.of(new TargetAddress(reachedAt, listener.readPort()))
            : Optional.empty(),
        start.clock());
    String scheme = start.config().cluster().tls() ? "https" : "http";
    URI url = Listening.url(scheme, host, listener.port());
    return new Serving(ReadyLine.Listener.TARGET, url, admin, adminUrl, Optional.empty());
  }

  /** The TLS of the listener; waits for the first certificate, or a new one after it expired. */
  private static Optional<MemberTls> tls(Start start, OwnIdentity identity) throws StartFailure {
    return start.config().cluster().tls() ? Optional.of(identity.awaitUsable()) : Optional.empty();
  }
}
