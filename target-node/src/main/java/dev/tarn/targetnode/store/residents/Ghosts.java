package dev.tarn.targetnode.store.residents;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The use of entries that the cache does not have: as many as it has residents. Each is known by 31
 * bits of its hash, in one of the few places that these bits select; a new one takes the place that
 * was used longest ago. Not safe for use by many threads.
 */
final class Ghosts {
  private static final int RECORD_BYTES = 16;
  private static final int TAG = 0;
  private static final int LAST = 4;
  private static final int TICKS = 8;
  private static final int INTERVALS = 12;
  private static final int EVICTED = 1 << 31;
  private static final int WAYS = 8;
  private static final int COUNT_MIN = 32;

  private OffHeapRecords records = new OffHeapRecords(COUNT_MIN, RECORD_BYTES);

  /**
   * The use of an entry that is not in the cache.
   *
   * @param evicted whether the cache had it
   */
  record Ghost(Use use, boolean evicted) {}

  long memoryBytes() {
    return records.bytes();
  }

  /** The ghost with this tag; null if it is not known. */
  @Nullable Ghost find(int tag) {
    int place = place(records, tag);
    return place < 0 ? null : get(place);
  }

  private Ghost get(int place) {
    int intervals = records.getInt(place, INTERVALS);
    Use use =
        new Use(records.getInt(place, LAST), intervals & ~EVICTED, records.getInt(place, TICKS));
    return new Ghost(use, (intervals & EVICTED) != 0);
  }

  void put(int tag, Ghost ghost, int now) {
    int place = place(records, tag);
    set(records, place < 0 ? oldest(records, tag, now) : place, tag, ghost);
  }

  private static void set(OffHeapRecords to, int place, int tag, Ghost ghost) {
    to.setInt(place, TAG, tag);
    to.setInt(place, LAST, ghost.use().last());
    to.setInt(place, TICKS, ghost.use().ticks());
    to.setInt(place, INTERVALS, ghost.use().intervals() | (ghost.evicted() ? EVICTED : 0));
  }

  void remove(int tag) {
    int place = place(records, tag);
    if (place >= 0) {
      records.setInt(place, TAG, 0);
    }
  }

  private static int begin(OffHeapRecords records, int tag) {
    long sets = records.capacity() / WAYS;
    return (int) ((Integer.toUnsignedLong(tag) * sets) >>> 32) * WAYS;
  }

  private static int place(OffHeapRecords records, int tag) {
    int begin = begin(records, tag);
    for (int way = 0; way < WAYS; way++) {
      if (records.getInt(begin + way, TAG) == tag) {
        return begin + way;
      }
    }
    return -1;
  }

  private static int oldest(OffHeapRecords records, int tag, int now) {
    int begin = begin(records, tag);
    int oldest = begin;
    long idleMax = -1;
    for (int way = 0; way < WAYS; way++) {
      if (records.getInt(begin + way, TAG) == 0) {
        return begin + way;
      }
      long idle = Ticks.between(records.getInt(begin + way, LAST), now);
      if (idle > idleMax) {
        idleMax = idle;
        oldest = begin + way;
      }
    }
    return oldest;
  }

  void writeTo(DataOutput out, int now) throws IOException {
    for (int place = 0; place < records.capacity(); place++) {
      int tag = records.getInt(place, TAG);
      if (tag != 0) {
        Ghost ghost = get(place);
        out.writeInt(tag);
        out.writeBoolean(ghost.evicted());
        ghost.use().writeTo(out, now);
      }
    }
    out.writeInt(0);
  }

  void readFrom(DataInput in, int now) throws IOException {
    for (int tag = in.readInt(); tag != 0; tag = in.readInt()) {
      boolean evicted = in.readBoolean();
      put(tag, new Ghost(Use.readFrom(in, now), evicted), now);
    }
  }

  /** Makes room for as many ghosts as there are residents, or fewer. */
  void fit(int residents, int now) {
    int capacity = records.capacity();
    if (residents <= capacity && (residents >= capacity / 2 || capacity == COUNT_MIN)) {
      return;
    }
    int wanted = residents + residents / 8;
    OffHeapRecords resized =
        new OffHeapRecords(Math.max(COUNT_MIN, (wanted + WAYS - 1) / WAYS * WAYS), RECORD_BYTES);
    OffHeapRecords former = records;
    for (int place = 0; place < former.capacity(); place++) {
      int tag = former.getInt(place, TAG);
      if (tag != 0) {
        set(resized, oldest(resized, tag, now), tag, get(place));
      }
    }
    records = resized;
  }
}
