package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose first line has a whole URI, as clients send them to a proxy. */
class AbsoluteUrisTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    GatewayConfig plain = GatewayFixture.config(GatewayLimits.DEFAULT);
    GatewayConfig withDomain =
        new GatewayConfig(
            plain.host(),
            plain.port(),
            plain.tls(),
            List.of("s3.test"),
            plain.region(),
            plain.limits(),
            plain.bucketDefaults(),
            plain.accessLog());
    wire = new WireFixture("wire", new GatewayFixture(withDomain, UnaryOperator.identity()));
    wire.store("object", "content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://", "HTTP://", "https://"})
  void wholeUriNamesWhatItsPathNames(String scheme) throws IOException {
    try (RawConnection connection = wire.connect()) {
      String target = scheme + wire.host() + "/wire/object";

      assertThat(connection.send(wire.request("GET", target, "")).receive().body())
          .isEqualTo("content");
      assertThat(connection.send(wire.request("HEAD", target, "")).receive(true).status())
          .isEqualTo(200);
      assertThat(connection.send(wire.request("GET", target + "?tagging", "")).receive().status())
          .isEqualTo(403);
      assertThat(connection.send(wire.request("GET", scheme + wire.host(), "")).receive().status())
          .isEqualTo(403);
    }
  }

  @Test
  void signatureCoversThePathAndTheAuthorityOfTheUri() throws IOException {
    Signed put = wire.signer().sign("PUT", "/wire/whole", WireFixture.UNSIGNED, Map.of());
    String absolute =
        put.with("Content-Length: 1\r\n").replace("PUT /", "PUT http://" + wire.host() + "/");
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(absolute + "x").receive().status()).isEqualTo(200);
      assertThat(
              connection
                  .send(absolute.replace("http://127.0.0.1", "http://127.0.0.2") + "x")
                  .receive()
                  .body())
          .contains("<Code>SignatureDoesNotMatch</Code>");
      assertThat(
              connection
                  .send(absolute.replaceFirst("host: [^\r]*", "host: elsewhere") + "x")
                  .receive()
                  .status())
          .isEqualTo(200);
    }
  }

  @Test
  void bucketMayBeInTheAuthorityOfTheUriAndTheHostHeaderDoesNotCount() throws IOException {
    String target = "http://wire.s3.test:" + wire.gateway().port() + "/object";
    try (RawConnection connection = wire.connect()) {
      RawResponse read =
          connection.send("GET " + target + " HTTP/1.1\r\nHost: nobodys.s3.test\r\n\r\n").receive();

      assertThat(read.body()).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a/wire/object", "wire/object", "*", "a:80", "http:/wire/object"})
  void otherFormsAreRefused(String target) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(wire.request("GET", target, "")).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("<Code>InvalidURI</Code>");
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }
}
