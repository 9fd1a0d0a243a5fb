package dev.tarn.gateway.s3.object;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.Optional;

/**
 * The URLs of objects for clients.
 *
 * @param addressing finds the style of a request
 */
public record ObjectUrls(Addressing addressing) {
  public ObjectUrls {
    requireNonNull(addressing, "addressing is null");
  }

  /** The URL of an object in the request's bucket, in the same style as the request. */
  public String of(S3Request request, ObjectKey key) {
    boolean bucketInHost = addressing.hostBucket(request.head()).isPresent();
    return (request.head().secure() ? "https://" : "http://")
        + Optional.ofNullable(request.header("host")).orElse("")
        + (bucketInHost ? "/" : "/" + request.bucket().name() + "/")
        + PercentEncoding.encodePath(key.text());
  }
}
