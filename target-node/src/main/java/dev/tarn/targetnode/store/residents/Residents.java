package dev.tarn.targetnode.store.residents;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.residents.ResidentStripe.Valued;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries that the cache of one disk has, how they are used, and what the policy makes of it.
 * Entries are known by ids; whoever adds and removes them keeps their bytes. All of this is in
 * memory off the heap: at most 72 bytes for an entry. No call does I/O, and no lock is shared by
 * all calls.
 */
public final class Residents {
  private static final int STRIPES = 32;

  private static final int STRIPE_SHIFT = 64 - 5;

  /** So many residents are taken out together, since they are removed by one thread. */
  private static final int EXCESS_AT_ONCE = 1024;

  /** After a minute in which nothing left the cache, nothing has to. */
  private static final int LEAVING_TICKS = 6000;

  private final CachePolicy policy;
  private final IntSupplier ticks;
  private final ResidentStripe[] stripes = new ResidentStripe[STRIPES];
  private final BucketUses buckets = new BucketUses();
  private final SegmentBytes segments = new SegmentBytes();
  private final Sampling sampling;
  private final LongAdder count = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LeftBytes left = new LeftBytes();

  /** What left last: what is worth about the same would leave next. */
  private volatile @Nullable Left lastLeft;

  private record Left(double value, int ticks) {}

