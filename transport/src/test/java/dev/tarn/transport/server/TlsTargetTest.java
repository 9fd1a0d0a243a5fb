package dev.tarn.transport.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.fixtures.TestAuthority;
import dev.tarn.fixtures.target.BodyBytes;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.relay.RelayLimits;
import dev.tarn.transport.relay.TargetReports;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.TestIdentities;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who can call a target over TLS, and what others are told. */
@Timeout(60)
final class TlsTargetTest {
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
  private static final ObjectKey KEY = ObjectKey.of("k");

  private final Vertx vertx = Vertx.vertx();
  private final TestAuthority authority = new TestAuthority("cluster");

  /** Vert.x closes clients that nobody references. */
  private final List<HttpClient> clients = new ArrayList<>();

  private final MemberTls member = new MemberTls(TestIdentities.of(authority));

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private RemoteTarget started(MemberTls tls) {
    RemoteTarget target = new RemoteTarget(vertx, new MemoryTarget(), tls);
    target.start();
    return target;
  }

  private ObjectTarget caller(TargetAddress address, Optional<MemberTls> tls) {
    return new HttpTarget(
        PatientClients.over(vertx, PatientClients.LIMITS, called -> tls),
        address,
        RemoteTarget.CAPABILITIES);
  }

  private static CompletionStage<Outcome<ObjectMetadata>> put(ObjectTarget target, byte[] bytes) {
    return target.call(
        new Put(SCOPE, KEY, ObjectAttributes.NONE, Set.of(), Preconditions.NONE),
        TestBody.of(bytes));
  }

