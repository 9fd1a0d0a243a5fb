package dev.tarn.standalone.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.HttpControlTransport;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.fixtures.LoopbackTransport;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway asks its targets to scrub. */
class ScrubCommandTest {
  private static final byte[] SECRET = "x".repeat(32).getBytes(US_ASCII);
  private static final int EXTENT_BYTES = 300 << 10;
  private static final TargetId ONLY = new TargetId("only");

  @TempDir Path directory;

  @Test
  void scrubThatNoTargetHasHeardOfIsIncomplete() throws Exception {
    Settings cluster = cluster();
    Path controlData = directory.resolve("control");
    try (RunningTarn control =
        RunningTarn.start(
            controlData,
            cluster.with("role", "control", "test").with("control.port", "0", "test"))) {
      URI url = control.tarn().ready().url();
      makeMember(url, portOfNobody());
      Settings gatewaySettings =
          cluster.with("role", "gateway", "test").with("cluster.control", url.toString(), "test");
      try (RunningTarn gateway = RunningTarn.start(directory.resolve("gateway"), gatewaySettings)) {
        String credentials = controlData.resolve("credentials").toString();
        for (String[] scrub :
            new String[][] {
              {"scrub", "--credentials", credentials},
              {"scrub", "--report", "--credentials", credentials}
            }) {
          RunningTarn.Result result = gateway.run(scrub);

          assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
          assertThat(result.out()).contains("incomplete", "target only: does not answer: ");
        }
      }
    }
  }

  @Test
  void diskThatFailsIsNamedAndTheOtherIsStillScrubbed() throws Exception {
    Path data = directory.resolve("data");
    Path failing = directory.resolve("d1");
    Path working = directory.resolve("d2");
    Settings disks = Settings.none().with("disks", failing + "," + working, "test");
    try (RunningTarn server = RunningTarn.start(data, disks)) {
      KeyPair keys = KeyPair.requiredIn(data.resolve("credentials"), "the test");
      assertThat(server.run("bucket", "create", "data").exitCode()).isZero();
      StorageOptions options =
          StorageOptions.builder()
              .endpoint(server.tarn().ready().url())
              .credentials(AccessKeys.of(keys.accessKey(), keys.secretKey()))
              .build();
      try (Storage storage = Storage.open(options)) {
        while (extents(failing).isEmpty() || extents(working).isEmpty()) {
          StorageUrl url = StorageUrl.parse("s3://data/" + UUID.randomUUID());
          storage.write(url, ByteBuffer.allocate(EXTENT_BYTES));
        }
      }
      long onTheOther = extents(working).size();
      Path unreadable = extents(failing).getFirst();
      Files.delete(unreadable);
      Files.createDirectory(unreadable);

      RunningTarn.Result result = server.run("scrub", "--json");

      assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
      JsonObject report = new JsonObject(result.out());
      assertThat(report.getString("state")).isEqualTo("incomplete");
      assertThat(report.getJsonArray("unchecked").encode()).contains("disk ", "directory");
      assertThat(report.getLong("objects")).isGreaterThanOrEqualTo(onTheOther);
    }
  }

  private static List<Path> extents(Path disk) throws IOException {
    try (Stream<Path> files = Files.walk(disk)) {
      return files
          .filter(file -> file.toString().contains("/extents/"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  private static int portOfNobody() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Settings cluster() throws Exception {
    Path secret = Files.write(directory.resolve("secret"), SECRET);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    return Settings.none().with("cluster.secret-file", secret.toString(), "test");
  }

  private void makeMember(URI control, int port) throws Exception {
    MessageSeal seal = new MessageSeal(ClusterSecrets.of(SECRET), InstantSource.system());
    try (RemoteControlPlane plane =
        RemoteControlPlane.open(
            directory.resolve("member"),
            Audience.TARGET,
            new HttpControlTransport(control, Optional.empty()),
            seal,
            new LoopbackTransport.Silent())) {
      submit(
          plane,
          new Command.AnnounceTarget(
              1,
              new AnnouncedTarget(
                  ONLY,
                  List.of(new TargetAddress("127.0.0.1", port)),
                  List.of(new AnnouncedTarget.Disk(new DiskId("d1"), 1L << 40)))));
      submit(plane, new Command.SetMembers(1, Set.of(ONLY)));
    }
  }

  private static void submit(RemoteControlPlane plane, Command command) {
    assertThat(plane.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }
}
