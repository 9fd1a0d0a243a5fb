package dev.tarn.e2e.rack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.tarn.e2e.process.ClusterOfProcesses;
import dev.tarn.e2e.process.TarnProcess;
import dev.tarn.e2e.wire.HeldKeys;
import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.client.AdminRequestException;
import dev.tarn.standalone.cluster.Backoff;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Six processes: the control plane, two gateways and three targets, each of which goes away and
 * comes back while clients write, read and list. Before and after each test all of them are up.
 *
 * <p>The control plane is away for {@code -Dtarn.rack.away-seconds}.
 */
final class RackTest {
  private static final List<String> TARGETS = List.of("target-1", "target-2", "target-3");
  private static final Duration AWAY =
      Duration.ofSeconds(Integer.getInteger("tarn.rack.away-seconds", 3));
  private static final Duration WAIT_MAX = AWAY.plusSeconds(60);
  private static final Duration CALL_MAX = Duration.ofSeconds(30);
  private static final String BUCKET = "rack";
  private static final List<String> STABLE =
      IntStream.range(0, 60).mapToObj("stable/%02d"::formatted).toList();
  private static final int CALLS = 40;

  @TempDir private static Path folder;

  private static ClusterOfProcesses cluster;
  private static List<S3Client> gateways = List.of();

  /** Clients that take the first answer, so that a call to what is away is over the sooner. */
  private static List<S3Client> onceEach = List.of();

  @BeforeAll
  static void start() throws IOException {
    cluster = new ClusterOfProcesses(folder, 2, TARGETS, ClusterOfProcesses.NO_TARGET_IS_AWAITED);
    KeyPair admin = new KeyPair(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY);
    gateways =
        List.of(client(cluster.gateway(1).s3(), admin), client(cluster.gateway(2).s3(), admin));
    onceEach = List.of(once(cluster.gateway(1).s3(), admin), once(cluster.gateway(2).s3(), admin));
    through(1).createBucket(create -> create.bucket(BUCKET));
    STABLE.parallelStream()
        .forEach(key ->
            through(2)
                .putObject(
                    put -> put.bucket(BUCKET).key(key), RequestBody.fromString("of " + key)));
  }

