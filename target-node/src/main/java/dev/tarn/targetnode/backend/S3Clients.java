package dev.tarn.targetnode.backend;

import dev.tarn.cluster.control.BackendSettings;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * The SDK's clients of one backend. They block, because the cache runs on virtual threads. They use
 * Apache's HTTP client 5, which pools connections, streams both ways, can discard a half-read
 * answer, and does not pin a carrier thread. The SDK computes no checksums of its own: a second CRC
 * over every byte would only protect the connection to the backend.
 *
 * @param retrying for calls that can be repeated
 * @param once for calls whose body can be read only once
 * @param http the connection pool that both share
 */
record S3Clients(S3Client retrying, S3Client once, SdkHttpClient http) implements AutoCloseable {
  /** Bodies under way take their time; a request that waits for one of their connections, too. */
  private static final Duration CONNECTION_WAIT_MAX = Duration.ofMinutes(1);

  /**
   * Clients with connections of their own.
   *
   * @param hedged is run for each second request ({@link HedgedClient})
   */
  static S3Clients open(BackendSettings settings, BackendLimits limits, Runnable hedged) {
    SdkHttpClient http =
        new RawHeaderClient(
            Apache5HttpClient.builder()
                .maxConnections(limits.connectionsMax())
                .connectionAcquisitionTimeout(CONNECTION_WAIT_MAX)
                .connectionTimeout(limits.connectTimeout())
                .socketTimeout(limits.idleTimeout())
                .build(),
            UrlConnectionHttpClient.builder()
                .connectionTimeout(limits.connectTimeout())
                .socketTimeout(limits.idleTimeout())
                .build(),
            limits.connectionsMax());
    CallLimit limit = new CallLimit(limits.connectionsMax(), System::nanoTime);
    SdkHttpClient limited =
        new LimitedClient(
            new HedgedClient(http, limit, ForkJoinPool.commonPool(), System::nanoTime, hedged),
            limit);
    return new S3Clients(
        client(settings, limited, limits.attemptsMax()), client(settings, limited, 1), limited);
  }

  private static S3Client client(BackendSettings settings, SdkHttpClient http, int attemptsMax) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .region(Region.of(settings.region()))
            .credentialsProvider(credentials(settings))
            .forcePathStyle(settings.endpoint().isPresent())
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(override ->
                override
                    .retryStrategy(retries(attemptsMax))
                    .addExecutionInterceptor(new TraceHeader()));
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  /**
   * Retries with growing pauses of random length. The SDK's own budget of retries is for all calls
   * together, so some calls would fail at the first refusal of a busy backend; {@link CallLimit}
   * bounds the load instead.
   */
  private static RetryStrategy retries(int attemptsMax) {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(attemptsMax)
        .circuitBreakerEnabled(false)
        .build();
  }

  private static AwsCredentialsProvider credentials(BackendSettings settings) {
    return settings.accessKeyId().isEmpty()
        ? AnonymousCredentialsProvider.create()
        : StaticCredentialsProvider.create(
            AwsBasicCredentials.create(settings.accessKeyId(), settings.secretAccessKey()));
  }

  @Override
  public void close() {
    retrying.close();
    once.close();
    http.close();
  }
}
