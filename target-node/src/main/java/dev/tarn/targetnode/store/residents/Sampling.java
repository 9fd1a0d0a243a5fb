package dev.tarn.targetnode.store.residents;

import dev.tarn.targetnode.store.residents.ResidentStripe.Valued;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Finds residents of little value by samples of the table. Safe for use by many threads. */
final class Sampling {
  /** The number of residents of which the least leaves. */
  private static final int SAMPLE = 32;

  /** Of a large table, so many stripes are asked: fewer locks, and reads of memory that overlap. */
  private static final int STRIPES_OF_SAMPLE = 2;

  /** The stripes of a table with more residents have enough of each kind. */
  private static final int SMALL_TABLE = 1 << 14;

  /** Samples often miss a bucket that has less than one in so many bytes. */
  private static final int SELDOM_SAMPLED = 256;

  private final ResidentStripe[] stripes;
  private final BucketUses buckets;
  private final CachePolicy policy;
  private final AtomicInteger nextStripe = new AtomicInteger();

  Sampling(ResidentStripe[] stripes, BucketUses buckets, CachePolicy policy) {
    this.stripes = stripes;
    this.buckets = buckets;
    this.policy = policy;
  }

  /** Some residents of a bucket; walks the table until there are enough. */
  List<Resident> someOf(BucketCache bucket, int most) {
    List<Resident> found = new ArrayList<>();
    for (int i = 0; i < stripes.length && found.size() < most; i++) {
      found.addAll(stripes[i].of(bucket, most - found.size()));
    }
    return found;
  }

  /**
   * The resident of a sample that costs least; null if displacing it costs more than this.
   *
   * @param count the number of residents
   * @param bytes the sum of their sizes
   */
  @Nullable Valued least(Displacing displacing, double below, int now, long count, long bytes) {
    BucketCache bucket = displacing.bucket();
    if (bucket != null && displacing.ownOnly()) {
      return bucket.bytes() < bytes / SELDOM_SAMPLED
          ? leastMember(bucket, displacing, below, now)
          : least(displacing, below, now, stripes.length, SAMPLE);
    }
    int asked = count > SMALL_TABLE ? STRIPES_OF_SAMPLE : stripes.length;
    Valued least = least(displacing, below, now, asked, SAMPLE / asked);
    return least != null && least.cost() >= Displacing.PROTECTED
        ? least(displacing, below, now, stripes.length, SAMPLE) // Others should leave first.
        : least;
  }

  private @Nullable Valued least(
      Displacing displacing, double below, int now, int asked, int draws) {
    int first = nextStripe.getAndAdd(asked);
    Valued least = null;
    for (int i = first; i < first + asked; i++) {
      Valued found =
          stripes[Math.floorMod(i, stripes.length)].least(
              draws, policy, displacing, now, least == null ? below : least.cost());
      least = found == null ? least : found;
    }
    return least;
  }

  /** The least of some residents of a bucket that samples would seldom find. */
  private @Nullable Valued leastMember(
      BucketCache bucket, Displacing displacing, double below, int now) {
    Valued least = null;
    for (Resident member :
        bucket
            .members()
            .draw(
                SAMPLE,
                now,
                id -> member(id, bucket),
                () -> someOf(bucket, BucketMembers.IDS_MAX))) {
      BucketUse use = buckets.of(member.bucket());
      double value = policy.valueOfResident(use, member.bytes(), member.use(), now);
      double cost = displacing.cost(use, member.bytes(), value);
      if (cost < (least == null ? below : least.cost())) {
        least = new Valued(member, value, cost);
      }
    }
    return least;
  }

  private @Nullable Resident member(long id, BucketCache bucket) {
    Resident found = stripes[Residents.stripeOf(id)].find(id, Residents.tag(id));
    return found != null && buckets.of(found.bucket()).cache() == bucket ? found : null;
  }
}
