package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.fixtures.target.BodyBytes;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.UploadPartCopyResponse;

/** Copies between a bucket with a backend and one without, which no target makes. */
class BackendCopiesTest {
  private static final String CHANGED_ON_ITS_WAY = "changed on its way";
  private static final byte[] OBJECT = new byte[600_000];

  private static GatewayFixture gateway;
  private static S3Client s3;

  @BeforeAll
  static void start() {
    new Random(9).nextBytes(OBJECT);
    gateway = new GatewayFixture(GatewayLimits.DEFAULT, WithinBuckets::new);
    BackendSettings backend =
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "far", "", "", "");
    gateway.submit(
        new Command.CreateBucket(
            1, "cached", "alice-id", BucketSettings.PRIMARY.withBackend(Optional.of(backend))));
    gateway.submit(new Command.CreateBucket(1, "plain", "alice-id", BucketSettings.PRIMARY));
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

  @Test
  void copyOutOfABucketWithABackendTakesTheTagsOver() {
    s3.putObject(
        r -> r.bucket("cached").key("tagged").tagging("a=1&b=2"), RequestBody.fromBytes(OBJECT));

    s3.copyObject(r ->
        r.sourceBucket("cached")
            .sourceKey("tagged")
            .destinationBucket("plain")
            .destinationKey("tagged copy"));

    assertThat(s3.getObjectTagging(r -> r.bucket("cached").key("tagged")).tagSet())
        .extracting(Tag::key)
        .containsExactlyInAnyOrder("a", "b");
    assertThat(s3.getObjectTagging(r -> r.bucket("plain").key("tagged copy")).tagSet())
        .extracting(Tag::key)
        .containsExactlyInAnyOrder("a", "b");
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

  @ParameterizedTest
  @CsvSource({"flipped, 500, InternalError", "broken, 503, ServiceUnavailable"})
  void copyOfASourceThatDoesNotArriveAsItIsFails(String key, int status, String code) {
    s3.putObject(r -> r.bucket("plain").key(key), RequestBody.fromBytes(OBJECT));

    assertThatThrownBy(() ->
            s3.copyObject(r ->
                r.sourceBucket("plain")
                    .sourceKey(key)
                    .destinationBucket("cached")
                    .destinationKey("copy of " + key)))
        .isInstanceOfSatisfying(
            S3Exception.class,
            failed -> {
              assertThat(failed.statusCode()).isEqualTo(status);
              assertThat(failed.awsErrorDetails().errorCode()).isEqualTo(code);
              assertThat(failed.awsErrorDetails().errorMessage()).contains(key);
            });
    assertThatThrownBy(() -> s3.headObject(r -> r.bucket("cached").key("copy of " + key)))
        .isInstanceOf(NoSuchKeyException.class);
  }

  @ParameterizedTest
  @CsvSource({"plain, cached", "cached, plain"})
  void rangeThatChangesOnItsWayToTheReceiverIsNotStored(String from, String to) {
    s3.putObject(r -> r.bucket(from).key("source"), RequestBody.fromBytes(OBJECT));
    String upload = s3.createMultipartUpload(r -> r.bucket(to).key(CHANGED_ON_ITS_WAY)).uploadId();

    assertThatThrownBy(() ->
            s3.uploadPartCopy(r ->
                r.sourceBucket(from)
                    .sourceKey("source")
                    .copySourceRange("bytes=1000-299999")
                    .destinationBucket(to)
                    .destinationKey(CHANGED_ON_ITS_WAY)
                    .uploadId(upload)
                    .partNumber(1)))
        .isInstanceOfSatisfying(
            S3Exception.class,
            failed -> {
              assertThat(failed.statusCode()).isEqualTo(500);
              assertThat(failed.awsErrorDetails().errorCode()).isEqualTo("InternalError");
              assertThat(failed.awsErrorDetails().errorMessage()).contains("source");
            });
    assertThat(s3.listParts(r -> r.bucket(to).key(CHANGED_ON_ITS_WAY).uploadId(upload)).parts())
        .isEmpty();
  }

  /**
   * Copies within a bucket only, and gives tags only on request, as the caching target does. Reads
   * of some keys give other bytes than were put, or break off. The bodies of parts of one key
   * arrive with a changed bit.
   */
  private static final class WithinBuckets extends ForwardingTarget {
    WithinBuckets(ObjectTarget target) {
      super(target);
    }

    @Override
    public CompletionStage<Outcome<ObjectRead>> get(TargetRequest.Get get, IncomingBody body) {
      return super.get(get, body)
          .thenApply(outcome -> outcome.map(read -> spoilt(get, read).with(Map.of())));
    }

    @Override
    public CompletionStage<Outcome<ObjectHead>> head(TargetRequest.Head head, IncomingBody body) {
      CompletionStage<Outcome<ObjectHead>> stored = super.head(head, body);
      return head.tagged()
          ? stored
          : stored.thenApply(outcome -> outcome.map(WithinBuckets::untagged));
    }

    @Override
    public CompletionStage<Outcome<ObjectPart>> putPart(
        UploadRequest.PutPart put, IncomingBody body) {
      boolean changed = put.key().text().equals(CHANGED_ON_ITS_WAY);
      return super.putPart(put, changed ? new ChangedBody(body) : body);
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> copy(
        TargetRequest.Copy copy, IncomingBody body) {
      return isWithin(copy) ? super.copy(copy, body) : refused();
    }

    @Override
    public CompletionStage<Outcome<ObjectPart>> copyPart(
        UploadRequest.CopyPart copy, IncomingBody body) {
      return isWithin(copy) ? super.copyPart(copy, body) : refused();
    }

    private static boolean isWithin(TargetRequest.Copying<?> copy) {
      return copy.source().scope().bucket().equals(copy.scope().bucket());
    }

    private static <R> CompletionStage<Outcome<R>> refused() {
      return CompletableFuture.completedFuture(
          Outcome.failed(new Failure.InvalidRequest("copies within a bucket only")));
    }

    private static ObjectHead untagged(ObjectHead head) {
      ObjectMetadata metadata = head.metadata();
      return new ObjectHead(
          metadata.with(metadata.attributes().with(Map.of())), head.offset(), head.length());
    }

    private static ObjectRead spoilt(TargetRequest.Get request, ObjectRead read) {
      return switch (request.key().text()) {
        case "flipped" -> {
          byte[] bytes = BodyBytes.read(read.body());
          bytes[bytes.length / 2] ^= 1;
          yield new ObjectRead(
              read.head(), new OutgoingBody.Bytes(ByteBuffer.wrap(bytes), () -> {}));
        }
        case "broken" -> {
          long length = read.body().length();
          read.body().close();
          Flow.Publisher<ByteBuffer> broken =
              subscriber -> {
                subscriber.onSubscribe(new Ignoring());
                subscriber.onError(new IOException("broken off"));
              };
          yield new ObjectRead(read.head(), new OutgoingBody.Stream(broken, length, () -> {}));
        }
        default -> read;
      };
    }

    /** The first bit of each buffer is another one. */
    private record ChangedBody(IncomingBody body) implements IncomingBody {
      @Override
      public long length() {
        return body.length();
      }

      @Override
      public DeclaredDigests declaredDigests() {
        return body.declaredDigests();
      }

      @Override
      public Flow.Publisher<ByteBuffer> bytes() {
        return subscriber -> body.bytes().subscribe(new Changing(subscriber));
      }
    }

    private record Changing(Flow.Subscriber<? super ByteBuffer> receiver)
        implements Flow.Subscriber<ByteBuffer> {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        receiver.onSubscribe(subscription);
      }

      @Override
      public void onNext(ByteBuffer bytes) {
        ByteBuffer changed = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        changed.put(0, (byte) (changed.get(0) ^ 0x80));
        receiver.onNext(changed);
      }

      @Override
      public void onError(Throwable cause) {
        receiver.onError(cause);
      }

      @Override
      public void onComplete() {
        receiver.onComplete();
      }
    }

    private static final class Ignoring implements Flow.Subscription {
      @Override
      public void request(long count) {}

      @Override
      public void cancel() {}
    }
  }
}
