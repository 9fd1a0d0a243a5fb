package dev.tarn.gateway.s3;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.request.Addressing;
import java.util.Optional;

/**
 * Where clients find objects.
 *
 * @param addressing tells the style in which a request came
 */
record ObjectUrls(Addressing addressing) {
  ObjectUrls {
    requireNonNull(addressing, "addressing is null");
  }

  /** The URL of an object of the request's bucket, in the style in which the request came. */
  String of(S3Request request, ObjectKey key) {
    boolean bucketInHost = addressing.hostBucket(request.head()).isPresent();
    return (request.head().secure() ? "https://" : "http://")
        + Optional.ofNullable(request.header("host")).orElse("")
        + (bucketInHost ? "/" : "/" + request.bucket().name() + "/")
        + ListingText.url(key.text());
  }
}
