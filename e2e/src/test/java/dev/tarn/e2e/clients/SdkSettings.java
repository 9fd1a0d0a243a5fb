package dev.tarn.e2e.clients;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.utils.AttributeMap;

/** The AWS SDK's clients, set up for a Tarn with a certificate that nobody has signed. */
final class SdkSettings {
  static final long PART_BYTES = 8L << 20;

  private static final AttributeMap TRUST_ALL =
      AttributeMap.builder().put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true).build();

  private SdkSettings() {}

  private static StaticCredentialsProvider credentials(S3Endpoint endpoint) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey()));
  }

  static S3Client sync(S3Endpoint endpoint) {
    return S3Client.builder()
        .endpointOverride(endpoint.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials(endpoint))
        .forcePathStyle(true)
        .httpClient(Apache5HttpClient.builder().buildWithDefaults(TRUST_ALL))
        .build();
  }

  static S3AsyncClient asyncMultipart(S3Endpoint endpoint) {
    return S3AsyncClient.builder()
        .endpointOverride(endpoint.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials(endpoint))
        .forcePathStyle(true)
        .multipartEnabled(true)
        .multipartConfiguration(
            parts -> parts.thresholdInBytes(PART_BYTES).minimumPartSizeInBytes(PART_BYTES))
        .httpClient(NettyNioAsyncHttpClient.builder().buildWithDefaults(TRUST_ALL))
        .build();
  }

  static S3AsyncClient crt(S3Endpoint endpoint) {
    return S3AsyncClient.crtBuilder()
        .endpointOverride(endpoint.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials(endpoint))
        .forcePathStyle(true)
        .minimumPartSizeInBytes(PART_BYTES)
        .thresholdInBytes(PART_BYTES)
        .httpConfiguration(http -> http.trustAllCertificatesEnabled(true))
        .build();
  }

  /** A URL by which anybody may read the object for a minute. */
  static URI presign(S3Endpoint endpoint, String bucket, String key) {
    try (S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(endpoint.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(credentials(endpoint))
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .build()) {
      GetObjectRequest get = GetObjectRequest.builder().bucket(bucket).key(key).build();
      return URI.create(
          presigner
              .presignGetObject(
                  sign -> sign.signatureDuration(Duration.ofMinutes(1)).getObjectRequest(get))
              .url()
              .toString());
    }
  }
}
