package dev.tarn.targetnode.store.residents;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The cached bytes that have left since the start, by the reason. Safe for use by many threads. */
public final class LeftBytes {
  private final Map<Leaving, LongAdder> byReason = new EnumMap<>(Leaving.class);
  private final LongAdder unread = new LongAdder();

  /** Nothing has left. */
  public LeftBytes() {
    for (Leaving why : Leaving.values()) {
      byReason.put(why, new LongAdder());
    }
  }

  /** Counts bytes. */
  public void add(Leaving why, long bytes) {
    adder(why).add(bytes);
  }

  private LongAdder adder(Leaving why) {
    LongAdder adder = byReason.get(why);
    if (adder == null) {
      throw new IllegalStateException("there is no count of " + why);
    }
    return adder;
  }

  /** Counts an entry. */
  void add(Leaving why, Resident resident) {
    add(why, resident.bytes());
    if (resident.use().intervals() == 0) {
      unread.add(resident.bytes());
    }
  }

  /** The bytes that have left for a reason. */
  public long of(Leaving why) {
    return adder(why).sum();
  }

  /** The bytes of entries that had been asked for only once. */
  public long unread() {
    return unread.sum();
  }
}
