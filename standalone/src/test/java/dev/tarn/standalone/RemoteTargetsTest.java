package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.config.TarnConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteTargetsTest {
  @ParameterizedTest
  @CsvSource({"5s, PT10S", "1m, PT2M", "20m, PT40M", "24h, P2D"})
  void clientThatMayPauseKeepsItsConnectionToTheTarget(String pause, Duration idle)
      throws Exception {
    Settings settings =
        Settings.none()
            .with("gateway.limits.progress-period", pause, "test")
            .with("gateway.limits.stalled-max", "24h", "test");
    TarnConfig config = ConfigBinder.bind(TarnConfig.defaults(Path.of("data")), settings).value();

    assertThat(RemoteTargets.limits(config).idleTimeoutMax()).isEqualTo(idle);
  }

  @ParameterizedTest
  @CsvSource({"1m, 1m, PT3M", "1m, 1h, PT1H1M", "24h, 24h, P2DT1M"})
  void targetKeepsTheConnectionOfAClientThatIsStalled(String pause, String stalled, Duration idle)
      throws Exception {
    Settings settings =
        Settings.none()
            .with("gateway.limits.progress-period", pause, "test")
            .with("gateway.limits.stalled-max", stalled, "test");
    TarnConfig config = ConfigBinder.bind(TarnConfig.defaults(Path.of("data")), settings).value();

    assertThat(InternalListener.idleMax(config)).isEqualTo(idle);
  }

  @Test
  void plainMemberAtTheAddressOfAFormerTargetWithTlsIsCalledInTheClear() throws Exception {
    MemoryControlPlane control = new MemoryControlPlane();
    try (ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + socket.getLocalPort();
      announceWithTls(control, "former", address);
      announced(control, "t1", address);
      control.submit(new Command.SetMembers(2, Set.of(new TargetId("t1"))));
      CompletableFuture<Integer> firstByte = CompletableFuture.supplyAsync(() -> accept(socket));
      try (RemoteTargets targets = targets(control)) {
        assertThat(targets.status()).hasSize(1);
        assertThat(firstByte.join()).isEqualTo((int) 'P'); // of POST
      }
    }
  }

  /** Reads the first byte of a connection and closes it. */
  private static int accept(ServerSocket socket) {
    try (Socket connection = socket.accept()) {
      return connection.getInputStream().read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void addressThatAMemberHasLeftIsNotCalled() throws Exception {
    MemoryControlPlane control = new MemoryControlPlane();
    announceWithTls(control, "t1", "localhost:9");
    control.submit(new Command.SetMembers(2, Set.of(new TargetId("t1"))));
    MapTarget before = control.state().map().orElseThrow().targets().get(0);
    announceWithTls(control, "t1", "localhost:10");
    try (RemoteTargets targets = targets(control)) {
      assertThat(refusal(targets.target(before)))
          .isEqualTo(
              "A former target cannot be called: no member of the cluster has announced this"
                  + " address.");
    }
  }

  private static RemoteTargets targets(ControlPlane control) throws Exception {
    Settings settings = Settings.none().with("gateway.limits.target-wait-max", "1s", "test");
    TarnConfig config = ConfigBinder.bind(TarnConfig.defaults(Path.of("data")), settings).value();
    Capabilities capabilities =
        new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system());
    return new RemoteTargets(config, control, capabilities, LoneMember.tls());
  }

  private static void announceWithTls(ControlPlane control, String id, String address) {
    AnnouncedTarget.Disk disk = new AnnouncedTarget.Disk(new DiskId("disk-of-" + id), 8);
    control.submit(
        new Command.AnnounceTarget(
            1,
            new AnnouncedTarget(
                new TargetId(id),
                List.of(TargetAddress.parse(address)),
                List.of(disk),
                true,
                Optional.empty())));
  }

  private static void announced(ControlPlane control, String id, String address) {
    AnnouncedTarget.Disk disk = new AnnouncedTarget.Disk(new DiskId("disk-of-" + id), 8);
    List<TargetAddress> addresses = List.of(TargetAddress.parse(address));
    control.submit(
        new Command.AnnounceTarget(
            1, new AnnouncedTarget(new TargetId(id), addresses, List.of(disk))));
  }

  private static String refusal(ObjectTarget target) {
    CallScope scope = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
    Outcome<ObjectHead> outcome =
        target
            .call(Head.ofWhole(scope, ObjectKey.of("key"), Optional.empty()))
            .toCompletableFuture()
            .join();
    return ((Outcome.Failed<ObjectHead>) outcome).failure().message();
  }
}
