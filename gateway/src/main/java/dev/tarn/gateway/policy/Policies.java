package dev.tarn.gateway.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.gateway.error.S3Exception;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policies of buckets, each parsed once. Thread-safe. */
public final class Policies {
  private static final Logger LOG = LoggerFactory.getLogger(Policies.class);

  /** Counted in characters of the documents; a parsed policy is several times as large. */
  private static final long CACHED_LENGTH_MAX = 4 << 20;

  /**
   * Replaces a policy that this gateway cannot read. A gateway of another version has accepted that
   * policy.
   */
  private static final Policy UNREADABLE =
      new Policy(
          List.of(
              new Statement(
                  true,
                  new Principals(true, Set.of(), false),
                  EnumSet.allOf(Action.class),
                  List.of(new PolicyPattern("*")),
                  List.of())));

  private final Cache<BucketId, Parsed> parsed =
      Caffeine.newBuilder()
          .maximumWeight(CACHED_LENGTH_MAX)
          .weigher((BucketId bucket, Parsed policy) -> policy.length)
          .build();

  /**
   * The parsed policy of a bucket, for one version of the bucket's settings.
   *
   * @param length of its document, in characters
   */
  private record Parsed(long settingsVersion, int length, Policy policy) {}

  /** The policy of a bucket, or null if it has none. */
  public @Nullable Policy of(Bucket bucket) {
    String document = bucket.configuration().policy().orElse(null);
    if (document == null) {
      return null;
    }
    Parsed known = parsed.getIfPresent(bucket.id());
    if (known == null || known.settingsVersion != bucket.settingsVersion()) {
      known = new Parsed(bucket.settingsVersion(), document.length(), parse(bucket, document));
      parsed.put(bucket.id(), known);
    }
    return known.policy;
  }

  private static Policy parse(Bucket bucket, String document) {
    try {
      return PolicyDocument.read(document.getBytes(UTF_8), bucket.name());
    } catch (S3Exception e) {
      LOG.error(
          "Reading the policy of bucket {} failed: {}; it denies all requests until its owner sets"
              + " a valid policy",
          bucket.name(),
          e.getMessage());
      return UNREADABLE;
    }
  }
}
