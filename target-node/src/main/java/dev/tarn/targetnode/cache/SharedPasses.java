package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads of units that are not kept: readers of the same bytes at the same time share one read of
 * the backend, in a bounded memory.
 */
final class SharedPasses {
  private static final long BYTES_MAX = 256L << 20;

  /** A share of the heap. */
  private static final int HEAP_PARTS = 8;

  /** The part of the memory that is left to passes that begin. */
  private static final int BEGINNING_PARTS = 4;

  private final CacheMeters meters;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentHashMap<Unit, SharedPass> underway = new ConcurrentHashMap<>();

  SharedPasses(CacheMeters meters) {
    this(meters, Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_PARTS));
  }

  /** Passes that hold no more than so many bytes in memory. */
  SharedPasses(CacheMeters meters, long bytesMax) {
    this.meters = meters;
    this.bytesMax = bytesMax;
  }

  /**
   * Joins a pass that has these bytes, or begins one; the reader must {@link SharedPass#leave} it.
   *
   * @param position in the object, of the first byte that is wanted
   * @param end behind the last byte that is wanted, in the same unit
   * @return empty if the memory is used up: the reader then reads for itself
   */
  Optional<SharedPass> join(
      Backend backend, ObjectRecord object, Unit unit, long position, long end) {
    return join(backend, object, unit, position, end, bytesMax);
  }

  private Optional<SharedPass> join(
      Backend backend, ObjectRecord object, Unit unit, long position, long end, long bound) {
    AtomicReference<@Nullable SharedPass> joined = new AtomicReference<>();
    underway.compute(
        unit,
        (same, present) -> {
          if (present != null && present.wasJoined(position, end)) {
            joined.set(present);
            return present;
          }
          if (!isTaken(SharedPass.CHUNK_BYTES, bound)) {
            return present;
          }
          SharedPass begun = new SharedPass(this, backend, object, unit, position, end, meters);
          joined.set(begun);
          return begun;
        });
    return Optional.ofNullable(joined.get());
  }

  /**
   * Opens a unit that a reader will come to, so that its first bytes are here by then. They wait in
   * one chunk of memory, and those behind them at the backend.
   *
   * @param end behind the last byte that the reader wants of the object
   * @param threads one of them waits for the backend
   * @return to be run when the reader has joined the pass, or has left; null if the memory is used
   *     up
   */
  @Nullable Runnable expect(
      Backend backend, ObjectRecord object, Unit unit, long end, Executor threads) {
    long endInUnit = Math.min(end, unit.begin() + unit.length());
    SharedPass pass =
        join(backend, object, unit, unit.begin(), endInUnit, boundOfMore()).orElse(null);
    if (pass == null) {
      return null;
    }
    threads.execute(() -> pass.openAhead(unit.begin(), endInUnit));
    return pass::leave;
  }

  /** Takes memory for bytes that have one reader, if there is enough. */
  boolean isTakenForOne(long wanted) {
    return isTaken(wanted, bytesMax);
  }

  /** Gives memory back that was taken for one reader. */
  void giveBack(long taken) {
    bytes.addAndGet(-taken);
  }

  /** Takes memory for another chunk of a pass under way, if there is enough. */
  boolean isTakenForMore(long wanted) {
    return isTaken(wanted, boundOfMore());
  }

  /** What is left is for passes whose reader has come. */
  private long boundOfMore() {
    return bytesMax - bytesMax / BEGINNING_PARTS;
  }

  private boolean isTaken(long wanted, long bound) {
    return bytes.getAndUpdate(held -> held + wanted <= bound ? held + wanted : held) + wanted
        <= bound;
  }

  /** A pass has ended. */
  void ended(Unit unit, SharedPass pass, long held) {
    underway.remove(unit, pass);
    bytes.addAndGet(-held);
  }
}
