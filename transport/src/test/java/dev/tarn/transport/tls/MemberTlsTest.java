package dev.tarn.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.fixtures.TestAuthority;
import dev.tarn.fixtures.TestAuthority.Issued;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MemberTlsTest {
  private final Vertx vertx = Vertx.vertx();
  private final TestAuthority authority = new TestAuthority("cluster");

  /** Vert.x closes clients that nobody references. */
  private final List<HttpClient> clients = new ArrayList<>();

  private final MemberTls server = new MemberTls(TestIdentities.of(authority));
  private final MemberTls client = new MemberTls(TestIdentities.of(authority));

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private int listen(HttpServerOptions options) {
    HttpServer listening = vertx.createHttpServer(options);
    return listening
        .requestHandler(request -> request.response().end("hello"))
        .listen(0, "127.0.0.1")
        .await()
        .actualPort();
  }

  /** The answer to a request on a new connection. */
  private String ask(MemberTls tls, int port) {
    HttpClientOptions options = tls.client(new HttpClientOptions()).setKeepAlive(false);
    return ask(options, port);
  }

  private String ask(HttpClientOptions options, int port) {
    HttpClient asking = vertx.createHttpClient(options);
    clients.add(asking);
    Future<Buffer> answer =
        asking.request(HttpMethod.GET, port, "127.0.0.1", "/").compose(MemberTlsTest::send);
    return answer.await().toString();
  }

  /** Awaits the answer before the request is sent: the body of an earlier answer would be lost. */
  private static Future<Buffer> send(HttpClientRequest request) {
    Future<Buffer> body = request.response().compose(HttpClientResponse::body);
    return request.send().compose(answered -> body);
  }

  @Test
  void membersOfOneAuthorityTalk() {
    int port = listen(server.mutual(new HttpServerOptions()));
    assertThat(ask(client, port)).isEqualTo("hello");
  }

  @Test
  void memberOfAnotherAuthorityIsRefused() {
    int port = listen(server.mutual(new HttpServerOptions()));
    TestAuthority other = new TestAuthority("cluster");
    Issued foreign = other.issueLocal();
    MemberTls stranger = new MemberTls(TestIdentities.of(authority, foreign));
    assertThatThrownBy(() -> ask(stranger, port)).hasMessageContaining("certificate");
  }

  @Test
  void clientWithoutCertificateIsRefusedByMutualTlsAlone() {
    HttpClientOptions bare = new HttpClientOptions().setSsl(true).setTrustAll(true);
    bare.setVerifyHost(false);
    int mutual = listen(server.mutual(new HttpServerOptions()));
    int serverOnly = listen(server.serverOnly(new HttpServerOptions()));
    assertThatThrownBy(() -> ask(bare, mutual)).hasMessageContaining("certificate_required");
    assertThat(ask(bare, serverOnly)).isEqualTo("hello");
  }

  @Test
  void serverOfAnotherAuthorityIsRefused() {
    MemberTls stranger = new MemberTls(TestIdentities.of(new TestAuthority("cluster")));
    int port = listen(stranger.serverOnly(new HttpServerOptions()));
    assertThatThrownBy(() -> ask(client, port)).isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void serverWithTheNameOfAnotherHostIsRefused() {
    MemberTls elsewhere =
        new MemberTls(
            TestIdentities.of(authority, authority.issue("target-2.example", "10.0.0.2")));
    int port = listen(elsewhere.mutual(new HttpServerOptions()));
    assertThatThrownBy(() -> ask(client, port)).hasStackTraceContaining("127.0.0.1");
  }

  @Test
  void expiredCertificateIsRefused() {
    Issued expired = authority.issue(Instant.now().minusSeconds(60), "127.0.0.1");
    MemberTls late = new MemberTls(TestIdentities.of(authority, expired));
    int ofLate = listen(late.mutual(new HttpServerOptions()));
    int port = listen(server.mutual(new HttpServerOptions()));
    assertThatThrownBy(() -> ask(client, ofLate)).isInstanceOf(SSLHandshakeException.class);
    assertThatThrownBy(() -> ask(late, port)).hasMessageContaining("certificate");
  }

  @Test
  void newIdentityIsUsedByNewConnections() {
    int port = listen(server.mutual(new HttpServerOptions()));
    assertThat(ask(client, port)).isEqualTo("hello");
    TestAuthority next = new TestAuthority("next");
    server.replace(TestIdentities.of(next));
    assertThatThrownBy(() -> ask(client, port)).isInstanceOf(SSLHandshakeException.class);
    client.replace(TestIdentities.of(next));
    assertThat(ask(client, port)).isEqualTo("hello");
  }

  @Test
  void openConnectionsOutliveTheirIdentity() {
    int port = listen(server.mutual(new HttpServerOptions()));
    HttpClientOptions options = client.client(new HttpClientOptions()).setKeepAlive(true);
    var kept = vertx.createHttpClient(options);
    for (int turn = 0; turn < 2; turn++) {
      Buffer answer =
          kept.request(HttpMethod.GET, port, "127.0.0.1", "/").compose(MemberTlsTest::send).await();
      assertThat(answer.toString()).isEqualTo("hello");
      server.replace(TestIdentities.of(new TestAuthority("next")));
    }
  }

  @Test
  void identityThatCannotBeUsedLeavesTheCurrentOne() throws NoSuchAlgorithmException {
    MemberIdentity before = server.identity();
    Issued issued = authority.issueLocal();
    var otherKey = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            server.replace(
                new MemberIdentity(otherKey, List.of(issued.certificate()), authority.alone())))
        .withMessage("key is for RSA, but the certificate is for EC");
    assertThat(server.identity()).isSameAs(before);
  }

  @Test
  void identityHasCertificatesAndAuthorities() {
    Issued issued = authority.issueLocal();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MemberIdentity(issued.key(), List.of(), authority.alone()))
        .withMessageStartingWith("chain is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new MemberIdentity(issued.key(), List.of(issued.certificate()), List.of()))
        .withMessageStartingWith("authorities is empty");
  }
}
