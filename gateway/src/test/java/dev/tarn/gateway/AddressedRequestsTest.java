package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** How requests name what they are about. */
class AddressedRequestsTest {
  private static final String BUCKET = "addressed";
  private static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  private static GatewayFixture gateway;
  private static S3Client s3;

  @BeforeAll
  static void start() {
    GatewayConfig plain = GatewayFixture.config(GatewayLimits.DEFAULT);
    gateway =
        new GatewayFixture(
            new GatewayConfig(
                plain.host(),
                plain.port(),
                plain.tls(),
                List.of("s3.test"),
                plain.region(),
                plain.limits(),
                plain.bucketDefaults(),
                plain.accessLog()),
            UnaryOperator.identity());
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(r -> r.bucket(BUCKET));
    s3.createBucket(r -> r.bucket("dotted.bucket.name"));
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @Test
  void bucketInTheHostIsWrittenReadAndListed() throws IOException {
    HandSigner signer = new HandSigner(BUCKET + ".s3.test:" + gateway.port());
    Signed put = signer.sign("PUT", "/in/the/host", UNSIGNED, Map.of());
    Signed get = signer.sign("GET", "/in/the/host", UNSIGNED, Map.of());
    Signed list = signer.sign("GET", "/?list-type=2&prefix=in", UNSIGNED, Map.of());
    try (RawConnection connection = new RawConnection(gateway.port())) {
      RawResponse stored =
          connection.send(put.with("Content-Length: 5\r\n")).send("hello").receive();
      RawResponse read = connection.send(get.with("")).receive();
      RawResponse listed = connection.send(list.with("")).receive();

      assertThat(stored.status()).isEqualTo(200);
      assertThat(read.body()).isEqualTo("hello");
      assertThat(listed.body()).contains("<Name>addressed</Name>", "<Key>in/the/host</Key>");
    }
  }

  @ParameterizedTest
  @CsvSource({"addressed.s3.test, ''", "s3.test, /addressed", "127.0.0.1, /addressed"})
  void formIsToldWhereTheObjectIsInTheStyleOfItsRequest(String name, String bucket)
      throws IOException {
    s3.putBucketPolicy(r ->
        r.bucket(BUCKET)
            .policy(
                "{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\","
                    + "\"Action\":\"s3:PutObject\",\"Resource\":\"arn:aws:s3:::addressed/*\"}}"));
    String form =
        String.join(
            "\r\n",
            "--b",
            "Content-Disposition: form-data; name=key",
            "",
            "up/a b",
            "--b",
            "Content-Disposition: form-data; name=file; filename=f",
            "",
            "x",
            "--b--",
            "");
    String host = name + ":" + gateway.port();
    try (RawConnection connection = new RawConnection(gateway.port())) {
      RawResponse stored =
          connection
              .send(
                  "POST %s/ HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n%s"
                      .formatted(bucket, host, form.length(), form))
              .receive();

      assertThat(stored.status()).isEqualTo(204);
      assertThat(stored.header("Location")).isEqualTo("http://" + host + bucket + "/up/a%20b");
    }
  }

  @ParameterizedTest
  @CsvSource({"addressed.s3.test, ''", "s3.test, /addressed", "127.0.0.1, /addressed"})
  void completedUploadSaysWhereTheObjectIsInTheStyleOfItsRequest(String name, String bucket)
      throws IOException {
    String host = name + ":" + gateway.port();
    String id = s3.createMultipartUpload(r -> r.bucket(BUCKET).key("up/a b")).uploadId();
    String etag =
        s3.uploadPart(
                r -> r.bucket(BUCKET).key("up/a b").uploadId(id).partNumber(1),
                RequestBody.fromString("x"))
            .eTag();
    String document =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part></CompleteMultipartUpload>"
            .formatted(etag);
    Signed complete =
        new HandSigner(host).sign("POST", bucket + "/up/a%20b?uploadId=" + id, UNSIGNED, Map.of());
    try (RawConnection connection = new RawConnection(gateway.port())) {
      RawResponse completed =
          connection
              .send(complete.with("Content-Length: " + document.length() + "\r\n") + document)
              .receive();

      assertThat(completed.body())
          .contains("<Location>http://" + host + bucket + "/up/a%20b</Location>");
    }
  }

  @Test
  void dottedBucketIsNamedInThePath() {
    s3.putObject(r -> r.bucket("dotted.bucket.name").key("k"), RequestBody.fromString("content"));

    assertThat(s3.getObjectAsBytes(r -> r.bucket("dotted.bucket.name").key("k")).asUtf8String())
        .isEqualTo("content");
  }

  @Test
  void slashThatAClientEscapedAfterSigningIsASlashOfTheKey() throws IOException {
    HandSigner signer = new HandSigner("127.0.0.1:" + gateway.port());
    Signed put =
        signer.sign("PUT", "/addressed/a/%2Fb%20c", "/addressed/a//b%20c", UNSIGNED, Map.of());
    try (RawConnection connection = new RawConnection(gateway.port())) {
      assertThat(connection.send(put.with("Content-Length: 1\r\n")).send("x").receive().status())
          .isEqualTo(200);
    }

    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix("a/")).contents())
        .extracting(S3Object::key)
        .containsExactly("a//b c");
  }

  @Test
  void signatureOfAnotherPathIsRefused() throws IOException {
    HandSigner signer = new HandSigner("127.0.0.1:" + gateway.port());
    Signed put = signer.sign("PUT", "/addressed/a/%2Fb", "/addressed/a/b", UNSIGNED, Map.of());
    try (RawConnection connection = new RawConnection(gateway.port())) {
      assertThat(connection.send(put.with("Content-Length: 1\r\n")).send("x").receive().body())
          .contains("<Code>SignatureDoesNotMatch</Code>");
    }
  }
}
