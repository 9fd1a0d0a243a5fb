package dev.tarn.targetnode.store.residents;

import dev.tarn.targetnode.store.residents.Ghosts.Ghost;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A part of the residents, with their ghosts: those whose hashes select it. Each call holds the
 * lock for a short time and does no I/O.
 */
final class ResidentStripe {
  private static final int LARGEST_CLASS = 30;
  private static final int CLASS_SHIFT = 26;
  private static final int PLACE_MASK = (1 << CLASS_SHIFT) - 1;

  private final ResidentClass[] classes = new ResidentClass[LARGEST_CLASS + 1];
  private final PlaceIndex index = new PlaceIndex(this::idAt);
  private final Ghosts ghosts = new Ghosts();
  private final BucketUses buckets;
  private final SegmentBytes segments;
  private final SplittableRandom random;

  /** The ids of those that were taken out, until it is known whether they leave. */
  private final Set<Long> takenOut = new HashSet<>();

  private int count;
  private long bytes;
  private long wantedAgain;

  ResidentStripe(BucketUses buckets, SegmentBytes segments, long seed) {
    this.buckets = buckets;
    this.segments = segments;
    random = new SplittableRandom(seed);
  }

  /** Of two references that follow each other closely, the second counts for nothing. */
  synchronized Reference reference(long id, int tag, int bucket, int now, int oneReferenceTicks) {
    int place = index.find(tag, id);
    if (place != PlaceIndex.NONE) {
      Resident found = classOf(place).get(place & PLACE_MASK);
      set(place, found, bucket, found.use().referenced(now, oneReferenceTicks));
      return Reference.RESIDENT;
    }
    Ghost ghost = ghosts.find(tag);
    if (ghost == null) {
      ghosts.put(tag, new Ghost(Use.first(now), false), now);
      return Reference.ABSENT;
    }
    Use use = ghost.use().referenced(now, oneReferenceTicks);
    if (use.equals(ghost.use())) {
      return Reference.REPEATED;
    }
    ghosts.put(tag, new Ghost(use, ghost.evicted()), now);
    if (ghost.evicted()) {
      wantedAgain++;
    }
    return Reference.ABSENT;
  }

  private void set(int place, Resident before, int bucket, Use use) {
    classOf(place).set(place & PLACE_MASK, bucket, use);
    if (bucket != before.bucket()) {
      buckets.of(before.bucket()).cache().addBytes(-before.bytes());
      buckets.of(bucket).cache().addBytes(before.bytes());
    }
  }

  /** Sets the bucket of a resident, if it is there. */
  synchronized void belongsTo(long id, int tag, int bucket) {
    int place = index.find(tag, id);
    if (place != PlaceIndex.NONE) {
      Resident found = classOf(place).get(place & PLACE_MASK);
      set(place, found, bucket, found.use());
    }
  }

  /** An entry that is written has its first reference, unless it is known. */
  synchronized void written(long id, int tag, int now) {
    if (!isResident(id, tag) && ghosts.find(tag) == null) {
      ghosts.put(tag, new Ghost(Use.first(now), false), now);
    }
  }

  synchronized boolean isResident(long id, int tag) {
    return index.find(tag, id) != PlaceIndex.NONE;
  }

  /** The use of an entry that is not in the cache. */
  synchronized Use useOfCandidate(int tag, int now) {
    Ghost ghost = ghosts.find(tag);
    return ghost == null ? Use.first(now) : ghost.use();
  }

  /** Adds an entry, with the use that its ghost has; false if it is there. */
  synchronized boolean add(long id, int tag, int size, int bucket, int now) {
    Use use = useOfCandidate(tag, now);
    return put(new Resident(id, size, Resident.NO_SEGMENT, bucket, use), tag, now);
  }

  /**
   * Adds an entry that is a record of the log, or records where it is now. Returns what it was
   * before; null if it was not there.
   */
  synchronized @Nullable Resident addRecord(
      long id, int tag, int size, int segment, int bucket, int now) {
    takenOut.remove(id);
    Resident before = take(id, tag, now);
    Use use = before == null ? useOfCandidate(tag, now) : before.use();
    put(new Resident(id, size, segment, bucket, use), tag, now);
    return before;
  }

  /** Adds a resident that was taken out; false if it is there, or was removed meanwhile. */
  synchronized boolean putBack(Resident resident, int tag, int now) {
    return takenOut.remove(resident.id()) && put(resident, tag, now);
  }

  private boolean put(Resident resident, int tag, int now) {
    if (index.find(tag, resident.id()) != PlaceIndex.NONE) {
      return false;
    }
    ghosts.remove(tag);
    int number = 31 - Integer.numberOfLeadingZeros(resident.bytes());
    ResidentClass of = classes[number];
    if (of == null) {
      of = new ResidentClass();
      classes[number] = of;
    }
    index.add(tag, (number << CLASS_SHIFT) | of.add(resident));
    count++;
    bytes += resident.bytes();
    buckets.of(resident.bucket()).cache().addBytes(resident.bytes());
    segments.add(resident, resident.bytes());
    ghosts.fit(count, now);
    return true;
  }

  /**
   * Takes a resident out and returns it; null if it is not there. It is then {@link #putBack}, or
   * has {@link #left}.
   */
  synchronized @Nullable Resident takeOut(long id, int tag, int now) {
    Resident taken = take(id, tag, now);
    if (taken != null) {
      takenOut.add(id);
    }
    return taken;
  }

