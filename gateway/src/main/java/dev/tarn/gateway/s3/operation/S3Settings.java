package dev.tarn.gateway.s3.operation;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import java.util.List;

/**
 * The part of the gateway's configuration that the operations need. The configuration is checked
 * there.
 *
 * @param region as clients see it
 * @param domains of virtual-host style
 * @param bucketDefaults the settings of new buckets
 * @param bodyBytesMax the maximum size of one object or part, decoded
 * @param documentBytesMax the maximum size of one XML document
 * @param deletesInFlightMax how many keys of one DeleteObjects are deleted at the same time
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
