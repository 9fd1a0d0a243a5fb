package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.util.Optional;

/**
 * One of {@link #COUNT} parts of the key space: who has its keys. The hash of a bucket's id and a
 * key names the slot of the key. Keys of primary buckets are at the home, those of buckets with a
 * backend at the owner.
 *
 * @param home has the keys of primary buckets
 * @param destination where the home shall give the slot, as soon as no primary data is in it
 * @param owner caches the keys of buckets with a backend
 * @param taker has the keys of those buckets that ask their backend at each read, while the owner
 *     is out and has not confirmed it
 */
public record Slot(
    SlotHolder home,
    Optional<DiskPlace> destination,
    SlotHolder owner,
    Optional<SlotHolder> taker) {
  /** The number of slots; a power of two. It must never change. */
  public static final int COUNT = 4096;

  private static final int HASH_SHIFT = Long.numberOfLeadingZeros(COUNT) + 1;

  public Slot {
    requireNonNull(home, "home is null");
    requireNonNull(destination, "destination is null");
    requireNonNull(owner, "owner is null");
    requireNonNull(taker, "taker is null");
  }

  /** The slot of a key, 0 to {@link #COUNT} - 1. Allocates nothing. */
  public static int of(BucketId bucket, ObjectKey key) {
    return (int) (key.xxh64(bucket.value()) >>> HASH_SHIFT);
  }

  /** Who has the keys of a slot that moves nowhere. */
  static Slot at(SlotHolder holder) {
    return new Slot(holder, Optional.empty(), holder, Optional.empty());
  }

  /** Who has these keys of the slot. */
  public SlotHolder holder(Keys keys) {
    if (keys == Keys.PRIMARY) {
      return home;
    }
    return keys == Keys.REVALIDATED ? taker.orElse(owner) : owner;
  }

  /** The epoch in which the keys of buckets with a backend, or some of them, last moved. */
  public long cachedSince() {
    return Math.max(owner.since(), taker.map(SlotHolder::since).orElse(0L));
  }

  /** The keys of a slot that may be in different places, by their buckets. */
  public enum Keys {
    /** Of buckets without a backend. */
    PRIMARY,
    /** Of buckets with a backend. */
    CACHED,
    /** Of buckets with a backend that is asked at each read of the key. */
    REVALIDATED
  }
}
