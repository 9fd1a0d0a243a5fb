package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.GatewayLimits;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Version ids of a bucket with a backend are the backend's, in any form. */
class BackendVersionsTest {
  private static final String AWS = "3sL4kqtJlcpXroDTDmJ.rm_pXd3dIbrHY";

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private GatewayFixture gateway;
  private S3Client s3;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture(GatewayLimits.DEFAULT, Versions::new);
    BackendSettings backend =
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "far", "", "", "");
    gateway.submit(
        new Command.CreateBucket(
            1, "cached", "alice-id", BucketSettings.PRIMARY.withBackend(Optional.of(backend))));
    gateway.submit(new Command.CreateBucket(1, "plain", "alice-id", BucketSettings.PRIMARY));
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.putObject(r -> r.bucket("cached").key("key"), RequestBody.fromString("x"));
  }

  @AfterEach
  void stop() {
    s3.close();
    gateway.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {AWS, "f9f2c0d4-1c6e-4a8e-9f0a-0b1d3c2e4f5a", "1700000000000001", "null"})
  void anyVersionIdReachesTheTarget(String version) {
    assertThatThrownBy(() -> s3.getObject(r -> r.bucket("cached").key("none").versionId(version)))
        .isInstanceOfSatisfying(
            S3Exception.class, failed -> assertThat(failed.statusCode()).isEqualTo(404));
    s3.deleteObject(r -> r.bucket("cached").key("none").versionId(version));
    s3.deleteObjects(r ->
        r.bucket("cached")
            .delete(list ->
                list.objects(ObjectIdentifier.builder().key("none").versionId(version).build())));

    assertThat(asked).containsExactly(version, version, version);
  }

  @Test
  void bucketWithABackendHasNoObjectLock() {
    assertRefused(
        "NotImplemented",
        501,
        () ->
            s3.putObjectLockConfiguration(r ->
                r.bucket("cached").objectLockConfiguration(c -> c.objectLockEnabled("Enabled"))));
    assertRefused(
        "NotImplemented",
        501,
        () -> s3.createBucket(r -> r.bucket("cached").objectLockEnabledForBucket(true)));
    assertRefused(
        "InvalidRequest",
        400,
        () ->
            s3.putObject(
                r -> r.bucket("cached").key("key").objectLockLegalHoldStatus("ON"),
                RequestBody.fromString("x")));
    assertRefused(
        "ObjectLockConfigurationNotFoundError",
        404,
        () -> s3.getObjectLockConfiguration(r -> r.bucket("cached")));
  }

  @Test
  void bucketWithoutABackendHasItsOwnVersionIdsOnly() {
    assertThatThrownBy(() -> s3.getObject(r -> r.bucket("plain").key("key").versionId(AWS)))
        .isInstanceOfSatisfying(
            S3Exception.class, failed -> assertThat(failed.statusCode()).isEqualTo(400));
  }

  @Test
  void answersShowTheVersionOfTheBackend() {
    assertThat(s3.headObject(r -> r.bucket("cached").key("key")).versionId()).isEqualTo(AWS);
  }

  /** Notes the versions that it is asked for, and gives its objects one of a backend. */
  private final class Versions extends ForwardingTarget {
    Versions(ObjectTarget target) {
      super(target);
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      if (request instanceof TargetRequest.OfKey<R> ofKey) {
        ofKey.version().ifPresent(asked::add);
      }
      return super.call(request, body);
    }

    @Override
    public CompletionStage<Outcome<ObjectHead>> head(
        TargetRequest.Head request, IncomingBody body) {
      return super.head(request, body).thenApply(outcome -> outcome.map(Versions::ofABackend));
    }

    private static ObjectHead ofABackend(ObjectHead head) {
      ObjectMetadata stored = head.metadata();
      ObjectMetadata cached =
          new ObjectMetadata(
              stored.name(),
              stored.version(),
              true,
              false,
              stored.sizeBytes(),
              stored.etag(),
              stored.checksums(),
              stored.attributes(),
              stored.modifiedMs(),
              stored.parts(),
              new Origin(stored.etag(), AWS, 1, 1));
      return new ObjectHead(cached, head.offset(), head.length());
    }
  }
}
