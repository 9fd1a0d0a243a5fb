package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.cluster.Launcher;
import dev.tarn.standalone.cluster.LocalCluster;
import dev.tarn.standalone.config.Role;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** What {@code tarn cluster local} does. */
class LocalClusterTest {
  @TempDir private Path folder;

  private final List<String> progress = new ArrayList<>();

  @Test
  void killedProcessIsStartedAgainWhereItWasAndAllAreEnded() throws Exception {
    LocalCluster cluster = cluster();
    try {
      cluster.start(Optional.of(1), Optional.of(1));
      List<LocalCluster.State> first = cluster.status();
      assertThat(first)
          .allSatisfy(member -> assertThat(member.ready()).as(member.name()).isTrue())
          .extracting(LocalCluster.State::role)
          .containsExactly(Role.CONTROL, Role.GATEWAY, Role.TARGET);
      for (String file : List.of("secret", "credentials")) {
        assertThat(
                PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
            .isEqualTo("rw-------");
      }
      URI endpoint = first.get(1).url();
      try (S3Client s3 = client(endpoint, cluster)) {
        s3.createBucket(create -> create.bucket("local"));
        s3.putObject(put -> put.bucket("local").key("k"), RequestBody.fromString("kept"));
      }

      kill(first.get(2));
      assertThat(cluster.status().get(2).pid()).isEmpty();
      cluster.start(Optional.empty(), Optional.empty());

      assertThat(progress).endsWith("the cluster map has epoch 1");
      assertThat(progress.subList(progress.size() - 4, progress.size() - 1))
          .containsExactly("control runs", "gateway-1 runs", "starting target-1");
      assertThat(cluster.status().get(2).url()).isEqualTo(first.get(2).url());
      try (S3Client s3 = client(endpoint, cluster)) {
        assertThat(s3.getObjectAsBytes(get -> get.bucket("local").key("k")).asUtf8String())
            .isEqualTo("kept");
      }
      cluster.start(Optional.empty(), Optional.of(2));
      assertThat(progress).contains("starting target-2").endsWith("the cluster map has epoch 2");
      assertThat(cluster.status())
          .hasSize(4)
          .allSatisfy(member -> assertThat(member.ready()).as(member.name()).isTrue());
      assertThatThrownBy(() -> cluster.start(Optional.empty(), Optional.of(1)))
          .hasMessageContaining("has 2 targets, not 1; leave the number away");
      AdminClient admin =
          new AdminClient(
              first.get(0).adminUrl(), KeyPair.inFile(cluster.credentials()).orElseThrow());
      admin.call("POST", "/cluster/targets/target-2/out", new JsonObject());
      admin.call(
          "POST", "/cluster/targets/target-2/remove", new JsonObject().put("lose_data", true));
      // Of two targets one is left, so nothing can change the map from here on.
      long epoch = admin.call("GET", "/cluster", null).getLong("map_epoch");
      assertThat(cluster.stop()).isEqualTo(4);
      cluster.start(Optional.empty(), Optional.empty());
      assertThat(progress)
          .contains(
              "target-2 was removed from the cluster and is not started; delete "
                  + folder.resolve("target-2")
                  + " to start it without data");
      assertThat(progress).endsWith("the cluster map has epoch " + epoch);
      assertThat(cluster.stop()).isEqualTo(3);
      assertThat(cluster.status()).allSatisfy(member -> assertThat(member.pid()).isEmpty());
    } finally {
      cluster.stop();
    }
  }

  @Test
  void processThatGotThePidOfAnEndedMemberIsLeftAlone() throws Exception {
    DataFolder.open(folder).close();
    Process stranger = new ProcessBuilder("sleep", "60").start();
    try {
      Files.writeString(folder.resolve("members"), "control control port=9400 admin=9401\n");
      Files.createDirectory(folder.resolve("control"));
      Files.writeString(folder.resolve("control/pid"), stranger.pid() + " begun=1000\n");

      assertThat(cluster().stop()).isZero();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroy();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void endedProcessThatNobodyHasAskedForDoesNotRun() throws Exception {
    // The second program never asks for the child of the shell whose place it takes.
    Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 60").start();
    try {
      long pid = Long.parseLong(parent.inputReader().readLine());
      Path state = Path.of("/proc", Long.toString(pid), "stat");
      while (!Files.readString(state).contains(") Z ")) {
        Thread.onSpinWait();
      }
      long begunMs =
          ProcessHandle.of(pid).orElseThrow().info().startInstant().orElseThrow().toEpochMilli();
      Files.writeString(folder.resolve("members"), "control control port=9400 admin=9401\n");
      Files.createDirectory(folder.resolve("control"));
      Files.writeString(folder.resolve("control/pid"), pid + " begun=" + begunMs + "\n");

      assertThat(cluster().status().getFirst().pid()).isEmpty();
    } finally {
      parent.destroy();
    }
  }

  @Test
  void processThatCannotServeIsToldWithTheEndOfItsLog() throws Exception {
    DataFolder.open(folder).close();
    Path data = Files.createDirectories(folder.resolve("control"));
    Files.writeString(data.resolve("data"), "no folder");

    assertThatThrownBy(() -> cluster().start(Optional.of(1), Optional.of(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("control ended before it served; " + folder.resolve("control/log"))
        .hasMessageContaining("is a file; give --data a folder");
  }

  private LocalCluster cluster() {
    Map<String, String> environment = Map.of("PATH", System.getenv().getOrDefault("PATH", ""));
    return new LocalCluster(folder, Launcher.ofThisProcess(), environment, progress::add);
  }

  private static void kill(LocalCluster.State member) throws Exception {
    ProcessHandle process = ProcessHandle.of(member.pid().orElseThrow()).orElseThrow();
    process.destroyForcibly();
    process.onExit().get(30, TimeUnit.SECONDS);
  }

  private static S3Client client(URI endpoint, LocalCluster cluster) throws IOException {
    KeyPair pair = KeyPair.inFile(cluster.credentials()).orElseThrow();
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(pair.accessKey(), pair.secretKey())))
        .forcePathStyle(true)
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }
}
