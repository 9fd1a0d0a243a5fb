package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.User;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.RawConnection.RawResponse;
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
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the admin API of a gateway does about names that were made elsewhere. */
@Timeout(60)
class AdminUnknownNamesTest {
  @TempDir private Path folder;
  private final Vertx vertx = Vertx.vertx();
  private final MemoryControlPlane newest = new MemoryControlPlane();
  private ReticentControlNode control;
  private int port;

  @BeforeEach
  void start() {
    control = new ReticentControlNode(newest, folder);
    port =
        AdminServer.start(vertx, config(), parts())
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .port();
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    control.close();
  }

  private static AdminConfig config() {
    return AdminConfig.of(0, Optional.empty());
  }

  private AdminParts parts() {
    return new AdminParts(
        "test",
        new SignatureAuthenticator(
            id -> Credential.find(control.gateway().state(), id), Addressing.PATH_STYLE),
        control.gateway(),
        BucketSettings.PRIMARY,
        new BucketDeletion(control.gateway(), new MemoryTarget(), InstantSource.system()),
        new BucketEviction(new MemoryTarget()),
        new NoScrubbing(),
        () -> new NodeStatus("gateway", 1, List.of()),
        Optional::empty,
        ClusterProfile.of(new IoProfile(InstantSource.system())),
        () -> true,
        () -> "",
        new Identities(new SecureRandom()),
        InstantSource.system());
  }

  private static final class NoScrubbing implements Scrubbing {
    @Override
    public void start() {}

    @Override
    public Optional<Report> report() {
      return Optional.empty();
    }
  }

  private void makeAdminElsewhere() {
    newest.submit(new Command.CreateUser(1, new User("alice-id", "alice", true)));
    newest.submit(
        new Command.CreateAccessKey(
            1,
            new AccessKey(GatewayFixture.ALICE, GatewayFixture.ALICE + "-secret", "alice-id", 1)));
  }

  private RawResponse call(String method, String path) throws IOException {
    return call(method, path, Map.of(), "");
  }

  private RawResponse patch(String change, String ifMatch) throws IOException {
    return call("PATCH", "/buckets/late", Map.of("if-match", ifMatch), change);
  }

  private RawResponse call(String method, String path, Map<String, String> headers, String body)
      throws IOException {
    HandSigner signer = new HandSigner("127.0.0.1:" + port);
    try (RawConnection connection = new RawConnection(port)) {
      return connection
          .send(
              signer
                      .sign(
                          method,
                          "/api/v1" + path,
                          HandSigner.sha256(body.getBytes(UTF_8)),
                          headers)
                      .with("content-length: " + body.length() + "\r\n")
                  + body)
          .receive();
    }
  }

  @Test
  void adminWhoWasMadeElsewhereIsLetIn() throws IOException {
    makeAdminElsewhere();

    assertThat(call("GET", "/users").status()).isEqualTo(200);
  }

  @Test
  void namesMadeElsewhereAreFound() throws IOException {
    makeAdminElsewhere();
    assertThat(call("GET", "/buckets/late").status()).isEqualTo(404);

    newest.submit(new Command.CreateBucket(1, "late", "alice-id", BucketSettings.PRIMARY));
    newest.submit(new Command.CreateUser(1, new User("bob-id", "bob", false)));

    assertThat(call("GET", "/buckets/late").status()).isEqualTo(200);
    assertThat(call("DELETE", "/users/bob").status()).isEqualTo(200);
  }

  @Test
  void changeMadeElsewhereIsNotUndone() throws IOException {
    makeAdminElsewhere();
    newest.submit(new Command.CreateBucket(1, "late", "alice-id", BucketSettings.PRIMARY));
    JsonObject read = new JsonObject(call("GET", "/buckets/late").body());
    newest.submit(
        new Command.SetBucket(
            1, "late", Optional.empty(), BucketSettings.PRIMARY.withAnonymousRead(true), 0));

    String change = "{\"durability\": \"os\"}";
    RawResponse refused = patch(change, "\"" + read.getLong("version") + "\"");
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.body()).contains("BUCKET_CHANGED", "read the bucket and retry");

    RawResponse done = patch(change, "*");
    assertThat(done.status()).isEqualTo(200);
    JsonObject settings = new JsonObject(done.body()).getJsonObject("settings");
    assertThat(settings.getBoolean("anonymous_read")).isTrue();
    assertThat(settings.getString("durability")).isEqualTo("os");
    String version = new JsonObject(done.body()).getLong("version").toString();
    assertThat(patch("{\"durability\": \"fsync\"}", version).status()).isEqualTo(200);
    for (String wrong : List.of("\"x\"", "\"12", "12\"", "W/\"12\"", "1, 2")) {
      RawResponse answer = patch(change, wrong);
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.body()).contains("must be the version of the bucket");
    }
    control.setAway(true);
    RawResponse unknown = patch(change, "\"99\"");
    assertThat(unknown.status()).isEqualTo(503);
    assertThat(unknown.body()).contains("the control node does not answer");
  }

  @Test
  void whileTheControlPlaneIsAwayNothingIsSaidNotToBeThere() throws IOException {
    control.setAway(true);
    assertThat(call("GET", "/users").status()).isEqualTo(503);

    control.setAway(false);
    makeAdminElsewhere();
    assertThat(call("GET", "/users").status()).isEqualTo(200);

    control.setAway(true);
    assertThat(call("GET", "/users").status()).isEqualTo(200);
    RawResponse unknown = call("GET", "/buckets/nowhere");
    assertThat(unknown.status()).isEqualTo(503);
    assertThat(unknown.body()).contains("does not answer");
  }
}
