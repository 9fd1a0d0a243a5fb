package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Answers to reads of a manifest name the place of the manifest at the backend. */
final class NamedOriginTest {
  private static final String MANIFEST = "train/größe 1/dataset.json";

  private GatewayFixture gateway;
  private S3Client s3;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
  }

  @AfterEach
  void stop() {
    s3.close();
    gateway.close();
  }

  private void create(String bucket, Optional<URI> endpoint, boolean hidden) {
    gateway.submit(
        new Command.CreateBucket(
            1,
            bucket,
            "alice-id",
            BucketSettings.SCHEMA.with(
                BucketSettings.PRIMARY.withBackend(
                    Optional.of(
                        new BackendSettings(
                            endpoint, "eu-central-1", "far", "sets", "an-id", "a-secret"))),
                Map.of("hide-backend", hidden))));
  }

  private SdkHttpResponse put(String bucket, String key) {
    s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromString("{}"));
    return s3.getObjectAsBytes(get -> get.bucket(bucket).key(key)).response().sdkHttpResponse();
  }

  @Test
  void manifestOfACachedBucketNamesItsPlaceAtTheBackend() {
    create("cached", Optional.of(URI.create("http://far.example:9000")), false);

    SdkHttpResponse answer = put("cached", MANIFEST);

    assertThat(answer.firstMatchingHeader("x-tarn-origin"))
        .contains("s3://far/sets/train/gr%C3%B6%C3%9Fe%201/dataset.json");
    assertThat(answer.firstMatchingHeader("x-tarn-origin-region")).contains("eu-central-1");
    assertThat(answer.firstMatchingHeader("x-tarn-origin-endpoint"))
        .contains("http://far.example:9000");
    assertThat(answer.headers().toString()).doesNotContain("an-id").doesNotContain("a-secret");
    assertThat(
            s3.headObject(head -> head.bucket("cached").key(MANIFEST))
                .sdkHttpResponse()
                .firstMatchingHeader("x-tarn-origin"))
        .isPresent();
  }

  @Test
  void endpointIsNamedWithoutItsPassword() {
    create("cached", Optional.of(URI.create("http://me:secret@far.example:9000/s3?x=y")), false);

    assertThat(put("cached", MANIFEST).firstMatchingHeader("x-tarn-origin-endpoint"))
        .contains("http://far.example:9000/s3");
  }

  @Test
  void holderOfAPresignedUrlIsNotToldTheBackend() throws Exception {
    create("cached", Optional.empty(), false);
    put("cached", MANIFEST);

    try (S3Presigner presigner = gateway.presigner(GatewayFixture.ALICE);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(
                      presigner
                          .presignGetObject(presigned ->
                              presigned
                                  .signatureDuration(Duration.ofMinutes(5))
                                  .getObjectRequest(get -> get.bucket("cached").key(MANIFEST)))
                          .url()
                          .toURI())
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("x-tarn-origin")).isEmpty();
    }
  }

  @Test
  void backendOfAmazonHasNoEndpoint() {
    create("cached", Optional.empty(), false);

    SdkHttpResponse answer = put("cached", "dataset.json");

    assertThat(answer.firstMatchingHeader("x-tarn-origin")).contains("s3://far/sets/dataset.json");
    assertThat(answer.firstMatchingHeader("x-tarn-origin-endpoint")).isEmpty();
  }

  @Test
  void otherObjectsNameNothing() {
    create("cached", Optional.empty(), false);

    assertThat(put("cached", "train/shard-000000.tar").firstMatchingHeader("x-tarn-origin"))
        .isEmpty();
    assertThat(put("cached", "train/my-dataset.json").firstMatchingHeader("x-tarn-origin"))
        .isEmpty();
  }

  @Test
  void hiddenBackendIsNotNamed() {
    create("hidden", Optional.empty(), true);

    assertThat(put("hidden", MANIFEST).firstMatchingHeader("x-tarn-origin")).isEmpty();
  }

  @Test
  void bucketWithoutABackendNamesNothing() {
    gateway.submit(new Command.CreateBucket(1, "plain", "alice-id", BucketSettings.PRIMARY));

    assertThat(put("plain", MANIFEST).firstMatchingHeader("x-tarn-origin")).isEmpty();
  }
}
