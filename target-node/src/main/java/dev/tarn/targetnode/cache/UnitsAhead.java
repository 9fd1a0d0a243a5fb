package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
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
  private int latest = NONE;

  private record Expected(int number, Runnable end) {}

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

  /** The reader has come to a unit; blocks. */
  void entered(int number) {
    while (!expected.isEmpty() && expected.getFirst().number() <= number) {
      expected.removeFirst().end().run();
    }
    boolean isInOrder = number == latest + 1;
    latest = number;
    int next = expected.isEmpty() ? number + 1 : expected.getLast().number() + 1;
    while (isInOrder && next <= Math.min(last, number + UNITS)) {
      expect(next, next == number + 1);
      next++;
    }
  }

  /** A unit that cannot be fetched ahead does not fail its reader. */
  private void expect(int number, boolean isNext) {
    try {
      Runnable endOne = fetches.expect(backend, object, number, end, isNext);
      if (endOne != null) {
        expected.add(new Expected(number, endOne));
      }
    } catch (IOException | CallRefusedException e) {
      LOG.debug("Unit {} of {} is not fetched ahead", number, object.metadata().name(), e);
    }
  }

  /** The reader has left. */
  void close() {
    expected.forEach(one -> one.end().run());
    expected.clear();
  }
}
