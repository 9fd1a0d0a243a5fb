package dev.tarn.targetnode.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.CacheEntries.Asked;
import dev.tarn.targetnode.cache.CacheMisses.Found;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.record.ObjectRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the current state of objects of buckets with a backend: an entry that may be believed, or
 * the backend's answer.
 */
final class CurrentObjects {
  private static final long VALIDATIONS_MAX = 100_000;

  /**
   * Recorded as the time when the backend confirmed what a stand-in keeps: so long ago that other
   * reads ask again, because the owner may have written since. 0 would mean an entry that the
   * backend has not described.
   */
  private static final long STAND_IN_VALIDATED_MS = 1;

  /**
   * When the backend last confirmed a version. If it is evicted, the backend is called once more.
   */
  private record Validation(ObjectVersion version, long timeMs) {}

  private final Cache<ObjectName, Validation> validations =
      Caffeine.newBuilder().maximumSize(VALIDATIONS_MAX).build();
  private final SharedValidations validating = new SharedValidations();
  private final CacheEntries entries;
  private final CacheMisses misses;
  private final FirstBytes firstBytes;
  private final CacheMeters meters;
  private final InstantSource clock;

  CurrentObjects(
      CacheEntries entries,
      CacheMisses misses,
      FirstBytes firstBytes,
      CacheMeters meters,
      InstantSource clock) {
    this.entries = entries;
    this.misses = misses;
    this.firstBytes = firstBytes;
    this.meters = meters;
    this.clock = clock;
  }

  /** When an entry is believed without a word of the backend. */
  enum Belief {
    /** While it is fresh, or the backend cannot be reached. */
    IF_FRESH,
    /** While the backend cannot be reached. */
    IF_UNREACHABLE,
    /** Never. */
    NEVER
  }

  /** The source of a read's answer. */
  sealed interface Current {
    ObjectMetadata metadata();

    /**
     * An entry of the cache.
     *
     * @param before whether the entry, and the first bytes of the selection, may have been there
     *     before this read
     * @param fetched bytes that came with the backend's answer
     */
    record Kept(ObjectRecord object, boolean before, Optional<PageReads.Fetched> fetched)
        implements Current {
      Kept(ObjectRecord object, boolean before) {
        this(object, before, Optional.empty());
      }

      @Override
      public ObjectMetadata metadata() {
        return object.metadata();
      }
    }

    /** All bytes, in memory. */
    record Small(ObjectMetadata metadata, ByteBuffer bytes) implements Current {}

    /** Only the backend. */
    record Elsewhere(ObjectMetadata metadata) implements Current {}
  }

  /**
   * The object that the backend has now, or the entry if it is fresh.
   *
   * @param lookup of the object on this disk
   */
  Current find(
      ObjectName name,
      Lookup lookup,
      Selection selection,
      Backend backend,
      BucketSettings settings,
      Belief belief)
      throws IOException {
    if (belief == Belief.NEVER) {
      misses.awaitUnderway(name); // Its answer may be older than a write of the owner.
    }
    Optional<ObjectRecord> entry =
        belief == Belief.NEVER ? entries.find(name) : entries.find(name, lookup);
    if (entry.isPresent()) {
      Current current =
          revalidatedByRead(entry.orElseThrow(), selection, backend, settings, belief);
      if (!(current instanceof Current.Elsewhere elsewhere)
          || !entries.isSmall(name, elsewhere.metadata().sizeBytes())) {
        return current;
      }
    }
    return switch (misses.find(backend, name, selection, recordedMs(belief))) {
      case Found.Entry found when !found.asked() && isDoubtful(found, belief) ->
          revalidated(found.object(), backend, settings, belief);
      case Found.Entry found -> new Current.Kept(found.object(), false, found.fetched());
      case Found.Small small -> new Current.Small(small.metadata(), small.bytes());
      case Found.Uncached uncached ->
          new Current.Elsewhere(entries.unkept(name, uncached.object()));
    };
  }

  /** Whether an entry that another call made may be older than a write of another target. */
  private boolean isDoubtful(Found.Entry found, Belief belief) {
    return belief == Belief.NEVER || !entries.isOwnedSinceAsked(found.object().metadata());
  }

  /**
   * The entry if it is fresh, is confirmed, or cannot be checked now; otherwise the object that the
   * backend has now.
   */
  Current revalidated(ObjectRecord entry, Backend backend, BucketSettings settings, Belief belief)
      throws IOException {
    return revalidated(
        entry,
        backend,
        settings,
        belief,
        () -> backend.head(entry.metadata().name().key(), Optional.empty()));
  }

