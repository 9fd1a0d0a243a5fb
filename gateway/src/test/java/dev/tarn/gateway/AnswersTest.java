package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** What answers say of themselves and of where they are from. */
class AnswersTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void lastModifiedIsADateOfRfc1123(String method) throws IOException {
    try (RawConnection connection = wire.connect()) {
      String modified =
          connection
              .send(wire.request(method, "/wire/object", ""))
              .receive(method.equals("HEAD"))
              .header("Last-Modified");

      assertThat(modified).matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} [\\d:]{8} GMT");
      assertThat(ZonedDateTime.parse(modified, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant())
          .isBetween(Instant.now().minusSeconds(600), Instant.now());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/wire/none | '' | 404",
        "/nobodys | '' | 404",
        "/nobodys/key | '' | 404",
        "/wire/object | range: bytes=7- | 416",
        "/wire/object | if-match: x | 412",
        "/wire/object?partNumber=2 | '' | 416",
        "/wire/object?partNumber=0 | '' | 400",
        "/wire/object?versionId=x | '' | 400",
        "/wire/object?tagging= | '' | 501",
        "/wire/%C0%AF | '' | 400",
      })
  void refusedHeadHasNoBodyAndTheConnectionGoesOn(String target, String header, int status)
      throws IOException {
    Map<String, String> signed = new HashMap<>();
    if (!header.isEmpty()) {
      signed.put(header.split(": ", 2)[0], header.split(": ", 2)[1]);
    }
    try (RawConnection connection = wire.connect()) {
      String head = wire.signer().sign("HEAD", target, WireFixture.UNSIGNED, signed).with("");
      RawResponse refused = connection.send(head).receive(true);
      RawResponse tampered =
          connection.send(head.replace("Signature=", "Signature=0")).receive(true);

      assertThat(refused.status()).isEqualTo(status);
      assertThat(tampered.status()).isIn(400, 403, 501);
      assertThat(connection.send(wire.get("object")).receive().body()).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"us-east-1", "eu-central-1", "mars-north-1"})
  void clientOfAnyRegionIsAnsweredAndSentNowhereElse(String region) {
    try (S3Client s3 =
        wire.gateway()
            .clientBuilder(GatewayFixture.ALICE)
            .region(Region.of(region))
            .crossRegionAccessEnabled(false)
            .build()) {
      assertThat(s3.headBucket(r -> r.bucket("wire")).sdkHttpResponse().statusCode())
          .isEqualTo(200);
      assertThat(s3.getObjectAsBytes(r -> r.bucket("wire").key("object")).asUtf8String())
          .isEqualTo("content");
      assertThat(s3.listObjectsV2(r -> r.bucket("wire")).contents()).hasSize(1);
    }
  }

  @Test
  void regionThatIsNotTheFirstIsToldByItsName() {
    GatewayConfig plain = GatewayFixture.config(GatewayLimits.DEFAULT);
    GatewayConfig elsewhere =
        new GatewayConfig(
            plain.host(),
            plain.port(),
            plain.tls(),
            plain.domains(),
            "eu-central-1",
            plain.limits(),
            plain.bucketDefaults(),
            plain.accessLog());
    try (GatewayFixture gateway = new GatewayFixture(elsewhere, UnaryOperator.identity());
        S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      s3.createBucket(r -> r.bucket("bucket"));

      assertThat(s3.getBucketLocation(r -> r.bucket("bucket")).locationConstraintAsString())
          .isEqualTo("eu-central-1");
      assertThat(s3.headBucket(r -> r.bucket("bucket")).bucketRegion()).isEqualTo("eu-central-1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/wire", "/wire/", "/wire?location=", "/wire/?location="})
  void noSlashAndNoOtherNameOfTheHostLeadsToARedirect(String target) throws IOException {
    try (RawConnection connection = wire.connect()) {
      for (String host : new String[] {wire.host(), "wire.s3.amazonaws.com", "localhost"}) {
        String request =
            new HandSigner(host).sign("GET", target, WireFixture.UNSIGNED, Map.of()).with("");

        assertThat(connection.send(request).receive().status()).isEqualTo(200);
      }
    }
  }

  /** Website hosting is not ours: the location is kept and told, and the object given. */
  @Test
  void locationOfARedirectIsToldAndNotFollowed() throws IOException {
    String location = "x-amz-website-redirect-location";
    String put =
        wire.signer()
            .sign("PUT", "/wire/elsewhere", WireFixture.UNSIGNED, Map.of(location, "/other"))
            .with("Content-Length: 1\r\n");
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(put + "x").receive().status()).isEqualTo(200);
      RawResponse read = connection.send(wire.get("elsewhere")).receive();

      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header(location)).isEqualTo("/other");
    }
    wire.s3().deleteObject(r -> r.bucket("wire").key("elsewhere"));
  }
}
