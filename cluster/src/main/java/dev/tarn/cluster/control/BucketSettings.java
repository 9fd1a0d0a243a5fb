package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import java.util.Map;
import java.util.Optional;

/**
 * How a bucket keeps and serves its objects.
 *
 * <p>A new setting is one more component with {@link BucketSetting}, and its default in {@link
 * #PRIMARY}.
 *
 * @param backend of a cached bucket; empty for a primary bucket
 */
public record BucketSettings(
    @BucketSetting(
            tag = 2,
            meaning =
                "when a write is acknowledged: fsync (it survives a power loss) or os (it does"
                    + " not)")
        Durability durability,
    @BucketSetting(
            tag = 3,
            meaning =
                "when the checksums of extents are verified: scrub (by scrubs only) or always (on"
                    + " every read)")
        Verify verify,
    Optional<BackendSettings> backend,
    @BucketSetting(
            tag = 4,
            meaning = "how long a cached object is served without a call to the backend")
        Freshness freshness,
    @BucketSetting(tag = 5, meaning = "whether objects may be read and listed without a signature")
        boolean anonymousRead,
    @BucketSetting(
            tag = 6,
            meaning =
                "whether clients are not told where the backend is; the SDK then falls back to it"
                    + " only if a job names it")
        boolean hideBackend,
    @BucketSetting(
            tag = 7,
            meaning = "the most bytes that the cache keeps of the bucket, on all disks together")
        CacheBound cacheMax,
    @BucketSetting(
            tag = 8,
            meaning =
                "the bytes of the bucket that other cached buckets do not displace, on all disks"
                    + " together")
        CacheBound cacheMin,
    @BucketSetting(
            tag = 9,
            meaning = "how the cache treats objects whose keys begin with certain prefixes")
        CacheRules cacheRules,
    @BucketSetting(
            tag = 10,
            meaning =
                "what a listing of a bucket without a backend answers while a target is out:"
                    + " complete (503, because keys are missing) or partial (what is there)")
        Listing listing) {
  /** A primary bucket: fsync, verified by the scrubber, private. */
  public static final BucketSettings PRIMARY =
      new BucketSettings(
          Durability.FSYNC,
          Verify.SCRUB,
          Optional.empty(),
          Freshness.REVALIDATE,
          false,
          false,
          CacheBound.NONE,
          CacheBound.NONE,
          CacheRules.NONE,
          Listing.COMPLETE);

  /** All settings except the backend. */
  public static final SettingsSchema<BucketSettings> SCHEMA =
      SettingsSchema.of(BucketSettings.class);

  public BucketSettings {
    requireNonNull(durability, "durability is null");
    requireNonNull(verify, "verify is null");
    requireNonNull(backend, "backend is null");
    requireNonNull(freshness, "freshness is null");
    requireNonNull(cacheMax, "cacheMax is null");
    requireNonNull(cacheMin, "cacheMin is null");
    requireNonNull(cacheRules, "cacheRules is null");
    requireNonNull(listing, "listing is null");
    if (!cacheMax.isNone() && cacheMin.bytes() > cacheMax.bytes()) {
      throw new IllegalArgumentException(
          "cache-min is " + cacheMin + ", must be at most cache-max, which is " + cacheMax);
    }
  }

  /** When a write is acknowledged. */
  public enum Durability {
    /** When bytes, record and directory entries are on the device. */
    FSYNC,
    /** When they are in the operating system's memory: the default for cached data. */
    OS
  }

  /** When the checksums of extents are verified. Those of log records always are. */
  public enum Verify {
    /** By the scrubber only. */
    SCRUB,
    /** Also on every read. */
    ALWAYS
  }

  /** What a listing answers while a target is out. */
  public enum Listing {
    /** Nothing: the listing would miss the target's keys. */
    COMPLETE,
    /** The keys of the other targets, marked as partial. */
    PARTIAL
  }

  /** These settings with another kind of listing. */
  public BucketSettings with(Listing changed) {
    return SCHEMA.with(this, Map.of("listing", changed));
  }

  /** These settings with another backend. */
  public BucketSettings withBackend(Optional<BackendSettings> changed) {
    return SCHEMA.with(this, Map.of("backend", changed));
  }

  /** These settings with another durability. */
  public BucketSettings with(Durability changed) {
    return SCHEMA.with(this, Map.of("durability", changed));
  }

  /** These settings with another verification. */
  public BucketSettings with(Verify changed) {
    return SCHEMA.with(this, Map.of("verify", changed));
  }

  /** These settings with another freshness. */
  public BucketSettings with(Freshness changed) {
    return SCHEMA.with(this, Map.of("freshness", changed));
  }

  /** These settings with other bounds of what the cache keeps. */
  public BucketSettings withCache(CacheBound min, CacheBound max) {
    return SCHEMA.with(this, Map.of("cache-min", min, "cache-max", max));
  }

  /** These settings with other cache rules. */
  public BucketSettings with(CacheRules changed) {
    return SCHEMA.with(this, Map.of("cache-rules", changed));
  }

  /** How long the cached object with this key is fresh. */
  public Freshness freshness(ObjectKey key) {
    return cacheRules.rules().isEmpty()
        ? freshness
        : cacheRules.of(key).flatMap(CacheRule::freshness).orElse(freshness);
  }

  /** Whether some cached objects may be served without asking the backend. */
  public boolean mayServeWithoutAsking() {
    return freshness.mode() != Freshness.Mode.REVALIDATE
        || cacheRules.rules().stream()
            .flatMap(rule -> rule.freshness().stream())
            .anyMatch(own -> own.mode() != Freshness.Mode.REVALIDATE);
  }

  /** These settings, with reads that need a signature or none. */
  public BucketSettings withAnonymousRead(boolean changed) {
    return SCHEMA.with(this, Map.of("anonymous-read", changed));
  }
}
