package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has units fetched that one reader will come to, once it has read two units in order. Without
 * this, each unit would begin with a round trip to the backend. One thread at a time.
 */
final class UnitsAhead {
  private static final Logger LOG = LoggerFactory.getLogger(UnitsAhead.class);
  private static final int UNITS = 4;
  private static final int NONE = -2;

  private final UnitFetches fetches;
  private final Backend backend;
  private final ObjectRecord object;
  private final long end;
  private final int last;
  private final Deque<Expected> expected = new ArrayDeque<>();

  /** The units that were fetched ahead, and to which the reader has not come. */
  private final Set<Integer> fetched = new HashSet<>();

  private int latest = NONE;

  /** The last unit of which this read has told that it wants it. */
  private int counted = -1;

  private record Expected(int number, Runnable leave) {}

  /**
   * For a reader of an object.
   *
   * @param end behind the last byte that is read
   */
  UnitsAhead(UnitFetches fetches, Backend backend, ObjectRecord object, long end) {
    this.fetches = fetches;
    this.backend = backend;
    this.object = object;
    this.end = end;
    this.last = end == 0 ? 0 : Unit.numberAt(end - 1);
  }

  /** The reader has come to a unit; blocks. Returns whether the unit was fetched ahead. */
  boolean entered(int number) {
    while (!expected.isEmpty() && expected.getFirst().number() <= number) {
      expected.removeFirst().leave().run();
    }
    boolean wasFetched = fetched.remove(number);
    counted = Math.max(counted, number);
    goOnFrom(number);
    return wasFetched;
  }

  /** Whether this read has asked for a unit, by itself or ahead. */
  boolean isCounted(int number) {
    return number <= counted;
  }

  private void goOnFrom(int number) {
    boolean isInOrder = number == latest + 1;
    latest = number;
    if (!isInOrder || number == last) {
      return;
    }
    if (expected.isEmpty() || expected.getFirst().number() > number + 1) {
      expect(number + 1, true).ifPresent(expected::addFirst);
    }
    int next = expected.isEmpty() ? number + 2 : expected.getLast().number() + 1;
    while (next <= Math.min(last, number + UNITS)) {
      expect(next, false).ifPresent(expected::addLast);
      next++;
    }
  }

  /** A unit that cannot be fetched ahead does not fail its reader. */
  private Optional<Expected> expect(int number, boolean isNext) {
    if (!fetches.mayExpect() || number > counted + 1) {
      return Optional.empty();
    }
    boolean before = isCounted(number);
    counted = Math.max(counted, number);
    try {
      Runnable leave = fetches.expect(backend, object, number, end, isNext, before);
      if (leave == null) {
        return Optional.empty();
      }
      fetched.add(number);
      return Optional.of(new Expected(number, leave));
    } catch (IOException | CallRefusedException e) {
      LOG.debug("Unit {} of {} is not fetched ahead", number, object.metadata().name(), e);
      return Optional.empty();
    }
  }

  /** The reader has left. */
  void close() {
    expected.forEach(one -> one.leave().run());
    expected.clear();
  }
}