  /**
   * No entries.
   *
   * @param ticks the present time, as of {@link Ticks}
   * @param seed of the samples
   */
  public Residents(CachePolicy policy, IntSupplier ticks, long seed) {
    this.policy = policy;
    this.ticks = ticks;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ResidentStripe(buckets, segments, seed + i);
    }
    sampling = new Sampling(stripes, buckets, policy);
  }

  private static long hash(long id) {
    long mixed = (id ^ (id >>> 32)) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  /** The bits of the hash by which a stripe knows an entry; not 0. */
  static int tag(long id) {
    return (int) hash(id) | 1;
  }

  /** The number of the stripe that has an entry. */
  static int stripeOf(long id) {
    return (int) (hash(id) >>> STRIPE_SHIFT);
  }

  private ResidentStripe stripe(long id) {
    return stripes[stripeOf(id)];
  }

  /** An entry is read, whether it is resident or not. */
  public Reference reference(long id, ObjectName name) {
    int now = ticks.getAsInt();
    BucketUse use = buckets.of(name);
    int oneReferenceTicks = policy.oneReferenceTicks(use);
    use.read(hash(id), now, oneReferenceTicks);
    return stripe(id).reference(id, tag(id), use.number(), now, oneReferenceTicks);
  }

  /**
   * An entry is resident from now on, or still is.
   *
   * @param size in bytes on the disk
   */
  public void add(long id, int size, ObjectName name) {
    add(id, size, buckets.of(name).number());
  }

  /** An entry was found of which only its id and size are known. */
  public void addFound(long id, int size) {
    add(id, size, BucketUses.UNKNOWN);
  }

  private void add(long id, int size, int bucket) {
    if (stripe(id).add(id, tag(id), size, bucket, ticks.getAsInt())) {
      added(size);
      buckets.of(bucket).cache().learn(id);
    }
  }

  /**
   * An entry is a record in this segment of the log from now on. One that is resident already keeps
   * its use.
   *
   * @param size in bytes of the record
   */
  public void addRecord(long id, int size, ObjectName name, long segment) {
    int number = Math.toIntExact(segment);
    Resident before =
        stripe(id)
            .addRecord(id, tag(id), size, number, buckets.of(name).number(), ticks.getAsInt());
    if (before == null) {
      buckets.of(name).cache().learn(id);
    } else {
      removed(before);
    }
    added(size);
  }

  /** The bytes of the residents that a segment of the log has. */
  public long bytesInSegment(long segment) {
    return segments.of(Math.toIntExact(segment));
  }

  /** The bytes of the residents that the log has. */
  public long bytesInLog() {
    return segments.all();
  }

  /** A segment of the log was removed, and all that it had is elsewhere. */
  public void segmentRemoved(long segment) {
    segments.removed(Math.toIntExact(segment));
  }

  /**
   * Whether an entry is worth clearly more than what left the cache last. While nothing leaves,
   * each resident is. One that has left is not, if its bucket has its share.
   *
   * @param size in bytes
   */
  public boolean isWorthKeeping(long id, int size, ObjectName name) {
    int now = ticks.getAsInt();
    Left last = lastLeft;
    double least = last == null ? Double.POSITIVE_INFINITY : last.value() * policy.margin();
    Resident resident = stripe(id).find(id, tag(id));
    BucketUse use = buckets.of(name);
    if (resident == null) {
      Use left = stripe(id).useOfCandidate(tag(id), now);
      double value =
          Math.min(
              policy.valueOfCandidate(use, size, left),
              policy.valueOfResident(use, size, left, now));
      return use.cache().excessBytes() + size <= 0 && value > least;
    }
    if (use.isPinned() || use.cache().isProtected(size)) {
      return true;
    }
    boolean isLeaving = last != null && Ticks.between(last.ticks(), now) <= LEAVING_TICKS;
    return !isLeaving || policy.valueOfResident(use, size, resident.use(), now) > least;
  }

  /** An entry of this object is written, and can be read from now on. */
  public void written(long id, ObjectName name) {
    int now = ticks.getAsInt();
    buckets.of(name).written(hash(id), now);
    stripe(id).written(id, tag(id), now);
  }

  /** A resident was found to be of this object. */
  public void belongsTo(long id, ObjectName name) {
    stripe(id).belongsTo(id, tag(id), buckets.of(name).number());
  }

  /** The bytes that the residents of each bucket have on the disk. */
  public Map<BucketId, Long> bytesOfBuckets() {
    return buckets.bytes();
  }

  /** Bytes of a resident have left the cache, and the rest stays. */
  public void leftInPart(long id, long count, Leaving why) {
    left.add(why, count);
    Resident resident = stripe(id).find(id, tag(id));
    if (resident != null) {
      buckets.of(resident.bucket()).cache().left().add(why, count);
    }
  }

  private void countLeft(Resident resident, Leaving why) {
    left.add(why, resident);
    buckets.of(resident.bucket()).cache().left().add(why, resident);
  }

  /** What has left the cache since the start. */
  public LeftBytes leftBytes() {
    return left;
  }

  /** What has left of each bucket since the start. */
  public Map<BucketId, LeftBytes> leftOfBuckets() {
    return buckets.left();
  }

  /** Whether the cache has an entry that other cached objects do not displace. */
  public boolean isPinned(long id) {
    Resident resident = stripe(id).find(id, tag(id));
    return resident != null && buckets.of(resident.bucket()).isPinned();
  }

  /** Whether the cache has an entry. */
  public boolean isResident(long id) {
    return stripe(id).isResident(id, tag(id));
  }

  /**
   * A resident has this size from now on.
   *
   * @return false if it is not resident
   */
  public boolean resize(long id, int size) {
    Resident before = stripe(id).resize(id, tag(id), size, ticks.getAsInt());
    if (before != null) {
      bytes.add((long) size - before.bytes());
    }
    return before != null;
  }

  /**
   * An entry is not resident any more, and will not be wanted again.
   *
   * @return its size, 0 if it was not resident
   */
  public int remove(long id) {
    return remove(id, Leaving.DROPPED);
  }

  /** As {@link #remove(long)}, for this reason. */
  public int remove(long id, Leaving why) {
    Resident removed = removeUncounted(id);
    if (removed == null) {
      return 0;
    }
    countLeft(removed, why);
    return removed.bytes();
  }

  /** An entry is not resident any more, because another one has its bytes. Returns its size. */
  public int replaced(long id) {
    Resident removed = removeUncounted(id);
    return removed == null ? 0 : removed.bytes();
  }

  private @Nullable Resident removeUncounted(long id) {
    Resident removed = stripe(id).remove(id, tag(id), ticks.getAsInt());
    if (removed != null) {
      removed(removed);
    }
    return removed;
  }

  /**
   * Takes out the residents that a candidate is worth more than, of at least so many bytes; more,
   * and only of the same bucket, if the bucket would have more than its share. Each is then {@link
   * #left}, or {@link #putBack}.
   *
   * @param needed not positive if there is room
   * @return empty if the candidate is not worth it; then nothing is taken out
   */
  public Optional<List<Resident>> displace(long id, int size, ObjectName name, long needed) {
    BucketUse use = buckets.of(name);
    Use candidate = stripe(id).useOfCandidate(tag(id), ticks.getAsInt());
    return displace(use, policy.valueOfCandidate(use, size, candidate), size, needed);
  }

  /** As {@link #displace}, for bytes that are being written and have no id yet. */
  public Optional<List<Resident>> displaceForWritten(ObjectName name, long size, long needed) {
    return displace(buckets.of(name), policy.valueOfWritten(), size, needed);
  }

  private Optional<List<Resident>> displace(BucketUse use, double value, long size, long needed) {
    Taking taking = new Taking(value / policy.margin());
    BucketCache bucket = use.cache();
    boolean isEnough =
        bucket.mayHave(size)
            && taking.isTaken(bucket.excessBytes() + size, Displacing.ownFor(use))
            && taking.isTaken(needed, Displacing.forEntry(use));
    if (!isEnough) {
      taking.victims.forEach(this::putBack);
      refused.increment();
      return Optional.empty();
    }
    if (taking.greatest >= 0) {
      lastLeft = new Left(taking.greatest, ticks.getAsInt());
    }
    return Optional.of(taking.victims);
  }

  /** Victims of one candidate. */
  private final class Taking {
    private final double below;
    private final List<Resident> victims = new ArrayList<>();
    private long freed;

    /** The greatest value of those that left for another bucket, too; negative if none did. */
    private double greatest = -1;

    Taking(double below) {
      this.below = below;
    }

    /** Takes out residents until these have so many bytes; false if there are not enough. */
    boolean isTaken(long bytes, Displacing displacing) {
      while (freed < bytes) {
        Valued victim = takeLeast(displacing, below);
        if (victim == null) {
          return false;
        }
        victims.add(victim.resident());
        freed += victim.resident().bytes();
        greatest = displacing.ownOnly() ? greatest : Math.max(greatest, victim.value());
      }
      return true;
    }
  }

  /**
   * Takes out the resident of least value, of a sample, for primary bytes; empty if there is none.
   * It is then {@link #left}, or {@link #putBack}.
   */
  public Optional<Resident> takeLeast() {
    Valued least = takeLeast(Displacing.forPrimary(), Double.POSITIVE_INFINITY);
    if (least == null) {
      return Optional.empty();
    }
    if (least.cost() < Displacing.PROTECTED) {
      lastLeft = new Left(least.value(), ticks.getAsInt());
    }
    return Optional.of(least.resident());
  }

  /**
   * Takes out some residents of buckets that have more than their shares: the least of a sample,
   * any of a bucket that may have none. Each is then {@link #left}, or {@link #putBack}.
   */
  public List<Resident> takeExcess() {
    List<Resident> taken = new ArrayList<>();
    for (BucketCache bucket : buckets.all()) {
      if (!bucket.mayHave(1) && bucket.bytes() > 0) {
        takeAny(bucket, taken);
      }
      Valued least = null;
      do {
        boolean isOver = bucket.excessBytes() > 0 && taken.size() < EXCESS_AT_ONCE;
        least = isOver ? takeLeast(Displacing.excessOf(bucket), Double.POSITIVE_INFINITY) : null;
        if (least != null) {
          taken.add(least.resident());
        }
      } while (least != null);
    }
    return taken;
  }

  private void takeAny(BucketCache bucket, List<Resident> taken) {
    for (Resident found : sampling.someOf(bucket, EXCESS_AT_ONCE - taken.size())) {
      Resident out = bucket.excessBytes() > 0 ? takeOut(found.id()) : null;
      if (out != null) {
        taken.add(out);
      }
    }
  }

  /** Sets what each bucket may have, from now on, and when it is used for the first time. */
  public void setShares(Function<BucketId, CacheShare> shares) {
    buckets.setShares(shares);
  }

  /** Takes out the least of a sample, if displacing it costs less than this. */
  private @Nullable Valued takeLeast(Displacing displacing, double below) {
    while (true) {
      Valued least = sampling.least(displacing, below, ticks.getAsInt(), count(), bytes());
      if (least == null) {
        return null;
      }
      Resident taken = takeOut(least.resident().id());
      if (taken != null) {
        return new Valued(taken, least.value(), least.cost());
      }
    }
  }

  private @Nullable Resident takeOut(long id) {
    Resident taken = stripe(id).takeOut(id, tag(id), ticks.getAsInt());
    if (taken != null) {
      removed(taken);
    }
    return taken;
  }

  /** A resident that was taken out stays, unless it was removed meanwhile. */
  public void putBack(Resident resident) {
    long id = resident.id();
    if (stripe(id).putBack(resident, tag(id), ticks.getAsInt())) {
      added(resident.bytes());
    }
  }

  /** A resident that was taken out has left the cache. */
  public void left(Resident resident, Leaving why) {
    countLeft(resident, why);
    stripe(resident.id()).left(resident, tag(resident.id()), ticks.getAsInt());
  }

  private void added(int size) {
    count.increment();
    bytes.add(size);
  }

  private void removed(Resident resident) {
    count.decrement();
    bytes.add(-resident.bytes());
  }

  /** The number of residents. */
  public long count() {
    return count.sum();
  }

  /** The sum of their sizes in bytes. */
  public long bytes() {
    return bytes.sum();
  }

  /** How many candidates were not worth a victim since the start. */
  public long refused() {
    return refused.sum();
  }

  /** How often an entry that had left the cache was wanted again since the start. */
  public long wantedAgain() {
    long sum = 0;
    for (ResidentStripe stripe : stripes) {
      sum += stripe.wantedAgain();
    }
    return sum;
  }

  /** Writes how all entries are used; holds up other calls only for a stripe at a time. */
  void writeTo(DataOutput out) throws IOException {
    int now = ticks.getAsInt();
    buckets.writeTo(out, now);
    for (ResidentStripe stripe : stripes) {
      out.write(stripe.encode(now));
    }
  }

  /** Reads what {@link #writeTo} wrote. The time in between counts for nothing. */
  void readFrom(DataInput in) throws IOException {
    int now = ticks.getAsInt();
    Map<Integer, Integer> numbers = buckets.readFrom(in, now);
    for (ResidentStripe stripe : stripes) {
      stripe.readFrom(in, numbers, now);
    }
  }

  /** The memory off the heap, in bytes. */
  public long memoryBytes() {
    long memory = 0;
    for (ResidentStripe stripe : stripes) {
      memory += stripe.memoryBytes();
    }
    return memory;
  }
}
