package dev.tarn.standalone.command;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.admin.AdminConfig;
import dev.tarn.gateway.admin.AdminParts;
import dev.tarn.gateway.admin.AdminServer;
import dev.tarn.gateway.admin.Identities;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.auth.Credential;
import dev.tarn.gateway.auth.SignatureAuthenticator;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import dev.tarn.standalone.node.FirstAdmin;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A control plane of its own behind the admin API, without any node. */
final class AdministeredControl implements AutoCloseable {
  private static final KeyPair PAIR = new KeyPair("ADMINSKEY", "the-admins-secret");

  private final Vertx vertx = Vertx.vertx();
  private final Path credentials;
  private final MemoryControlPlane log = new MemoryControlPlane();
  private final URI url;

  AdministeredControl(Path folder) throws Exception {
    this(folder, 0, log -> log);
  }

  /** Listens at this port; the API sees the log as the view shows it. */
  AdministeredControl(Path folder, int port, View view) throws Exception {
    credentials =
        Files.writeString(
            folder.resolve("credentials"),
            "aws_access_key_id = %s\naws_secret_access_key = %s\n"
                .formatted(PAIR.accessKey(), PAIR.secretKey()));
    Identities identities = new Identities(new SecureRandom());
    InstantSource clock = InstantSource.system();
    new FirstAdmin(log, identities, clock).ensure(Optional.of(PAIR), folder.resolve("none"));
    ControlPlane control = view.of(log);
    AdminParts parts =
        new AdminParts(
            "test",
            new SignatureAuthenticator(
                id -> Credential.find(log.state(), id), Addressing.PATH_STYLE),
            control,
            BucketSettings.PRIMARY,
            new BucketDeletion(control, new MemoryTarget(), clock),
            new BucketEviction(new MemoryTarget()),
            new NoScrubbing(),
            () -> new NodeStatus("control", 0, List.of()),
            Optional::empty,
            ClusterProfile.of(new IoProfile(clock)),
            () -> true,
            () -> "",
            identities,
            clock);
    AdminConfig config = AdminConfig.of(port, Optional.empty());
    AdminServer server =
        AdminServer.start(vertx, config, parts).toCompletionStage().toCompletableFuture().join();
    url = URI.create("http://127.0.0.1:" + server.port());
  }

  /** How the API sees the log. */
  interface View {
    ControlPlane of(MemoryControlPlane log);
  }

  void announce(String id, String... disks) {
    List<AnnouncedTarget.Disk> announced =
        Stream.of(disks).map(disk -> new AnnouncedTarget.Disk(new DiskId(disk), 3L << 30)).toList();
    submit(
        new Command.AnnounceTarget(
            1,
            new AnnouncedTarget(
                new TargetId(id), List.of(new TargetAddress(id + ".example", 9100)), announced)));
  }

  void createBucket(String name) {
    String admin = log.state().users().iterator().next().id();
    submit(new Command.CreateBucket(1, name, admin, BucketSettings.PRIMARY));
  }

  private void submit(Command command) {
    CommandOutcome outcome = log.submit(command).toCompletableFuture().join();
    if (!(outcome instanceof CommandOutcome.Applied)) {
      throw new IllegalStateException(outcome.toString());
    }
  }

  RunningTarn.Result run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--admin-url", url.toString(), "--credentials", credentials.toString()));
    return RunningTarn.execute(all.toArray(String[]::new));
  }

  @Override
  public void close() throws IOException {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private static final class NoScrubbing implements Scrubbing {
    @Override
    public void start() {}

    @Override
    public Optional<Report> report() {
      return Optional.empty();
    }
  }
}