  private Current revalidated(
      ObjectRecord entry,
      Backend backend,
      BucketSettings settings,
      Belief belief,
      Supplier<BackendObject> question)
      throws IOException {
    ObjectMetadata metadata = entry.metadata();
    if (belief == Belief.IF_FRESH && isFresh(metadata, settings)) {
      return new Current.Kept(entry, true);
    }
    boolean mayStand = belief != Belief.NEVER && entries.isOwnedSinceAsked(metadata);
    if (mayStand && !backend.mayAsk()) {
      meters.servedStale.increment();
      return new Current.Kept(entry, true);
    }
    ObjectName name = metadata.name();
    Asked asked = entries.asking(name);
    meters.revalidations.increment();
    BackendObject object;
    try {
      object = validating.ask(name, question);
    } catch (BackendException e) {
      if (e.unreachable() && mayStand) {
        meters.servedStale.increment();
        return new Current.Kept(entry, true);
      }
      if (e.failure() instanceof Failure.NoSuchKey) {
        entries.drop(name);
      }
      throw e;
    }
    if (CacheEntries.says(metadata, object, asked)) {
      if (belief != Belief.NEVER) {
        validations.put(name, new Validation(metadata.version(), clock.millis()));
      }
      return new Current.Kept(entry, true);
    }
    boolean same = CacheEntries.isSame(metadata, object);
    if (!same && entries.isSmall(name, object.sizeBytes())) {
      entries.drop(name); // Its bytes go into the log with its entry, and a look-up has none.
      return new Current.Elsewhere(entries.unkept(name, object));
    }
    return entries
        .install(name, object, Optional.of(entry), asked, recordedMs(belief))
        .<Current>map(installed -> new Current.Kept(installed, same))
        .orElseGet(() ->
            CacheEntries.describes(metadata, object)
                ? new Current.Kept(entry, true)
                : new Current.Elsewhere(entries.unkept(name, object)));
  }

  /**
   * As {@link #revalidated}, but if the first bytes of the selection are not here, the question is
   * the request for them: its answer describes the object, too.
   */
  private Current revalidatedByRead(
      ObjectRecord entry,
      Selection selection,
      Backend backend,
      BucketSettings settings,
      Belief belief)
      throws IOException {
    if (belief != Belief.IF_FRESH || isFresh(entry.metadata(), settings)) {
      return revalidated(entry, backend, settings, belief);
    }
    Optional<FirstBytes.Request> absent = firstBytes.absent(entry, selection);
    if (absent.isEmpty()) {
      return revalidated(entry, backend, settings, belief);
    }
    ObjectKey key = entry.metadata().name().key();
    try (FirstBytes.Request request = absent.orElseThrow()) {
      Current current =
          revalidated(entry, backend, settings, belief, () -> request.send(backend, key));
      return current instanceof Current.Kept(ObjectRecord object, boolean before, var none)
          ? new Current.Kept(object, before && !request.isAnswered(), request.keep(backend, object))
          : current;
    }
  }

  private boolean isFresh(ObjectMetadata metadata, BucketSettings settings) {
    return isFresh(metadata, settings.freshness(metadata.name().key()));
  }

  /** Whether an entry may be believed without asking the backend. */
  boolean isFresh(ObjectMetadata metadata, Freshness freshness) {
    return switch (freshness.mode()) {
      case IMMUTABLE -> isDescribed(metadata) && entries.isOwnedSinceAsked(metadata);
      case TTL -> isYoung(metadata, freshness) && entries.isOwnedSinceAsked(metadata);
      case REVALIDATE -> false;
    };
  }

  private static boolean isDescribed(ObjectMetadata metadata) {
    Origin origin = metadata.origin();
    return origin == null || origin.validatedMs() > 0;
  }

  private boolean isYoung(ObjectMetadata metadata, Freshness freshness) {
    Origin origin = metadata.origin();
    return origin != null
        && clock.millis() - validatedMs(metadata, origin) < freshness.timeToLive().toMillis();
  }

  private long recordedMs(Belief belief) {
    return belief == Belief.NEVER ? STAND_IN_VALIDATED_MS : clock.millis();
  }

  private long validatedMs(ObjectMetadata metadata, Origin origin) {
    Validation latest = validations.getIfPresent(metadata.name());
    return latest != null && latest.version().equals(metadata.version())
        ? Math.max(latest.timeMs(), origin.validatedMs())
        : origin.validatedMs();
  }
}
