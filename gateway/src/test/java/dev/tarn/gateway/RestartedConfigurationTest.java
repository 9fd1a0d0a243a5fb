package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.local.LocalControlPlane;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.http.GatewayLimits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.Tag;

/** What a bucket's owner has set lies in the control plane's log. */
class RestartedConfigurationTest {
  private static final String POLICY =
      "{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\","
          + "\"Resource\":\"arn:aws:s3:::kept/*\"}}";

  private final MemoryTarget objects = new MemoryTarget();

  @TempDir private Path folder;

  @Test
  void whatWasSetIsThereAfterARestart() throws IOException {
    serving(s3 -> {
      s3.createBucket(r -> r.bucket("kept").acl("public-read"));
      s3.putBucketTagging(r ->
          r.bucket("kept").tagging(t -> t.tagSet(Tag.builder().key("team").value("maps").build())));
      s3.putBucketCors(r ->
          r.bucket("kept")
              .corsConfiguration(c ->
                  c.corsRules(
                      CORSRule.builder().allowedOrigins("*").allowedMethods("GET").build())));
      s3.putBucketPolicy(r -> r.bucket("kept").policy(POLICY));
    });
    serving(s3 -> {
      assertThat(s3.getBucketAcl(r -> r.bucket("kept")).grants()).hasSize(2);
      assertThat(s3.getBucketTagging(r -> r.bucket("kept")).tagSet()).hasSize(1);
      assertThat(s3.getBucketCors(r -> r.bucket("kept")).corsRules()).hasSize(1);
      assertThat(s3.getBucketPolicy(r -> r.bucket("kept")).policy()).isEqualTo(POLICY);
    });
  }

  private void serving(Consumer<S3Client> visit) throws IOException {
    try (LocalControlPlane control = LocalControlPlane.open(folder)) {
      if (control.state().user("alice-id") == null) {
        submit(control, new Command.CreateUser(1, new User("alice-id", "alice", false)));
        submit(
            control,
            new Command.CreateAccessKey(1, new AccessKey("KEY", "the secret", "alice-id", 1)));
      }
      GatewayServer server =
          new GatewayServer(
              GatewayFixture.config(GatewayLimits.DEFAULT),
              control,
              objects,
              new SimpleMeterRegistry());
      int port = server.start();
      try (S3Client s3 =
          S3Client.builder()
              .endpointOverride(URI.create("http://127.0.0.1:" + port))
              .region(Region.US_EAST_1)
              .forcePathStyle(true)
              .httpClientBuilder(UrlConnectionHttpClient.builder())
              .credentialsProvider(
                  StaticCredentialsProvider.create(AwsBasicCredentials.create("KEY", "the secret")))
              .build()) {
        visit.accept(s3);
      } finally {
        server.close();
      }
    }
  }

  private static void submit(ControlPlane control, Command command) {
    control.submit(command).toCompletableFuture().join();
  }
}
