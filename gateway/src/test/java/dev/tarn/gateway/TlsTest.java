package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.fixtures.TestCertificate;
import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.AttributeMap;

/** The listener over TLS, with a certificate from PEM files. */
class TlsTest {
  private static final AttributeMap TRUST_ALL =
      AttributeMap.builder().put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true).build();

  private TestCertificate certificate;
  private GatewayFixture gateway;
  private S3Client s3;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    certificate = TestCertificate.in(folder);
    GatewayConfig plain = GatewayFixture.config(GatewayLimits.DEFAULT);
    gateway =
        new GatewayFixture(
            new GatewayConfig(
                plain.host(),
                plain.port(),
                Optional.of(new GatewayConfig.TlsFiles(certificate.chain(), certificate.key())),
                plain.domains(),
                plain.region(),
                plain.limits(),
                plain.bucketDefaults(),
                plain.accessLog()),
            UnaryOperator.identity());
    s3 =
        gateway
            .clientBuilder(GatewayFixture.ALICE)
            .endpointOverride(URI.create("https://localhost:" + gateway.port()))
            .httpClientBuilder(null)
            .httpClient(UrlConnectionHttpClient.builder().buildWithDefaults(TRUST_ALL))
            .build();
    s3.createBucket(r -> r.bucket("secure"));
  }

  @AfterEach
  void stop() {
    s3.close();
    gateway.close();
  }

  @Test
  void whatTheSdkWritesItReadsBack() {
    byte[] object = new byte[20 << 20];
    new Random(5).nextBytes(object);

    s3.putObject(r -> r.bucket("secure").key("large"), RequestBody.fromBytes(object));

    assertThat(s3.getObjectAsBytes(r -> r.bucket("secure").key("large")).asByteArray())
        .isEqualTo(object);
  }

  @Test
  void policyKnowsThatTheConnectionIsEncrypted() {
    s3.putObject(r -> r.bucket("secure").key("k"), RequestBody.fromString("content"));
    try (S3Client bob =
        gateway
            .clientBuilder(GatewayFixture.BOB)
            .endpointOverride(URI.create("https://localhost:" + gateway.port()))
            .httpClientBuilder(null)
            .httpClient(UrlConnectionHttpClient.builder().buildWithDefaults(TRUST_ALL))
            .build()) {
      allowIfEncrypted("false");
      assertRefused(
          "AccessDenied", 403, () -> bob.getObjectAsBytes(r -> r.bucket("secure").key("k")));

      allowIfEncrypted("true");
      assertThat(bob.getObjectAsBytes(r -> r.bucket("secure").key("k")).asUtf8String())
          .isEqualTo("content");
    }
  }

  private void allowIfEncrypted(String value) {
    s3.putBucketPolicy(r ->
        r.bucket("secure")
            .policy(
                ("{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject',"
                        + "'Resource':'arn:aws:s3:::secure/*',"
                        + "'Condition':{'Bool':{'aws:SecureTransport':'"
                        + value
                        + "'}}}]}")
                    .replace('\'', '"')));
  }

  @Test
  void unsignedChunksWithoutContentLengthAreStored() throws Exception {
    Signed request =
        new HandSigner("localhost:" + gateway.port())
            .sign(
                "PUT",
                "/secure/hello",
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                Map.of(
                    "x-amz-decoded-content-length", "5",
                    "x-amz-trailer", "x-amz-checksum-crc32"));
    String body = "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n";
    try (RawConnection connection = connect()) {
      connection.send(request.with("Transfer-Encoding: chunked\r\n"));
      for (byte character : body.getBytes(ISO_8859_1)) {
        connection.send("1\r\n").send(new byte[] {character}).send("\r\n");
      }

      assertThat(connection.send("0\r\n\r\n").receive().status()).isEqualTo(200);
    }
    assertThat(s3.getObjectAsBytes(r -> r.bucket("secure").key("hello")).asUtf8String())
        .isEqualTo("hello");
  }

  private RawConnection connect() throws Exception {
    return new RawConnection(
        certificate.sockets().createSocket(InetAddress.getLoopbackAddress(), gateway.port()));
  }

  @Test
  void plainHttpIsNotAnswered() throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(connection.read()).isNotEqualTo('H');
    }
  }
}
