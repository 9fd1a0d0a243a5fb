package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.User;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.auth.Authentication.Scheme;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.EndedExchange;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The profile of several gateways, asked of one of them. */
final class OtherGatewaysTest {
  private static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final String SIGNATURE = "AWS4-HMAC-SHA256 Credential=a/b, Signature=c";

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    client.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void requestsOfAllGatewaysAreAddedUp() throws Exception {
    int other = start(requests(3, "busy"), List.of());
    int third = start(requests(4, "calm"), List.of());
    int asked = start(requests(5, "busy"), List.of("127.0.0.1:" + other, "127.0.0.1:" + third));

    JsonObject profile = profile(asked);

    JsonObject hour = profile.getJsonArray("spans").getJsonObject(1);
    assertThat(hour.getJsonObject("requests").getLong("read")).isEqualTo(12);
    assertThat(hour.getLong("sent_bytes")).isEqualTo(12_000);
    assertThat(hour.getDouble("requests_per_second_max")).isEqualTo(1.2);
    assertThat(hour.getJsonObject("reads_ms").getDouble("max")).isEqualTo(5.0);
    assertThat(hour.getJsonArray("sizes").getJsonObject(0).getLong("requests")).isEqualTo(12);
    assertThat(profile.getJsonArray("buckets").encode())
        .contains("{\"bucket\":\"busy\",\"requests\":8,", "{\"bucket\":\"calm\",\"requests\":4,");
    assertThat(profile.getInteger("gateways")).isEqualTo(3);
    assertThat(profile.getJsonArray("silent_gateways")).isEmpty();
  }

  @Test
  void gatewayThatIsNamedTwiceCountsOnce() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    startAt(port, requests(5, "busy"), List.of("127.0.0.1:" + port, "127.0.0.2:" + port));

    JsonObject profile = profile(port);

    assertThat(requestsOfHour(profile)).isEqualTo(5);
    assertThat(profile.getInteger("gateways")).isEqualTo(1);
  }

  @Test
  void gatewaysThatDoNotAnswerAreNamedWithTheReason() throws Exception {
    int other = start(requests(3, "busy"), List.of());
    HttpTestAnswer stranger = HttpTestAnswer.of(vertx, "{\"of\":\"another program\"}");
    ServerSocket hung = new ServerSocket(0);
    int asked =
        start(
            requests(5, "busy"),
            List.of(
                "127.0.0.1:1",
                "127.0.0.1:" + other,
                "no-such-host.invalid:9001",
                "127.0.0.1:" + stranger.port(),
                "127.0.0.1:" + hung.getLocalPort()));

    JsonObject profile = profile(asked);

    assertThat(requestsOfHour(profile)).isEqualTo(8);
    assertThat(profile.getInteger("gateways")).isEqualTo(2);
    JsonArray silent = profile.getJsonArray("silent_gateways");
    assertThat(silent.encode())
        .contains("127.0.0.1:1: Connection refused")
        .contains("no-such-host.invalid:9001: its name has no address")
        .contains(stranger.port() + ": its answer cannot be read")
        .contains(hung.getLocalPort() + ": it gave no answer within 2 s");
    assertThat(silent).hasSize(4);
    hung.close();
  }

  private static IoProfile requests(int count, String bucket) {
    IoProfile profile = new IoProfile(InstantSource.system());
    for (int i = 0; i < count; i++) {
      profile.record(EndedExchange.of("GetObject", bucket, "k", 200, 5_000_000, 0, 1000));
    }
    return profile;
  }

  private static long requestsOfHour(JsonObject profile) {
    return profile.getJsonArray("spans").getJsonObject(1).getJsonObject("requests").getLong("read");
  }

  private int start(IoProfile profile, List<String> gateways) {
    return startAt(0, profile, gateways);
  }

  /** Starts a gateway's admin listener, which accepts one signature for one host. */
  private int startAt(int port, IoProfile profile, List<String> gateways) {
    AdminConfig usual = AdminConfig.DEFAULT;
    AdminConfig config =
        new AdminConfig(
            "0.0.0.0",
            port,
            usual.bodyBytesMax(),
            usual.connectionsMax(),
            usual.idleMsMax(),
            Optional.empty(),
            false,
            gateways);
    MemoryControlPlane control = new MemoryControlPlane();
    AdminParts parts =
        new AdminParts(
            "test",
            head -> {
              if (!SIGNATURE.equals(head.headers().first("authorization"))
                  || !"signed, too".equals(head.headers().first("accept"))) {
                throw S3Exception.of(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
              }
              return new Authentication.Authenticated(
                  new User("admin-id", "admin", true),
                  "key",
                  Scheme.V4_HEADER,
                  new PayloadPlan.Sha256(
                      requireNonNull(head.headers().first("x-amz-content-sha256"))));
            },
            control,
            BucketSettings.PRIMARY,
            new BucketDeletion(control, new MemoryTarget(), InstantSource.system()),
            new BucketEviction(new MemoryTarget()),
            new NoScrub(),
            () -> new NodeStatus("gateway", 1, List.of()),
            Optional::empty,
            ClusterProfile.of(profile),
            () -> true,
            () -> "",
            new Identities(new SecureRandom()),
            InstantSource.system());
    return AdminServer.start(vertx, config, parts)
        .toCompletionStage()
        .toCompletableFuture()
        .join()
        .port();
  }

  private JsonObject profile(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/profile"))
            .header("authorization", SIGNATURE)
            .header("accept", "signed, too")
            .header("x-amz-content-sha256", EMPTY_SHA256)
            .build();
    return new JsonObject(client.send(request, BodyHandlers.ofString()).body());
  }

  private static final class NoScrub implements Scrubbing {
    @Override
    public void start() {}

    @Override
    public Optional<Report> report() {
      return Optional.empty();
    }
  }

  /** A server that answers every request with the same text. */
  private record HttpTestAnswer(int port) {
    static HttpTestAnswer of(Vertx vertx, String text) {
      return new HttpTestAnswer(
          vertx
              .createHttpServer()
              .requestHandler(request -> request.response().end(text))
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .join()
              .actualPort());
    }
  }
}
