package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.CannedAcl;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A change to one part of a bucket's configuration. */
public sealed interface BucketChange {
  /** The configuration afterwards. */
  BucketConfiguration applyTo(BucketConfiguration before);

  /** Begins or suspends versioning. */
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
  }

  /** Opens the bucket's listing, or closes it. */
  record SetAcl(CannedAcl acl) implements BucketChange {
    public SetAcl {
      requireNonNull(acl, "acl is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withAcl(acl);
    }
  }

  /** Replaces the bucket's tags; none removes them. */
  record SetTags(Map<String, String> tags) implements BucketChange {
    public SetTags {
      tags = Map.copyOf(tags);
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withTags(tags);
    }
  }

  /** Replaces the CORS rules; none removes them. */
  record SetCors(List<CorsRule> rules) implements BucketChange {
    public SetCors {
      rules = List.copyOf(rules);
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withCors(rules);
    }
  }

  /** Replaces the lifecycle rules; none removes them. */
  record SetLifecycle(List<LifecycleRule> rules) implements BucketChange {
    public SetLifecycle {
      rules = List.copyOf(rules);
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withLifecycle(rules);
    }
  }

  /** Replaces the policy; none removes it. */
  record SetPolicy(Optional<String> policy) implements BucketChange {
    /** In bytes of UTF-8, as in S3. */
    public static final int BYTES_MAX = 20 * 1024;

    public SetPolicy {
      requireNonNull(policy, "policy is null");
    }

    @Override
    public BucketConfiguration applyTo(BucketConfiguration before) {
      return before.withPolicy(policy);
    }
  }
}
