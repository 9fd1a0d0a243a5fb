package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Reads of a cached bucket through a gateway that is cut off from targets, while another gateway
 * reaches all of them. The kernel drops packets of the first gateway's group, so the test needs
 * root, iptables, and a network namespace of its own.
 */
@EnabledIfSystemProperty(named = "tarn.partitions", matches = "true")
@Timeout(300)
final class CutOffGatewayTest {
  private static final String BUCKET = "cached";
  private static final String GROUP = "47111";
  private static final List<String> TARGETS = List.of("t1", "t2", "t3");
  private static final List<String> KEYS =
      IntStream.range(0, 60).mapToObj("train/%02d.jpg"::formatted).toList();

  @TempDir private Path folder;

  private final List<String> cut = new ArrayList<>();
  private TarnProcess origin;
  private ClusterOfProcesses cluster;
  private S3Client cutOff;
  private S3Client other;

  @BeforeEach
  void start() throws Exception {
    origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
    try (S3Client uploads = origin.openS3Client()) {
      uploads.createBucket(bucket -> bucket.bucket("origin"));
      KEYS.forEach(key -> put(uploads, "origin", key, "old"));
    }
    // Less than the 30 s that a client waits, and long enough that no other read waits for it.
    cluster = new ClusterOfProcesses(folder, 2, TARGETS, "gateway.limits.target-wait-max=20s");
    cluster.gateway(1).stop();
    cluster.startGateway(List.of("setpriv", "--regid=" + GROUP, "--clear-groups"), 1);
    CachedBuckets.create(BUCKET, "origin", origin, cluster.gateway().admin(), folder);
    cutOff = cluster.gateway(1).openS3Client();
    other = cluster.gateway(2).openS3Client();
    assertThat(contents(cutOff)).containsOnly("old");
    assertThat(contents(other)).containsOnly("old");
  }

  @AfterEach
  void stop() throws Exception {
    for (String target : List.copyOf(cut)) {
      heal(target);
    }
    cutOff.close();
    other.close();
    cluster.close();
    origin.close();
  }

  @Test
  void gatewayThatIsCutOffFromAnOwnerReadsWhatAnotherGatewayWrites() throws Exception {
    cut("t2");
    assertThat(contents(cutOff)).containsOnly("old");
    KEYS.forEach(key -> put(other, BUCKET, key, "new"));

    assertThat(contents(cutOff)).containsOnly("new");
    assertThat(contents(other)).containsOnly("new");

    heal("t2");
    awaitReads();
    origin.kill(); // Targets that do not own a key need the backend.
    assertThat(contents(cutOff)).containsOnly("new");
  }

  @Test
  void readsFailAndAreNotStaleWhileTheBackendIsDownToo() throws Exception {
    cut("t2");
    assertThat(contents(cutOff)).containsOnly("old");
    KEYS.forEach(key -> put(other, BUCKET, key, "new"));
    assertThat(contents(other)).containsOnly("new");
    origin.kill();

    List<String> seen = contents(cutOff);

    assertThat(seen).containsOnly("new", "503");
    assertThat(seen.stream().filter("503"::equals)).hasSizeBetween(5, 40);
    assertThat(contents(other)).containsOnly("new");
  }

  @Test
  void gatewayThatIsCutOffFromAllTargetsReadsAgainWhenOneIsBack() throws Exception {
    for (String target : TARGETS) {
      cut(target);
    }
    assertThat(contents(cutOff)).containsOnly("503");

    heal("t3");
    awaitReads();
    assertThat(contents(cutOff)).containsOnly("old");
  }

  /** Waits until the gateway knows that a target is back: a read that fails, is repeated. */
  private void awaitReads() {
    while (contents(cutOff).contains("503")) {
      Thread.onSpinWait();
    }
  }

  /** What a read of each key yields: the content, or the status of the failure. */
  private static List<String> contents(S3Client s3) {
    return KEYS.stream().map(key -> content(s3, key)).toList();
  }

  private static String content(S3Client s3, String key) {
    try {
      return s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(key)).asString(UTF_8);
    } catch (S3Exception failure) {
      return Integer.toString(failure.statusCode());
    }
  }

  private static void put(S3Client s3, String bucket, String key, String content) {
    s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromString(content));
  }

  /** Drops what the first gateway sends to a target. */
  private void cut(String target) throws IOException, InterruptedException {
    iptables("-A", target);
    cut.add(target);
  }

  private void heal(String target) throws IOException, InterruptedException {
    iptables("-D", target);
    cut.remove(target);
  }

  private void iptables(String action, String target) throws IOException, InterruptedException {
    String address = cluster.address(target);
    String port = address.substring(address.indexOf(':') + 1);
    String rule =
        "iptables -w %s OUTPUT -p tcp --dport %s -m owner --gid-owner %s -j DROP"
            .formatted(action, port, GROUP);
    List<String> command = List.of(rule.split(" "));
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
  }
}
