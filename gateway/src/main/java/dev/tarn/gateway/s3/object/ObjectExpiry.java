package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.gateway.http.HttpDates;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.PercentEncoding;
import java.util.List;

/** When the bucket's lifecycle ends an object. */
public final class ObjectExpiry {
  private ObjectExpiry() {}

  /** Tells of the rule that is the first to end the object, if there is one. */
  public static void header(Response response, Bucket bucket, ObjectMetadata object) {
    List<LifecycleRule> rules = bucket.configuration().lifecycle();
    LifecycleRule first = null;
    long firstMs = Long.MAX_VALUE;
    for (LifecycleRule rule : rules) {
      long expiresMs = rule.expiresMs(object.modifiedMs()).orElse(Long.MAX_VALUE);
      if (expiresMs < firstMs
          && rule.filter()
              .includes(object.name().key(), object.sizeBytes(), object.attributes()::tags)) {
        first = rule;
        firstMs = expiresMs;
      }
    }
    if (first != null) {
      response.header(
          "x-amz-expiration",
          "expiry-date=\"%s\", rule-id=\"%s\""
              .formatted(HttpDates.format(firstMs), PercentEncoding.encode(first.id())));
    }
  }
}
