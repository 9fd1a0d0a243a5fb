package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartCopyResponse;

/** Copies between a bucket with a backend and one without, which no target makes. */
class BackendCopiesTest {
  private static final byte[] OBJECT = new byte[600_000];

  private static GatewayFixture gateway;
  private static S3Client s3;

  @BeforeAll
  static void start() {
    new Random(9).nextBytes(OBJECT);
    gateway = new GatewayFixture(GatewayLimits.DEFAULT, WithinBuckets::new);
    BucketSettings primary = BucketSettings.PRIMARY;
    BackendSettings backend =
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "far", "", "", "");
    gateway.submit(
        new Command.CreateBucket(
            1,
            "cached",
            "alice-id",
            new BucketSettings(
                primary.durability(),
                primary.verify(),
                Optional.of(backend),
                primary.freshness(),
                false)));
    gateway.submit(new Command.CreateBucket(1, "plain", "alice-id", primary));
    s3 = gateway.client(GatewayFixture.ALICE);
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @ParameterizedTest
  @CsvSource({"plain, cached", "cached, plain"})
  void objectIsReadFromOneAndPutToTheOther(String from, String to) {
    s3.putObject(
        r ->
            r.bucket(from)
                .key("source")
                .contentType("text/plain")
                .metadata(Map.of("color", "blue")),
        RequestBody.fromBytes(OBJECT));

    s3.copyObject(
        r -> r.sourceBucket(from).sourceKey("source").destinationBucket(to).destinationKey("copy"));

    var copy = s3.getObjectAsBytes(r -> r.bucket(to).key("copy"));
    assertThat(copy.asByteArray()).isEqualTo(OBJECT);
    assertThat(copy.response().contentType()).isEqualTo("text/plain");
    assertThat(copy.response().metadata()).containsEntry("color", "blue");
  }

  @ParameterizedTest
  @CsvSource({"plain, cached", "cached, plain"})
  void partIsReadFromOneAndPutToTheOther(String from, String to) {
    s3.putObject(r -> r.bucket(from).key("source"), RequestBody.fromBytes(OBJECT));
    String upload = s3.createMultipartUpload(r -> r.bucket(to).key("parts")).uploadId();

    UploadPartCopyResponse part =
        s3.uploadPartCopy(r ->
            r.sourceBucket(from)
                .sourceKey("source")
                .copySourceRange("bytes=1000-299999")
                .destinationBucket(to)
                .destinationKey("parts")
                .uploadId(upload)
                .partNumber(1));
    s3.completeMultipartUpload(r ->
        r.bucket(to)
            .key("parts")
            .uploadId(upload)
            .multipartUpload(parts ->
                parts.parts(
                    CompletedPart.builder()
                        .partNumber(1)
                        .eTag(part.copyPartResult().eTag())
                        .build())));

    assertThat(s3.getObjectAsBytes(r -> r.bucket(to).key("parts")).asByteArray())
        .isEqualTo(Arrays.copyOfRange(OBJECT, 1000, 300_000));
  }

  /** Copies within a bucket only, as the caching target does. */
  private static final class WithinBuckets extends ForwardingTarget {
    WithinBuckets(ObjectTarget target) {
      super(target);
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      return request instanceof TargetRequest.Copying<R> copy
              && !copy.source().scope().bucket().equals(copy.scope().bucket())
          ? CompletableFuture.completedFuture(
              Outcome.failed(new Failure.InvalidRequest("copies within a bucket only")))
          : super.call(request, body);
    }
  }
}