  private static Get get() {
    return new Get(SCOPE, KEY, Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  private static <T> T success(CompletionStage<Outcome<T>> stage) {
    Outcome<T> outcome = stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    assertThat(outcome).isInstanceOf(Outcome.Success.class);
    return ((Outcome.Success<T>) outcome).value();
  }

  private static String refusal(CompletionStage<? extends Outcome<?>> stage) {
    Outcome<?> outcome = stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    Failure failure = ((Outcome.Failed<?>) outcome).failure();
    assertThat(failure).isInstanceOf(Failure.Unavailable.class);
    return failure.message();
  }

  @ParameterizedTest
  @EnumSource(BodyForm.class)
  void largeObjectsCrossTlsInEachForm(BodyForm form) {
    RemoteTarget target =
        new RemoteTarget(vertx, new FormedTarget(new MemoryTarget(), form::of), member);
    target.start();
    byte[] bytes = new byte[(5 << 20) + 17];
    new Random(1).nextBytes(bytes);
    success(put(target.target(), bytes));
    ObjectRead read = success(target.target().call(get()));
    assertThat(BodyBytes.read(read.body())).isEqualTo(bytes);
  }

  @Test
  void callerOfAnotherAuthorityIsRefused() {
    MemberTls stranger =
        new MemberTls(TestIdentities.of(authority, new TestAuthority("cluster").issueLocal()));
    ObjectTarget caller = caller(started(member).address(), Optional.of(stranger));
    // The end of the connection may overtake the reason.
    String[] reasons = {
      "refused the certificate of this process; see the log of this gateway",
      "see its log for refused certificates"
    };
    assertThat(refusal(caller.call(get()))).containsAnyOf(reasons);
    assertThat(refusal(put(caller, new byte[1 << 20]))).containsAnyOf(reasons);
  }

  @Test
  void certificateOfAGatewayServesItsCallsAndIsRefusedAsThatOfATarget() {
    MemberTls gateway = new MemberTls(TestIdentities.of(authority, authority.issueForCaller()));
    ObjectTarget calledByGateway = caller(started(member).address(), Optional.of(gateway));
    success(put(calledByGateway, new byte[1]));

    ObjectTarget servedByGateway = caller(started(gateway).address(), Optional.of(member));
    assertFailsInTheHandshake(servedByGateway);
  }

  @Test
  void targetOfAnotherAuthorityIsNotCalled() {
    MemberTls stranger = new MemberTls(TestIdentities.of(new TestAuthority("cluster")));
    ObjectTarget caller = caller(started(stranger).address(), Optional.of(member));
    assertFailsInTheHandshake(caller);
  }

  /** The reason may name addresses, so it is in the log alone. */
  private static void assertFailsInTheHandshake(ObjectTarget caller) {
    assertThat(refusal(caller.call(get())))
        .endsWith("failed the TLS handshake; see the log of this gateway.");
  }

  @Test
  void targetWithTheCertificateOfAnotherHostIsNotCalled() {
    MemberTls elsewhere =
        new MemberTls(TestIdentities.of(authority, authority.issue("target-2.example")));
    ObjectTarget caller = caller(started(elsewhere).address(), Optional.of(member));
    assertFailsInTheHandshake(caller);
  }

  @Test
  void expiredTargetIsNotCalled() {
    MemberTls expired =
        new MemberTls(
            TestIdentities.of(
                authority, authority.issue(Instant.now().minusSeconds(60), "127.0.0.1")));
    ObjectTarget caller = caller(started(expired).address(), Optional.of(member));
    assertFailsInTheHandshake(caller);
  }

  @Test
  void callerWithoutACertificateYetSaysSo() {
    ObjectTarget caller =
        new HttpTarget(
            PatientClients.over(
                vertx,
                PatientClients.LIMITS,
                called -> {
                  throw new IllegalStateException("no member has announced this address");
                }),
            started(member).address(),
            RemoteTarget.CAPABILITIES);
    assertThat(refusal(caller.call(get())))
        .endsWith("cannot be called: no member has announced this address.");
  }

  @Test
  void callInTheClearToATlsPortSaysSo() {
    ObjectTarget caller = caller(started(member).address(), Optional.empty());
    assertThat(refusal(caller.call(get())))
        .contains("takes TLS only, and its announcement of that has not arrived; retry later");
  }

  @Test
  void readWaitsForACertificateAndForTheAnnouncementOfATargetThatWasSwitchedToTls() {
    RemoteTarget target = started(member);
    success(put(target.target(), new byte[] {1}));
    AtomicInteger connections = new AtomicInteger();
    ObjectTarget caller = callerThatLearnsOfTls(target.address(), connections);
    assertThat(BodyBytes.read(success(caller.call(get())).body())).containsExactly(1);
    assertThat(connections.get()).isBetween(3, 4); // One for probes follows the first over TLS.
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 20})
  void writeWaitsForACertificateAndForTheAnnouncementOfATargetThatWasSwitchedToTls(int length) {
    RemoteTarget target = started(member);
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    AtomicInteger connections = new AtomicInteger();
    success(put(callerThatLearnsOfTls(target.address(), connections), bytes));
    assertThat(connections.get()).isBetween(3, 4); // One for probes follows the first over TLS.
    assertThat(BodyBytes.read(success(target.target().call(get())).body())).isEqualTo(bytes);
  }

  /** Has no certificate for its first connection, and no announcement for its second. */
  private ObjectTarget callerThatLearnsOfTls(TargetAddress address, AtomicInteger connections) {
    return new HttpTarget(
        PatientClients.over( // An overdue answer would be probed by connections of its own.
            vertx,
            PatientClients.LIMITS.withTargetWait(Duration.ofSeconds(20)),
            called -> {
              if (connections.incrementAndGet() == 1) {
                throw new IllegalStateException("no member has announced this address");
              }
              return connections.get() > 2 ? Optional.of(member) : Optional.empty();
            }),
        address,
        RemoteTarget.CAPABILITIES);
  }

  @Test
  void callOverTlsToAPlainPortSaysSo() {
    RemoteTarget plain = new RemoteTarget(vertx, new MemoryTarget());
    plain.start();
    ObjectTarget caller = caller(plain.address(), Optional.of(member));
    assertThat(refusal(caller.call(get())))
        .contains("takes no TLS, and its announcement of that has not arrived; retry later");
    assertThat(success(put(plain.target(), new byte[3]))).isNotNull();
  }

  @Test
  void handshakeMayTakeLongerThanConnecting() throws IOException {
    RemoteTarget target = started(member);
    Duration connecting = Duration.ofMillis(300);
    CompletableFuture<Void> accepted = new CompletableFuture<>();
    CompletableFuture<Void> answering = new CompletableFuture<>();
    try (ServerSocket front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Socket back = new Socket(InetAddress.getLoopbackAddress(), target.address().port())) {
      Thread.startVirtualThread(() -> {
        try (Socket socket = front.accept()) {
          Thread.startVirtualThread(() -> copy(socket, back));
          accepted.complete(null);
          answering.join();
          copy(back, socket);
        } catch (IOException e) {
          accepted.completeExceptionally(e);
        }
      });
      RelayLimits limits = PatientClients.connectingWithin(connecting);
      ObjectTarget caller =
          new HttpTarget(
              PatientClients.over(vertx, limits, called -> Optional.of(member)),
              new TargetAddress("127.0.0.1", front.getLocalPort()),
              RemoteTarget.CAPABILITIES);
      CompletionStage<Outcome<ObjectMetadata>> put = put(caller, new byte[3]);
      accepted.join();
      vertx.timer(2 * connecting.toMillis()).await();
      answering.complete(null);
      assertThat(success(put)).isNotNull();
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of both was closed.
    }
  }

  @Test
  void connectionsWithoutAHandshakeAreClosed() throws IOException {
    RemoteTarget target = started(member);
    try (Socket mute = new Socket(InetAddress.getLoopbackAddress(), target.address().port());
        Socket muteReader =
            new Socket(InetAddress.getLoopbackAddress(), target.readAddress().port())) {
      assertThat(mute.getInputStream().readAllBytes()).hasSizeLessThan(100);
      assertThat(muteReader.getInputStream().readAllBytes()).hasSizeLessThan(100);
    }
  }

  @Test
  void newIdentitiesDisturbNoCall() {
    RemoteTarget target = started(member);
    success(put(target.target(), new byte[100_000]));
    List<CompletionStage<Outcome<ObjectRead>>> reads = new ArrayList<>();
    for (int turn = 0; turn < 10; turn++) {
      // A new client has no connections yet, the old one keeps its own.
      ObjectTarget fresh = caller(target.address(), Optional.of(member));
      for (int call = 0; call < 5; call++) {
        reads.add(fresh.call(get()));
        reads.add(target.target().call(get()));
      }
      member.replace(TestIdentities.of(authority));
    }
    for (CompletionStage<Outcome<ObjectRead>> read : reads) {
      assertThat(BodyBytes.read(success(read).body())).hasSize(100_000);
    }
  }

  @Test
  void portForDirectReadsServesTicketsAlone() {
    RemoteTarget target = started(member);
    success(put(target.target(), "hello".getBytes(ISO_8859_1)));
    TargetAddress reads = target.readAddress();
    HttpClientOptions bare = new HttpClientOptions().setSsl(true).setTrustAll(true);
    bare.setVerifyHost(false);
    assertThat(ask(bare, reads, HttpMethod.GET, HttpBinding.READ_PATH)).isEqualTo("200 hello");
    assertThat(ask(bare, reads, HttpMethod.POST, HttpBinding.CALL_PATH)).startsWith("404 ");
    assertThat(ask(bare, reads, HttpMethod.POST, HttpBinding.REPORT_PATH)).startsWith("404 ");
    assertThat(ask(bare, reads, HttpMethod.GET, HttpBinding.PROBE_PATH)).startsWith("404 ");
  }

  @Test
  void internalPortServesNoDirectReadsOverTls() {
    RemoteTarget target = started(member);
    success(put(target.target(), "hello".getBytes(ISO_8859_1)));
    HttpClientOptions bare = new HttpClientOptions().setSsl(true).setTrustAll(true);
    bare.setVerifyHost(false);
    HttpClientOptions known = member.client(new HttpClientOptions());
    assertThatThrownBy(() -> ask(bare, target.address(), HttpMethod.GET, HttpBinding.READ_PATH))
        .hasMessageContaining("certificate_required");
    assertThat(ask(known, target.address(), HttpMethod.GET, HttpBinding.READ_PATH))
        .startsWith("404 ");
  }

  private String ask(
      HttpClientOptions options, TargetAddress address, HttpMethod method, String path) {
    HttpClient client = vertx.createHttpClient(options);
    clients.add(client);
    return client
        .request(method, address.port(), address.host(), path)
        .compose(TlsTargetTest::send)
        .await();
  }

  /** Awaits the answer before the request is sent: the body of an earlier answer would be lost. */
  private static Future<String> send(HttpClientRequest request) {
    Future<String> answer =
        request
            .response()
            .compose(response -> response.body().map(body -> response.statusCode() + " " + body));
    return request
        .putHeader(
            HttpBinding.TICKET_HEADER, ReadTicket.issue(RemoteTarget.CAPABILITIES, get()).text())
        .send()
        .compose(answered -> answer);
  }

  @Test
  void reportOfAPlainTargetOverTlsSaysWhatIsWrong() {
    RemoteTarget plain = new RemoteTarget(vertx, new MemoryTarget());
    plain.start();
    TargetReports reports =
        new TargetReports(vertx, RemoteTarget.CAPABILITIES, called -> Optional.of(member));
    assertThatThrownBy(() -> reports.report(plain.address()).toCompletableFuture().join())
        .hasMessageContaining("it takes no TLS, and its announcement of that has not arrived");
  }

  @Test
  void bodyThatItsReaderAbandonsIsClosed() {
    MemoryTarget memory = new MemoryTarget();
    RemoteTarget target =
        new RemoteTarget(vertx, new FormedTarget(memory, BodyForm.FILE_RANGE::of), member);
    target.start();
    success(put(target.target(), new byte[20 << 20]));
    ObjectRead read = success(target.target().call(get()));
    OutgoingBody body = read.body();
    body.close();
    ObjectRead again = success(target.target().call(get()));
    assertThat(BodyBytes.read(again.body())).hasSize(20 << 20);
  }
}
