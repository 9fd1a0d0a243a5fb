package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.BucketSettings.Verify;
import dev.tarn.standalone.config.DurationText;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/**
 * A declared bucket. A setting that is not declared gets the server's default in a new bucket, and
 * stays as it is in an existing bucket.
 *
 * @param name the bucket's name
 * @param owner the name of the user who owns the bucket
 * @param durability when a write is acknowledged
 * @param verify when extents are verified
 * @param anonymousRead whether requests without a signature may read and list
 * @param freshness how long a cached answer counts without asking the backend: immutable,
 *     revalidate, or a time such as 15m
 * @param backend what the bucket caches; empty for a primary bucket
 */
public record DeclaredBucket(
    String name,
    Optional<String> owner,
    Optional<Durability> durability,
    Optional<Verify> verify,
    Optional<Boolean> anonymousRead,
    Optional<String> freshness,
    Optional<Cached> backend) {
  public DeclaredBucket {
    requireNonNull(name, "name is null");
    requireNonNull(owner, "owner is null");
    requireNonNull(durability, "durability is null");
    requireNonNull(verify, "verify is null");
    requireNonNull(anonymousRead, "anonymousRead is null");
    requireNonNull(freshness, "freshness is null").ifPresent(DeclaredBucket::freshnessDocument);
    requireNonNull(backend, "backend is null");
  }

  /**
   * What a bucket caches.
   *
   * @param name the name of the backend
   * @param bucket the bucket of the backend
   * @param prefix the prefix added to every key in the backend
   */
  public record Cached(String name, String bucket, Optional<String> prefix) {
    public Cached {
      requireNonNull(name, "name is null");
      requireNonNull(bucket, "bucket is null");
      requireNonNull(prefix, "prefix is null");
    }
  }

  /** The settings in the form of the admin API, without the backend. */
  JsonObject settings() {
    JsonObject settings = new JsonObject();
    durability.ifPresent(value -> settings.put("durability", text(value)));
    verify.ifPresent(value -> settings.put("verify", text(value)));
    anonymousRead.ifPresent(value -> settings.put("anonymous_read", value));
    freshness.ifPresent(rule -> settings.mergeIn(freshnessDocument(rule)));
    return settings;
  }

  private static JsonObject freshnessDocument(String rule) {
    if (rule.equals("immutable") || rule.equals("revalidate")) {
      return new JsonObject().put("freshness", rule);
    }
    try {
      return new JsonObject()
          .put("freshness", "ttl")
          .put("time_to_live_ms", DurationText.parse(rule).toMillis());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "freshness is '" + rule + "', must be immutable, revalidate or a time such as 15m", e);
    }
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
