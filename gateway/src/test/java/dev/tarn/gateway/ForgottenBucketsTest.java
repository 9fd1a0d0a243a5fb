package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

class ForgottenBucketsTest {
  @Test
  void deletingABucketWithABackendNeitherListsNorAbortsThere() {
    BackendSettings backend =
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "far", "", "", "");
    BucketSettings settings = BucketSettings.PRIMARY.withBackend(Optional.of(backend));
    try (GatewayFixture gateway = new GatewayFixture();
        S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      gateway.submit(new Command.CreateBucket(1, "cached", "alice-id", settings));
      s3.putObject(r -> r.bucket("cached").key("k"), RequestBody.fromString("x"));

      s3.deleteBucket(r -> r.bucket("cached"));

      assertThat(s3.listBuckets().buckets()).isEmpty();
    }
  }
}
