package dev.tarn.gateway.s3.object;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.s3.listing.ListingText;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.Optional;

/**
 * Where clients find objects.
 *
 * @param addressing tells the style in which a request came
 */
public record ObjectUrls(Addressing addressing) {
  public ObjectUrls {
    requireNonNull(addressing, "addressing is null");
  }

  /** The URL of an object of the request's bucket, in the style in which the request came. */
  public String of(S3Request request, ObjectKey key) {
    boolean bucketInHost = addressing.hostBucket(request.head()).isPresent();
    return (request.head().secure() ? "https://" : "http://")
        + Optional.ofNullable(request.header("host")).orElse("")
        + (bucketInHost ? "/" : "/" + request.bucket().name() + "/")
        + ListingText.url(key.text());
  }
}