  @AfterAll
  static void stop() {
    gateways.forEach(S3Client::close);
    onceEach.forEach(S3Client::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void bucketMadeThroughOneGatewayIsUsableThroughTheOtherAtOnce() {
    for (int number = 0; number < 20; number++) {
      String bucket = "made-" + number;
      S3Client one = through(1 + number % 2);
      S3Client other = through(2 - number % 2);
      one.createBucket(create -> create.bucket(bucket));
      other.putObject(put -> put.bucket(bucket).key("k"), RequestBody.fromString(bucket));
      assertThat(one.getObjectAsBytes(get -> get.bucket(bucket).key("k")).asUtf8String())
          .isEqualTo(bucket);
      other.deleteObject(delete -> delete.bucket(bucket).key("k"));
      one.deleteBucket(delete -> delete.bucket(bucket));
    }
  }

  @Test
  void keyPairMadeThroughOneGatewayWorksAtTheOtherAtOnce() throws IOException {
    for (int number = 0; number < 5; number++) {
      AdminClient one = ClusterOfProcesses.admin(cluster.gateway(1 + number % 2));
      URI other = cluster.gateway(2 - number % 2).s3();
      String user = "user-" + number;
      one.call("POST", "/users", new JsonObject().put("name", user));
      JsonObject key = one.call("POST", "/keys", new JsonObject().put("user", user));
      try (S3Client s3 = client(other, new KeyPair(key.getString("id"), key.getString("secret")))) {
        s3.createBucket(create -> create.bucket("of-" + user));
        assertThat(s3.listBuckets().buckets())
            .extracting(Bucket::name)
            .containsExactly("of-" + user);
      }
    }
  }

  @Test
  void gatewayThatIsKilledCostsNothingThatWasAcknowledged() throws IOException {
    try (SteadyLoad load = new SteadyLoad(onceEach, BUCKET, "gateway/", 1)) {
      awaitUndisturbed(load);
      Tally before = load.tally();

      cluster.gateway(1).kill();
      await(
          "calls through the other gateway",
          () -> {
            Tally since = load.tally().minus(before);
            return since.gateway(1).broken() > 0 && since.gateway(2).succeeded() >= CALLS;
          });
      cluster.startGateway(1);
      awaitUndisturbed(load);

      Tally since = load.tally().minus(before);
      assertThat(since.gateway(2).failed()).isZero();
      assertThat(since.gateway(1).unavailable()).isZero();
      assertNothingIsLost(load);
    }
  }

  @Test
  void withoutTheControlPlaneAllGoOnWithWhatTheyKnowAlsoAfterARestart() throws Exception {
    try (SteadyLoad load = new SteadyLoad(onceEach, BUCKET, "control/", 2)) {
      awaitUndisturbed(load);
      Tally before = load.tally();

      cluster.control().kill();
      long awayNanos = System.nanoTime();
      assertChangesAreRefused();
      await(
          "the time without the control plane",
          () ->
              System.nanoTime() - awayNanos > AWAY.toNanos()
                  && load.tally().minus(before).eachSucceeded(CALLS));
      assertThat(load.tally().minus(before).failed()).isZero();

      assertThat(cluster.gateway(2).stop()).isZero();
      cluster.startGateway(2);
      awaitUndisturbed(load);
      assertThat(load.tally().minus(before).gateway(1).failed()).isZero();
      assertThat(cluster.target("target-2").stop()).isZero();
      cluster.startTarget("target-2");
      awaitUndisturbed(load);
      assertChangesAreRefused();

      cluster.startControl();
      await("changes", RackTest::isChangePossible);
      awaitUndisturbed(load);
      assertNothingIsLost(load);
    }
  }

  @Test
  void targetThatIsKilledIsUnavailableAloneAndHasAllWhenItIsBack() throws IOException {
    Map<String, List<String>> held = HeldKeys.of(cluster, TARGETS);
    List<String> missing = stable(held, "target-2");
    List<String> present = new ArrayList<>(stable(held, "target-1"));
    present.addAll(stable(held, "target-3"));
    assertThat(present).hasSize(STABLE.size() - missing.size());
    assertThat(missing).isNotEmpty();
    try (SteadyLoad load = new SteadyLoad(onceEach, BUCKET, "target/", 3)) {
      awaitUndisturbed(load);
      Tally before = load.tally();

      cluster.target("target-2").kill();
      Stream<ThrowingCallable> callsToIt = onceEach.stream().flatMap(s3 -> callsTo(s3, missing));
      callsToIt.parallel().forEach(RackTest::isUnavailable);
      for (S3Client s3 : onceEach) {
        assertThat(present).allSatisfy(key -> assertThat(get(s3, key)).isEqualTo("of " + key));
      }
      await("calls to the other targets", () -> load.tally().minus(before).eachSucceeded(CALLS));
      cluster.startTarget("target-2");
      awaitUndisturbed(load);

      assertNothingIsLost(load);
    }
  }

  private static Stream<ThrowingCallable> callsTo(S3Client s3, List<String> keys) {
    return Stream.of(
        () -> get(s3, keys.getFirst()),
        () -> s3.headObject(head -> head.bucket(BUCKET).key(keys.getLast())),
        () -> s3.listObjectsV2(list -> list.bucket(BUCKET)));
  }

  private static List<String> stable(Map<String, List<String>> held, String target) {
    return held.getOrDefault(target, List.of()).stream().filter(STABLE::contains).toList();
  }

  private static void assertChangesAreRefused() throws IOException {
    isUnavailable(() -> through(1).createBucket(create -> create.bucket("refused")));
    AdminClient admin = ClusterOfProcesses.admin(cluster.gateway(1));
    assertThatThrownBy(() -> admin.call("POST", "/users", new JsonObject().put("name", "refused")))
        .isInstanceOfSatisfying(
            AdminRequestException.class, refused -> assertThat(refused.status()).isEqualTo(503))
        .hasMessageContaining("the control plane takes no changes now");
    assertThat(admin.call("GET", "/cluster", null).getString("control")).startsWith("away: ");
  }

  private static boolean isChangePossible() {
    try {
      through(1).createBucket(create -> create.bucket("possible"));
      through(2).deleteBucket(delete -> delete.bucket("possible"));
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() == 503) {
        return false;
      }
      throw e;
    }
  }

  private static void assertNothingIsLost(SteadyLoad load) {
    assertThat(load.verify()).isEmpty();
    assertThat(load.keys()).isPositive();
    for (S3Client s3 : gateways) {
      assertThat(
              s3
                  .listObjectsV2Paginator(list -> list.bucket(BUCKET).prefix("stable/"))
                  .contents()
                  .stream()
                  .map(S3Object::key))
          .isEqualTo(STABLE);
      assertThat(STABLE).allSatisfy(key -> assertThat(get(s3, key)).isEqualTo("of " + key));
    }
  }

  /** Waits until many calls in a row have succeeded through each gateway. */
  private static void awaitUndisturbed(SteadyLoad load) {
    Tally[] since = {load.tally()};
    await(
        "calls that all succeed",
        () -> {
          Tally now = load.tally();
          Tally calls = now.minus(since[0]);
          if (calls.failed() > 0) {
            since[0] = now;
          }
          return calls.failed() == 0 && calls.eachSucceeded(CALLS);
        });
  }

  private static void await(String what, BooleanSupplier condition) {
    Backoff backoff = Backoff.of(WAIT_MAX);
    try {
      while (!condition.getAsBoolean()) {
        if (!backoff.again()) {
          fail("no " + what + " within " + WAIT_MAX);
        }
      }
    } catch (IOException e) {
      fail("interrupted", e);
    }
  }

  private static S3Client through(int gateway) {
    return gateways.get(gateway - 1);
  }

  private static String get(S3Client s3, String key) {
    return s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(key)).asUtf8String();
  }

  private static void isUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, failure -> assertThat(failure.statusCode()).isEqualTo(503));
  }

  /** With the retries of the SDK. */
  private static S3Client client(URI endpoint, KeyPair pair) {
    return client(endpoint, pair, settings -> {});
  }

  private static S3Client once(URI endpoint, KeyPair pair) {
    return client(
        endpoint, pair, settings -> settings.retryStrategy(AwsRetryStrategy.doNotRetry()));
  }

  private static S3Client client(
      URI endpoint, KeyPair pair, Consumer<ClientOverrideConfiguration.Builder> settings) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(pair.accessKey(), pair.secretKey())))
        .forcePathStyle(true)
        .overrideConfiguration(override -> settings.accept(override.apiCallTimeout(CALL_MAX)))
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }
}
