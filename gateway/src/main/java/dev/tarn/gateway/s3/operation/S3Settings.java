package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import java.util.List;

/**
 * What the operations need of the gateway's configuration, which checks it.
 *
 * @param region as clients see it
 * @param domains of virtual-host style
 * @param bucketDefaults the settings of new buckets
 * @param bodyBytesMax one object or part, decoded
 * @param documentBytesMax one XML document
 * @param deletesInFlightMax keys of one DeleteObjects deleted at a time
 */
public record S3Settings(
    String region,
    List<String> domains,
    BucketSettings bucketDefaults,
    long bodyBytesMax,
    int documentBytesMax,
    int deletesInFlightMax) {
  public S3Settings {
    requireNonNull(region, "region is null");
    domains = List.copyOf(domains);
    requireNonNull(bucketDefaults, "bucketDefaults is null");
  }
}
