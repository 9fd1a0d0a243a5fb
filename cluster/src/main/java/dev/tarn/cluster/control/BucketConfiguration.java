package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.CannedAcl;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration that a bucket's owner sets through S3. Each part changes separately, see {@link
 * BucketChange}: concurrent changes to two parts do not undo each other.
 *
 * @param versioning whether overwritten and deleted versions stay
 * @param acl who may list the bucket
 * @param tags of the bucket, by key
 * @param cors in the order in which they are tried; empty for no configuration
 * @param lifecycle empty for no configuration
 * @param policy the JSON document as given; its gateway has validated it
 * @param access what is set against public access
 */
public record BucketConfiguration(
    Versioning versioning,
    CannedAcl acl,
    Map<String, String> tags,
    List<CorsRule> cors,
    List<LifecycleRule> lifecycle,
    Optional<String> policy,
    AccessControls access) {
  /** The configuration of a new bucket. */
  public static final BucketConfiguration NONE =
      new BucketConfiguration(
          Versioning.OFF,
          CannedAcl.PRIVATE,
          Map.of(),
          List.of(),
          List.of(),
          Optional.empty(),
          AccessControls.NONE);

  public BucketConfiguration {
    requireNonNull(versioning, "versioning is null");
    requireNonNull(acl, "acl is null");
    tags = Map.copyOf(tags);
    cors = List.copyOf(cors);
    lifecycle = List.copyOf(lifecycle);
    requireNonNull(policy, "policy is null");
    requireNonNull(access, "access is null");
  }

  BucketConfiguration withVersioning(Versioning changed) {
    return new BucketConfiguration(changed, acl, tags, cors, lifecycle, policy, access);
  }

  BucketConfiguration withAcl(CannedAcl changed) {
    return new BucketConfiguration(versioning, changed, tags, cors, lifecycle, policy, access);
  }

  BucketConfiguration withTags(Map<String, String> changed) {
    return new BucketConfiguration(versioning, acl, changed, cors, lifecycle, policy, access);
  }

  BucketConfiguration withCors(List<CorsRule> changed) {
    return new BucketConfiguration(versioning, acl, tags, changed, lifecycle, policy, access);
  }

  BucketConfiguration withLifecycle(List<LifecycleRule> changed) {
    return new BucketConfiguration(versioning, acl, tags, cors, changed, policy, access);
  }

  BucketConfiguration withPolicy(Optional<String> changed) {
    return new BucketConfiguration(versioning, acl, tags, cors, lifecycle, changed, access);
  }

  BucketConfiguration withAccess(AccessControls changed) {
    return new BucketConfiguration(versioning, acl, tags, cors, lifecycle, policy, changed);
  }
}
