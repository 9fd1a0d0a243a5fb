package dev.tarn.e2e.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.server.RemoteTarget;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a binding over a network can get wrong. */
final class HttpBindingTest {
  private final Vertx vertx = Vertx.vertx();
  private final MemoryTarget memory = new MemoryTarget();
  private final AtomicLong mapEpoch = new AtomicLong(1);
  private final RemoteTarget remote =
      RemoteTarget.admitting(
          vertx, new JudgedTarget(new CallJudge(new EveryBucketView(mapEpoch::get)), memory));
  private final HttpClient plain = HttpClient.newHttpClient();

  @BeforeEach
  void start() {
    remote.start();
  }

  @AfterEach
  void stop() {
    plain.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void withoutAValidCapabilityNothingIsServed() {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 1);
    ObjectTarget stranger =
        new HttpTarget(
            PatientClients.plain(vertx),
            remote.address(),
            new Capabilities(ClusterSecrets.of(secret), InstantSource.system()));
    assertThat(failure(put(stranger, 1, "x"))).isInstanceOf(Failure.Forbidden.class);
    ObjectTarget late =
        new HttpTarget(
            PatientClients.plain(vertx),
            remote.address(),
            new Capabilities(
                ClusterSecrets.of(new byte[32]),
                () -> InstantSource.system().instant().minus(Duration.ofHours(1))));
    assertThat(failure(put(late, 1, "x")))
        .isInstanceOfSatisfying(
            Failure.Forbidden.class,
            refused ->
                assertThat(refused.message())
                    .contains("by the caller's clock", "by the clock here", " s later (limit 60 s)")
                    .endsWith("synchronize the clocks of both machines."));
  }

  @ParameterizedTest
  @ValueSource(longs = {-60, 60})
  void clocksOfMembersMayDifferByAMinute(long seconds) {
    ObjectTarget caller =
        new HttpTarget(
            PatientClients.plain(vertx),
            remote.address(),
            new Capabilities(
                ClusterSecrets.of(new byte[32]),
                () -> InstantSource.system().instant().plusSeconds(seconds)));
    assertThat(put(caller, 1, "x")).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void aCallerWithoutACapabilityIsRefusedBeforeItsRequestHasCome() throws IOException {
    try (Socket socket = new Socket(remote.address().host(), remote.address().port())) {
      socket.setSoTimeout(10_000);
      String head =
          "POST %s HTTP/1.1\r\nhost: x\r\ncontent-length: 4000000\r\n%s: 4000000\r\n\r\n"
              .formatted(HttpBinding.CALL_PATH, HttpBinding.LENGTH_HEADER);
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      byte[] answer = new byte[4096];
      int length = 0;
      while (!new String(answer, 0, length, ISO_8859_1).contains("capability is missing")) {
        int count = socket.getInputStream().read(answer, length, answer.length - length);
        assertThat(count).isPositive();
        length += count;
      }
    }
  }

  @Test
  void aCallUnderAnOlderMapIsStale() {
    mapEpoch.set(5);
    assertThat(failure(put(remote.target(), 4, "x"))).isEqualTo(new Failure.StaleMap(5));
    assertThat(put(remote.target(), 5, "x")).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void aCallUnderAMapThatNobodyKnowsIsNotServed() {
    assertThat(failure(put(remote.target(), 6, "x")))
        .isInstanceOfSatisfying(
            Failure.Unavailable.class,
            failure ->
                assertThat(failure.message())
                    .contains("moved in epoch 6; the target knows epoch 1, which is the newest"));
  }

  @Test
  void aTargetThatDoesNotListenIsUnavailable() throws IOException {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0)) {
      freePort = socket.getLocalPort();
    }
    ObjectTarget absent =
        new HttpTarget(
            PatientClients.plain(vertx),
            new TargetAddress("127.0.0.1", freePort),
            RemoteTarget.CAPABILITIES);
    assertThat(failure(put(absent, 1, "x"))).isInstanceOf(Failure.Unavailable.class);
  }

  @Test
  void aRequestThatIsNoCallIsRefusedAndTheServerStays() throws Exception {
    assertThat(send("/", "1", new byte[10]).statusCode()).isEqualTo(404);
    for (String length : new String[] {"", "x", "-1", "99999999", "11", "10"}) {
      HttpResponse<byte[]> response = send(HttpBinding.CALL_PATH, length, new byte[10]);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(new String(response.body(), ISO_8859_1))
          .contains(length.equals("10") ? "wire version 0" : "");
    }
    assertThat(put(remote.target(), 1, "x")).isInstanceOf(Outcome.Success.class);
  }

  private HttpResponse<byte[]> send(String path, String length, byte[] body) throws Exception {
    return plain.send(
        HttpRequest.newBuilder(URI.create("http://" + remote.address() + path))
            .header(HttpBinding.LENGTH_HEADER, length)
            .header(
                HttpBinding.CAPABILITY_HEADER,
                RemoteTarget.CAPABILITIES.issue(Grant.ofReport(), Duration.ofMinutes(1)))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static Outcome<ObjectMetadata> put(ObjectTarget target, long epoch, String text) {
    Put request =
        new Put(
            new CallScope(new BucketId(1), 1, epoch, CallContext.UNNAMED),
            ObjectKey.of("k"),
            ObjectAttributes.NONE,
            Set.of(),
            Preconditions.NONE);
    return target.call(request, TestBody.of(text)).toCompletableFuture().join();
  }

  private static Failure failure(Outcome<ObjectMetadata> outcome) {
    return ((Outcome.Failed<ObjectMetadata>) outcome).failure();
  }
}
