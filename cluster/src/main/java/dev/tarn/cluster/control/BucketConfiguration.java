package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.AccessList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration that a bucket's owner sets through S3. Each part changes separately, see {@link
 * BucketChange}: concurrent changes to two parts do not undo each other.
 *
 * @param versioning whether overwritten and deleted versions stay
 * @param acl who may list the bucket, write into it, and read or replace its ACL
 * @param tags of the bucket, by key
 * @param cors in the order in which they are tried; empty for no configuration
 * @param lifecycle empty for no configuration
 * @param policy the JSON document as given; its gateway has validated it
 * @param access what is set against public access
 * @param objectLock whether and how versions are protected; empty if they cannot be
 */
public record BucketConfiguration(
    Versioning versioning,
    AccessList acl,
    Map<String, String> tags,
    List<CorsRule> cors,
    List<LifecycleRule> lifecycle,
    Optional<String> policy,
    AccessControls access,
    Optional<ObjectLockRule> objectLock) {
  /** The configuration of a new bucket. */
  public static final BucketConfiguration NONE =
      new BucketConfiguration(
          Versioning.OFF,
          AccessList.PRIVATE,
          Map.of(),
          List.of(),
          List.of(),
          Optional.empty(),
          AccessControls.NONE,
          Optional.empty());

  public BucketConfiguration {
    requireNonNull(versioning, "versioning is null");
    requireNonNull(acl, "acl is null");
    tags = Map.copyOf(tags);
    cors = List.copyOf(cors);
    lifecycle = List.copyOf(lifecycle);
    requireNonNull(policy, "policy is null");
    requireNonNull(access, "access is null");
    requireNonNull(objectLock, "objectLock is null");
  }

  /** This configuration with another versioning. */
  public BucketConfiguration withVersioning(Versioning changed) {
    return new BucketConfiguration(changed, acl, tags, cors, lifecycle, policy, access, objectLock);
  }

  BucketConfiguration withAcl(AccessList changed) {
    return new BucketConfiguration(
        versioning, changed, tags, cors, lifecycle, policy, access, objectLock);
  }

  BucketConfiguration withTags(Map<String, String> changed) {
    return new BucketConfiguration(
        versioning, acl, changed, cors, lifecycle, policy, access, objectLock);
  }

  BucketConfiguration withCors(List<CorsRule> changed) {
    return new BucketConfiguration(
        versioning, acl, tags, changed, lifecycle, policy, access, objectLock);
  }

  BucketConfiguration withLifecycle(List<LifecycleRule> changed) {
    return new BucketConfiguration(
        versioning, acl, tags, cors, changed, policy, access, objectLock);
  }

  BucketConfiguration withPolicy(Optional<String> changed) {
    return new BucketConfiguration(
        versioning, acl, tags, cors, lifecycle, changed, access, objectLock);
  }

  BucketConfiguration withAccess(AccessControls changed) {
    return new BucketConfiguration(
        versioning, acl, tags, cors, lifecycle, policy, changed, objectLock);
  }

  /** This configuration with object lock. */
  public BucketConfiguration withObjectLock(ObjectLockRule changed) {
    return new BucketConfiguration(
        versioning, acl, tags, cors, lifecycle, policy, access, Optional.of(changed));
  }
}
