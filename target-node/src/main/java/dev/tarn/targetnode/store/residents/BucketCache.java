package dev.tarn.targetnode.store.residents;

import dev.tarn.cluster.object.BucketId;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one bucket has of the cache of a disk, and may have. Safe for use by many threads. */
final class BucketCache {
  /** Less than any size, so that no sum is an excess. */
  private static final long NO_EXCESS = Long.MIN_VALUE / 2;

  private final BucketId id;
  private final BucketMembers members;
  private final LongAdder bytes = new LongAdder();
  private final LeftBytes left = new LeftBytes();
  private final BucketUse normal;
  private volatile @Nullable BucketUse pinned;
  private volatile CacheShare share = CacheShare.ANY;
  private volatile boolean hasPins;

  /**
   * A bucket that has nothing.
   *
   * @param use makes how its entries are used that are not pinned
   */
  BucketCache(BucketId id, Function<BucketCache, BucketUse> use) {
    this.id = id;
    this.members = new BucketMembers(id.value());
    this.normal = use.apply(this);
  }

  BucketId id() {
    return id;
  }

  /** How its entries are used that are not pinned. */
  BucketUse normal() {
    return normal;
  }

  /** How its pinned entries are used; null if it has none. */
  @Nullable BucketUse pinned() {
    return pinned;
  }

  void setPinned(BucketUse use) {
    pinned = use;
  }

  /** Some residents of the bucket, of a bucket that has a bound. */
  BucketMembers members() {
    return members;
  }

  /** Counts the bytes of residents. */
  void addBytes(long change) {
    bytes.add(change);
  }

  /** The bytes of the bucket's residents. */
  long bytes() {
    return bytes.sum();
  }

  /** What has left of the bucket. */
  LeftBytes left() {
    return left;
  }

  CacheShare share() {
    return share;
  }

  /** An entry is resident from now on. */
  void learn(long id) {
    if (share.bytesMax() != Long.MAX_VALUE) {
      members.learn(id);
    }
  }

  /**
   * Sets what the bucket may have. The table does not know keys. So if a key may be pinned no
   * longer, no entry is pinned until its next read.
   */
  void setShare(CacheShare changed) {
    if (!changed.rules().keepPinsOf(share.rules())) {
      pinned = null;
    }
    share = changed;
    hasPins = changed.rules().hasPins();
  }

  /** Whether rules pin some of its keys. */
  boolean hasPins() {
    return hasPins;
  }

  /** How many bytes the bucket has too many; not positive if it has none. */
  long excessBytes() {
    long most = share.bytesMax();
    return most == Long.MAX_VALUE ? NO_EXCESS : bytes() - most;
  }

  /** Whether the bucket may have as many bytes as this at all. */
  boolean mayHave(long count) {
    return count <= share.bytesMax();
  }

  /** Whether the bytes of a resident are among those that other buckets do not displace. */
  boolean isProtected(int residentBytes) {
    long least = share.bytesMin();
    return least > 0 && bytes() - residentBytes < least;
  }
}
