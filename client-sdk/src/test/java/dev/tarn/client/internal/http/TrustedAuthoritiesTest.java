package dev.tarn.client.internal.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.tarn.fixtures.TestAuthority;
import dev.tarn.fixtures.TestAuthority.Issued;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.SdkHttpMethod;

/** Reads over https from servers that authorities vouch for. */
@Timeout(60)
final class TrustedAuthoritiesTest {
  private static final byte[] BODY = new byte[3 << 20];

  private final TestAuthority authority = new TestAuthority("cluster");
  private final PlainHttp http = http(Duration.ofSeconds(10));
  private @Nullable HttpsServer server;

  static {
    Arrays.fill(BODY, (byte) 7);
  }

  private static PlainHttp http(Duration connectTimeout) {
    return new PlainHttp(new ConnectionLimits(connectTimeout, Duration.ofSeconds(20), 4));
  }

  @AfterEach
  void stop() {
    http.close();
    if (server != null) {
      server.stop(0);
    }
  }

  private int serve(Issued issued) throws IOException, GeneralSecurityException {
    char[] password = "changeit".toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("key", issued.key(), password, new Certificate[] {issued.certificate()});
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    HttpsServer begun =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server = begun;
    begun.setHttpsConfigurator(new HttpsConfigurator(context));
    begun.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, BODY.length);
          exchange.getResponseBody().write(BODY);
          exchange.close();
        });
    begun.start();
    return begun.getAddress().getPort();
  }

  private static TrustedAuthorities trust(TestAuthority... authorities)
      throws CertificateEncodingException {
    StringBuilder text = new StringBuilder();
    for (TestAuthority each : authorities) {
      byte[] der = each.certificate().getEncoded();
      text.append(text.isEmpty() ? "" : ",").append(Base64.getEncoder().encodeToString(der));
    }
    return TrustedAuthorities.parse(text.toString());
  }

  private byte[] read(int port, TrustedAuthorities trusted) throws IOException {
    return read(http, port, trusted);
  }

  private static byte[] read(PlainHttp by, int port, TrustedAuthorities trusted)
      throws IOException {
    HttpAnswer answer =
        by.trusting(trusted)
            .send(
                HttpSender.request(
                    SdkHttpMethod.GET, URI.create("https://127.0.0.1:" + port + "/"), Map.of()));
    try (InputStream body = answer.body()) {
      return body.readAllBytes();
    }
  }

  @Test
  void serverThatOneOfTheAuthoritiesVouchesForIsReadFrom() throws Exception {
    int port = serve(authority.issueLocal());
    TrustedAuthorities trusted = trust(new TestAuthority("former"), authority);
    for (int turn = 0; turn < 3; turn++) {
      assertThat(read(port, trusted)).isEqualTo(BODY);
    }
  }

  @Test
  void serverOfAnotherAuthorityIsRefused() throws Exception {
    int port = serve(new TestAuthority("cluster").issueLocal());
    TrustedAuthorities trusted = trust(authority);
    assertThatThrownBy(() -> read(port, trusted)).isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void connectionsServeTheAuthoritiesThatVerifiedThemAlone() throws Exception {
    int port = serve(authority.issueLocal());
    assertThat(read(port, trust(authority))).isEqualTo(BODY);
    TrustedAuthorities other = trust(new TestAuthority("cluster"));
    assertThatThrownBy(() -> read(port, other)).isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void serverWithTheCertificateOfAnotherHostIsRefused() throws Exception {
    int port = serve(authority.issue("target-2.example", "10.0.0.2"));
    TrustedAuthorities trusted = trust(authority);
    assertThatThrownBy(() -> read(port, trusted)).isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void expiredServerIsRefused() throws Exception {
    int port = serve(authority.issue(Instant.now().minusSeconds(60), "127.0.0.1"));
    TrustedAuthorities trusted = trust(authority);
    assertThatThrownBy(() -> read(port, trusted)).isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void handshakeEndsWithTheTimeToConnect() throws Exception {
    TrustedAuthorities trusted = trust(authority);
    try (PlainHttp impatient = http(Duration.ofMillis(200));
        ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> read(impatient, mute.getLocalPort(), trusted))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void serverInTheClearIsRefused() throws Exception {
    TrustedAuthorities trusted = trust(authority);
    try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(() -> {
            try (var accepted = plain.accept()) {
              accepted.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(US_ASCII));
              accepted.getInputStream().readAllBytes();
            } catch (IOException e) {
              // The client has gone.
            }
          });
      answering.start();
      assertThatIOException().isThrownBy(() -> read(plain.getLocalPort(), trusted));
      answering.join();
    }
  }
}
