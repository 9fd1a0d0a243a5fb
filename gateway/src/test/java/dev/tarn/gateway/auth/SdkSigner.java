package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.checksums.spi.ChecksumAlgorithm;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** The signer of AWS's own SDK, as the judge of ours. */
public final class SdkSigner {
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final AwsCredentialsIdentity identity =
      AwsCredentialsIdentity.create(ExampleRequests.KEY.id(), ExampleRequests.KEY.secret());

  /**
   * A request as it goes over the wire.
   *
   * @param head with its signature
   * @param body as framed, backed by an array
   */
  public record Wire(RequestHead head, ByteBuffer body) {}

  /** Signs in the header, with the hash of the body. */
  public Wire signHeader(SdkHttpRequest request, byte[] body, String region) {
    return wire(signer.sign(request(request, body, region).build()));
  }

  /** Signs in the query string. */
  public Wire presign(SdkHttpRequest request, String region, Duration expires) {
    return wire(
        signer.sign(
            request(overTls(request), new byte[0], region)
                .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, expires)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .build()));
  }

  /** Over plain http the SDK signs an empty body, and says so nowhere. */
  private static SdkHttpRequest overTls(SdkHttpRequest request) {
    return request.toBuilder().protocol("https").build();
  }

  /** Signs in the header and sends the body in chunks, signed or not, with a trailer or without. */
  public Wire signChunks(
      SdkHttpRequest request, byte[] body, boolean signed, @Nullable ChecksumAlgorithm trailer) {
    SignRequest.Builder<AwsCredentialsIdentity> builder =
        request(request, body, "eu-central-1")
            .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
            .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, signed);
    if (trailer != null) {
      builder.putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, trailer);
    }
    return wire(signer.sign(builder.build()));
  }

  private SignRequest.Builder<AwsCredentialsIdentity> request(
      SdkHttpRequest request, byte[] body, String region) {
    return SignRequest.builder(identity)
        .request(request)
        .payload(ContentStreamProvider.fromByteArray(body))
        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
        .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(ExampleRequests.SIGNED, ZoneOffset.UTC));
  }

  private static Wire wire(SignedRequest signed) {
    SdkHttpRequest request = signed.request();
    Headers.Builder headers = Headers.builder();
    request.headers().forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
    String query = request.encodedQueryParameters().map(text -> "?" + text).orElse("");
    RequestHead head =
        RequestHead.parse(
            request.method().name(),
            request.encodedPath() + query,
            headers.build(),
            true,
            ExampleRequests.SIGNED);
    return new Wire(head, ByteBuffer.wrap(read(signed.payload().orElse(null))));
  }

  private static byte[] read(@Nullable ContentStreamProvider payload) {
    if (payload == null) {
      return new byte[0];
    }
    try (var stream =
        requireNonNull(payload.newStream(), "the signer gave a payload without a stream")) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
