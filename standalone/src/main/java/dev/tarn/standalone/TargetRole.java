package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.profile.IoProfile;
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
    Optional<OwnIdentity> identity =
        start.config().cluster().tls()
            ? Optional.of(OwnIdentity.of(start, secrets, List.of(reachedAt)))
            : Optional.empty();
    OwnIdentity.register(start, identity);
    Optional<MemberTls> tls = identity.map(OwnIdentity::tls);
    RemoteControlPlane control =
        start.parts().add(FollowedControl.open(start, secrets, Audience.TARGET));
    OwnTarget own =
        start
            .parts()
            .add(OwnTarget.openMember(start.config(), start.data(), control, start.metrics()));
    TargetMembership membership = start.parts().add(own.membership(start.clock()));
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
                    Optional::empty,
                    new ClusterProfile(new IoProfile(start.clock()), own::traffic),
                    () -> membership.notReady().isEmpty(),
                    own.scrape(start.metrics())));
    URI adminUrl = admin.start();
    TargetServices services = new TargetServices(own.target(), own.administration());
    InternalListener listener =
        start
            .parts()
            .add(
                InternalListener.start(
                    start.config(), tls, services, new Capabilities(secrets, start.clock())));
    DirectReadMetrics.register(listener.directReads(), start.metrics());
    FollowedControl.awaitKnown(control);
    membership.announce(
        TargetMembership.address(advertise, host, listener.port()),
        tls.map(_ -> new TargetAddress(reachedAt, listener.readPort())));
    String scheme = tls.isPresent() ? "https" : "http";
    URI url = Listening.url(scheme, host, listener.port());
    return new Serving(ReadyLine.Listener.TARGET, url, admin, adminUrl, Optional.empty());
  }
}
