package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.gateway.http.GatewayLimits;
import java.util.List;

/**
 * The part of the gateway's configuration that the operations need. The configuration is checked
 * there.
 *
 * @param region as clients see it
 * @param domains of virtual-host style
 * @param bucketDefaults the settings of new buckets
 * @param limits of bodies, documents and deletes in flight
 */
public record S3Settings(
    String region, List<String> domains, BucketSettings bucketDefaults, GatewayLimits limits) {
  public S3Settings {
    requireNonNull(region, "region is null");
    domains = List.copyOf(domains);
    requireNonNull(bucketDefaults, "bucketDefaults is null");
    requireNonNull(limits, "limits is null");
  }
}
