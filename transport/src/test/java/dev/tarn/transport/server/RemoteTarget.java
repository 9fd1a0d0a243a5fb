package dev.tarn.transport.server;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.TargetReport;
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
  private final ObjectTarget served;
  private final CallAdmission admission;
  private final Optional<MemberTls> tls;
  private @Nullable TargetServer server;
  private @Nullable ObjectTarget target;

  /** A target that carries out every call with a valid capability. */
  public RemoteTarget(Vertx vertx, ObjectTarget served) {
    this(vertx, served, new Permissive());
  }

  /** A target whose server and client have this identity. */
  public RemoteTarget(Vertx vertx, ObjectTarget served, MemberTls tls) {
    this(vertx, served, new Permissive(), Optional.of(tls));
  }

  /** A target that carries out the calls that are admitted. */
  public RemoteTarget(Vertx vertx, ObjectTarget served, CallAdmission admission) {
    this(vertx, served, admission, Optional.empty());
  }

  private RemoteTarget(
      Vertx vertx, ObjectTarget served, CallAdmission admission, Optional<MemberTls> tls) {
    this.tls = tls;
    this.vertx = vertx;
    this.served = served;
    this.admission = admission;
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
                services(served),
                CAPABILITIES,
                admission)
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
  public static TargetServices services(ObjectTarget objects) {
    return new TargetServices(objects, new Silent());
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
  }

  private static final class Permissive implements CallAdmission {
    @Override
    public CompletionStage<Optional<Failure>> refuse(TargetRequest<?> request) {
      return completedFuture(Optional.empty());
    }

    @Override
    public Optional<Failure> refuseOutdated(TargetRequest.Get request) {
      return Optional.empty();
    }
  }
}