  /**
   * Removes a resident and returns it; null if it is not there. One that was taken out cannot be
   * put back.
   */
  synchronized @Nullable Resident remove(long id, int tag, int now) {
    takenOut.remove(id);
    return take(id, tag, now);
  }

  private @Nullable Resident take(long id, int tag, int now) {
    int place = index.find(tag, id);
    if (place == PlaceIndex.NONE) {
      return null;
    }
    ResidentClass of = classOf(place);
    int at = place & PLACE_MASK;
    Resident taken = of.get(at);
    int last = of.count() - 1;
    index.remove(tag, place);
    if (at != last) {
      index.move(Residents.tag(of.id(last)), place - at + last, place);
    }
    of.remove(at);
    count--;
    bytes -= taken.bytes();
    buckets.of(taken.bucket()).cache().addBytes(-taken.bytes());
    segments.add(taken, -taken.bytes());
    ghosts.fit(count, now);
    return taken;
  }

  /** Changes the size of a resident, and returns what it was; null if it is not there. */
  synchronized @Nullable Resident resize(long id, int tag, int size, int now) {
    Resident before = take(id, tag, now);
    if (before != null) {
      put(new Resident(id, size, before.segment(), before.bucket(), before.use()), tag, now);
    }
    return before;
  }

  /** Keeps the use of an entry that has left the cache. */
  synchronized void left(Resident resident, int tag, int now) {
    if (takenOut.remove(resident.id()) && index.find(tag, resident.id()) == PlaceIndex.NONE) {
      ghosts.put(tag, new Ghost(resident.use(), true), now);
    }
  }

  /** A resident; null if it is not there. */
  synchronized @Nullable Resident find(long id, int tag) {
    int place = index.find(tag, id);
    return place == PlaceIndex.NONE ? null : classOf(place).get(place & PLACE_MASK);
  }

  /** Some residents of a bucket, at most so many; looks at all of the stripe. */
  synchronized List<Resident> of(BucketCache bucket, int most) {
    List<Resident> found = new ArrayList<>();
    for (ResidentClass of : classes) {
      for (int place = 0; of != null && place < of.count() && found.size() < most; place++) {
        Resident resident = of.get(place);
        if (buckets.of(resident.bucket()).cache() == bucket) {
          found.add(resident);
        }
      }
    }
    return found;
  }

  /**
   * A resident.
   *
   * @param value by the policy
   * @param cost of displacing it
   */
  record Valued(Resident resident, double value, double cost) {}

  /**
   * The least of some residents, which are drawn by chance, each in proportion to its size; null if
   * none is worth less than this.
   */
  synchronized @Nullable Valued least(
      int draws, CachePolicy policy, Displacing displacing, int now, double below) {
    if (bytes == 0) {
      return null;
    }
    Resident[] drawn = new Resident[draws];
    for (int i = 0; i < draws; i++) {
      drawn[i] = draw(); // Without a look at them: the reads of memory take longest, and overlap.
    }
    Valued least = null;
    for (Resident resident : drawn) {
      BucketUse bucket = buckets.of(resident.bucket());
      double value = policy.valueOfResident(bucket, resident.bytes(), resident.use(), now);
      double cost = displacing.cost(bucket, resident.bytes(), value);
      if (cost < (least == null ? below : least.cost())) {
        least = new Valued(resident, value, cost);
      }
    }
    return least;
  }

  private Resident draw() {
    long left = random.nextLong(bytes);
    for (int number = LARGEST_CLASS; number >= 0; number--) {
      ResidentClass of = classes[number];
      if (of != null) {
        left -= of.bytes();
        if (left < 0) {
          return of.get(random.nextInt(of.count()));
        }
      }
    }
    throw new IllegalStateException("the classes have fewer than " + bytes + " bytes");
  }

  /** The use of each resident, then that of each ghost. */
  synchronized byte[] encode(int now) throws IOException {
    ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytesOut);
    out.writeInt(count);
    for (ResidentClass of : classes) {
      for (int place = 0; of != null && place < of.count(); place++) {
        Resident resident = of.get(place);
        out.writeLong(resident.id());
        out.writeInt(resident.bucket());
        resident.use().writeTo(out, now);
      }
    }
    ghosts.writeTo(out, now);
    return bytesOut.toByteArray();
  }

  /** Reads what {@link #encode} wrote, for those residents that are there. */
  synchronized void readFrom(DataInput in, Map<Integer, Integer> numbers, int now)
      throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      long id = in.readLong();
      int bucket = numbers.getOrDefault(in.readInt(), BucketUses.UNKNOWN);
      Use use = Use.readFrom(in, now);
      int place = index.find(Residents.tag(id), id);
      if (place != PlaceIndex.NONE) {
        set(place, classOf(place).get(place & PLACE_MASK), bucket, use);
      }
    }
    ghosts.readFrom(in, now);
  }

  /** How often an entry that had left was wanted again. */
  synchronized long wantedAgain() {
    return wantedAgain;
  }

  /** The memory off the heap, in bytes. */
  synchronized long memoryBytes() {
    long memory = index.memoryBytes() + ghosts.memoryBytes();
    for (ResidentClass of : classes) {
      memory += of == null ? 0 : of.memoryBytes();
    }
    return memory;
  }

  private ResidentClass classOf(int place) {
    ResidentClass of = classes[place >>> CLASS_SHIFT];
    if (of == null) {
      throw new IllegalStateException("no resident is at " + place);
    }
    return of;
  }

  private long idAt(int place) {
    return classOf(place).id(place & PLACE_MASK);
  }
}
