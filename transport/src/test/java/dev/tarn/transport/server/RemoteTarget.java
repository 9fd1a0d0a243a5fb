package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.tls.MemberTls;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A target behind a server and a client of the HTTP binding, in one process. */
public final class RemoteTarget {
  /** The capabilities that the server and its client share. */
  public static final Capabilities CAPABILITIES =
      new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system());

  private final Vertx vertx;
  private final CallAdmission calls;
  private final Optional<MemberTls> tls;
  private @Nullable TargetServer server;
  private @Nullable ObjectTarget target;

  /** A target that carries out every call with a valid capability. */
  public RemoteTarget(Vertx vertx, ObjectTarget served) {
    this(vertx, new Permissive(served), Optional.empty());
  }

  /** A target whose server and client have this identity. */
  public RemoteTarget(Vertx vertx, ObjectTarget served, MemberTls tls) {
    this(vertx, new Permissive(served), Optional.of(tls));
  }

  /** A target that carries out the calls that are admitted. */
  public static RemoteTarget admitting(Vertx vertx, CallAdmission calls) {
    return new RemoteTarget(vertx, calls, Optional.empty());
  }

  private RemoteTarget(Vertx vertx, CallAdmission calls, Optional<MemberTls> tls) {
    this.tls = tls;
    this.vertx = vertx;
    this.calls = calls;
  }

  /** Starts the server. */
  public void start() {
    TargetServer started =
        TargetServer.start(
                vertx,
                new TargetServerConfig(
                    "127.0.0.1",
                    0,
                    1,
                    Duration.ofMinutes(1),
                    tls.map(member -> new TargetServerConfig.Tls(member, 0))),
                services(calls),
                CAPABILITIES)
            .toCompletableFuture()
            .join();
    server = started;
    target =
        new HttpTarget(
            PatientClients.over(vertx, PatientClients.LIMITS, called -> tls),
            address(),
            CAPABILITIES);
  }

  /** The server's address. */
  public TargetAddress address() {
    return new TargetAddress("127.0.0.1", requireNonNull(server, "not started").port());
  }

  /** The server's address for direct reads. */
  public TargetAddress readAddress() {
    return new TargetAddress("127.0.0.1", requireNonNull(server, "not started").readPort());
  }

  /** Counts of the server's direct reads. */
  public DirectReadFigures directReads() {
    return requireNonNull(server, "not started").directReads();
  }

  /** The client. */
  public ObjectTarget target() {
    return requireNonNull(target, "not started");
  }

  /** Serves only objects, without administration. */
  public static TargetServices services(CallAdmission calls) {
    return new TargetServices(calls, new Silent());
  }

  private static final class Silent implements TargetAdministration {
    @Override
    public TargetReport report() {
      throw new UnsupportedOperationException("this target serves objects alone");
    }

    @Override
    public TargetReport scrub() {
      return report();
    }

    @Override
    public TrafficHistory traffic(Optional<BucketId> bucket) {
      return TrafficHistory.NONE;
    }
  }

  private record Permissive(ObjectTarget target) implements CallAdmission {
    @Override
    public CompletionStage<Outcome<ObjectTarget>> admit(TargetRequest<?> request) {
      return completedFuture(Outcome.success(target));
    }

    @Override
    public CompletionStage<Outcome<ObjectTarget>> admitTicket(TargetRequest.Get read) {
      return admit(read);
    }
  }
}
