package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessControls.ObjectOwnership;
import dev.tarn.cluster.control.AccessControls.PublicAccessBlock;
import dev.tarn.cluster.object.AccessList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A change to one part of a bucket's configuration. */
public sealed interface BucketChange {
  /** The configuration after the change. */
  BucketConfiguration applyTo(BucketConfiguration before);

  /** Why the configuration does not allow the change; empty if it does. */
  default Optional<String> refusal(BucketConfiguration before) {
    return Optional.empty();
  }

  /** Enables or suspends versioning. */
  record SetVersioning(Versioning versioning) implements BucketChange {
    public SetVersioning {
      if (versioning == Versioning.OFF) {
        throw new IllegalArgumentException("versioning can be suspended, not taken back");
      }
      requireNonNull(versioning, "versioning is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withVersioning(versioning);
    }

    @Override
    public Optional<String> refusal(BucketConfiguration before) {
      return before.objectLock().isPresent() && versioning != Versioning.ENABLED
          ? Optional.of(
              "An Object Lock configuration is present on this bucket, so the versioning state"
                  + " cannot be changed.")
          : Optional.empty();
    }
  }

  /** Replaces the ACL. */
  record SetAcl(AccessList acl) implements BucketChange {
    public SetAcl {
      requireNonNull(acl, "acl is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withAcl(acl);
    }
  }

  /** Replaces the bucket's tags; an empty map removes them. */
  record SetTags(Map<String, String> tags) implements BucketChange {
    public SetTags {
      tags = Map.copyOf(tags);
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withTags(tags);
    }
  }

  /** Replaces the CORS rules; an empty list removes them. */
  record SetCors(List<CorsRule> rules) implements BucketChange {
    public SetCors {
      rules = List.copyOf(rules);
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withCors(rules);
    }
  }

  /** Replaces the lifecycle rules; an empty list removes them. */
  record SetLifecycle(List<LifecycleRule> rules) implements BucketChange {
    public SetLifecycle {
      rules = List.copyOf(rules);
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withLifecycle(rules);
    }
  }

  /** Replaces the policy; empty removes it. */
  record SetPolicy(Optional<String> policy) implements BucketChange {
    /** The limit in bytes of UTF-8, as in S3. */
    public static final int BYTES_MAX = 20 * 1024;

    public SetPolicy {
      requireNonNull(policy, "policy is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withPolicy(policy);
    }
  }

  /** Replaces what is blocked of public access; empty removes it. */
  record SetPublicAccessBlock(Optional<PublicAccessBlock> block) implements BucketChange {
    public SetPublicAccessBlock {
      requireNonNull(block, "block is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withAccess(new AccessControls(block, before.access().ownership()));
    }
  }

  /**
   * Replaces the ownership of objects, which decides whether ACLs are in force; empty removes it.
   */
  record SetOwnership(Optional<ObjectOwnership> ownership) implements BucketChange {
    public SetOwnership {
      requireNonNull(ownership, "ownership is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withAccess(new AccessControls(before.access().block(), ownership));
    }
  }

  /** Replaces the object lock, which a bucket then has for ever. */
  record SetObjectLock(ObjectLockRule rule) implements BucketChange {
    public SetObjectLock {
      requireNonNull(rule, "rule is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withObjectLock(rule);
    }

    @Override
    public Optional<String> refusal(BucketConfiguration before) {
      return before.versioning() == Versioning.ENABLED
          ? Optional.empty()
          : Optional.of(
              "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration");
    }
  }
}
