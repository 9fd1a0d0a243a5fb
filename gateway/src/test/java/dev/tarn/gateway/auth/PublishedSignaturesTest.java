package dev.tarn.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.auth.Authentication.Authenticated;
import dev.tarn.gateway.auth.Authentication.Scheme;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of the documentation of S3, whose signatures everybody must find. */
class PublishedSignaturesTest {
  private final Authenticator authenticator = ExampleRequests.authenticator();

  @Test
  void downloadOfARangeIsAccepted() {
    assertThat(authenticator.authenticate(ExampleRequests.getObject()))
        .isEqualTo(
            new Authenticated(
                ExampleRequests.USER,
                ExampleRequests.KEY.id(),
                Scheme.V4_HEADER,
                new PayloadPlan.Sha256(ExampleRequests.EMPTY_SHA256)));
  }

  @ParameterizedTest
  @CsvSource({"/test$file.text", "/test%24file.text", "/%74est%24file.text"})
  void uploadWithADateHeaderIsAcceptedHoweverItsPathIsEscaped(String path) {
    RequestHead head =
        ExampleRequests.request(
            "PUT",
            path,
            "Host",
            "examplebucket.s3.amazonaws.com",
            "Date",
            "Fri, 24 May 2013 00:00:00 GMT",
            "Authorization",
            ExampleRequests.authorization(
                "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
            "x-amz-date",
            "20130524T000000Z",
            "x-amz-storage-class",
            "REDUCED_REDUNDANCY",
            "x-amz-content-sha256",
            "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
    assertThat(authenticator.authenticate(head)).isInstanceOf(Authenticated.class);
  }

  @ParameterizedTest
  @CsvSource({
    "/?lifecycle, fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    "/?lifecycle=, fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    "/?max-keys=2&prefix=J, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    "/?prefix=%4A&max-keys=2, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  })
  void queryIsAcceptedHoweverItIsWritten(String target, String signature) {
    RequestHead head =
        ExampleRequests.request(
            "GET",
            target,
            "Host",
            "examplebucket.s3.amazonaws.com",
            "Authorization",
            ExampleRequests.authorization("host;x-amz-content-sha256;x-amz-date", signature),
            "x-amz-content-sha256",
            ExampleRequests.EMPTY_SHA256,
            "x-amz-date",
            "20130524T000000Z");
    assertThat(authenticator.authenticate(head)).isInstanceOf(Authenticated.class);
  }

  @Test
  void presignedDownloadIsAccepted() {
    RequestHead head =
        ExampleRequests.request(
            "GET",
            "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature="
                + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
            "Host",
            "examplebucket.s3.amazonaws.com");
    assertThat(authenticator.authenticate(head))
        .isEqualTo(
            new Authenticated(
                ExampleRequests.USER,
                ExampleRequests.KEY.id(),
                Scheme.V4_QUERY,
                new PayloadPlan.Unsigned()));
  }

  @Test
  void chunkedUploadsAreAccepted() {
    assertThat(authenticator.authenticate(ExampleRequests.putChunks()).payload())
        .isInstanceOf(PayloadPlan.SignedChunks.class);
    assertThat(authenticator.authenticate(ExampleRequests.putChunksWithTrailer()).payload())
        .isInstanceOf(PayloadPlan.SignedChunks.class);
  }

  @Test
  void presignedDownloadOfVersionTwoIsAccepted() {
    RequestHead head =
        RequestHead.parse(
            "GET",
            "/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE"
                + "&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620",
            Headers.of("Host", "johnsmith.s3.amazonaws.com"),
            false,
            Instant.ofEpochSecond(1175139620));
    assertThat(authenticator.authenticate(head))
        .isEqualTo(
            new Authenticated(
                ExampleRequests.USER,
                ExampleRequests.KEY.id(),
                Scheme.V2_QUERY,
                new PayloadPlan.Unsigned()));
  }
}
