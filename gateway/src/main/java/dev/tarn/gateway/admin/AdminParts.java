package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.gateway.auth.Authenticator;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The parts that the admin listener shows and changes.
 *
 * @param version of the program
 * @param authenticator verifies signatures
 * @param control holds buckets, users and keys
 * @param bucketDefaults the settings of a bucket created without settings
 * @param deletion deletes buckets
 * @param eviction drops cached bytes
 * @param scrubbing the scrubbers
 * @param status of the nodes
 * @param s3 the S3 listener of this process; empty if it has none, or while it starts
 * @param profile of the S3 requests, and of the reads of cached buckets
 * @param ready whether requests are served
 * @param metrics the current values in the text format of Prometheus
 * @param identities creates ids and secrets
 * @param clock the current time
 */
public record AdminParts(
    String version,
    Authenticator authenticator,
    ControlPlane control,
    BucketSettings bucketDefaults,
    BucketDeletion deletion,
    BucketEviction eviction,
    Scrubbing scrubbing,
    Supplier<NodeStatus> status,
    Supplier<Optional<URI>> s3,
    ClusterProfile profile,
    BooleanSupplier ready,
    Supplier<String> metrics,
    Identities identities,
    InstantSource clock) {
  public AdminParts {
    requireNonNull(version, "version is null");
    requireNonNull(authenticator, "authenticator is null");
    requireNonNull(control, "control is null");
    requireNonNull(bucketDefaults, "bucketDefaults is null");
    requireNonNull(deletion, "deletion is null");
    requireNonNull(eviction, "eviction is null");
    requireNonNull(scrubbing, "scrubbing is null");
    requireNonNull(status, "status is null");
    requireNonNull(s3, "s3 is null");
    requireNonNull(profile, "profile is null");
    requireNonNull(ready, "ready is null");
    requireNonNull(metrics, "metrics is null");
    requireNonNull(identities, "identities is null");
    requireNonNull(clock, "clock is null");
  }
}
