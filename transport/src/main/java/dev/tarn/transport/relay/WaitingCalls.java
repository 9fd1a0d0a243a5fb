package dev.tarn.transport.relay;

import dev.tarn.cluster.target.Deadline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one event loop to one target that wait for a free connection. Their number is
 * bounded for all event loops and targets together.
 *
 * @param calls the one that waits longest first
 * @param overall counts the waiting calls of all event loops to all targets
 * @param overallMax the bound of that count
 */
record WaitingCalls(Queue<PendingCall> calls, AtomicInteger overall, int overallMax) {
  /** No calls yet. */
  WaitingCalls(AtomicInteger overall, int overallMax) {
    this(new ArrayDeque<>(), overall, overallMax);
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /** Adds a call; returns whether there was a place for it. */
  boolean add(PendingCall call) {
    if (overall.incrementAndGet() <= overallMax) {
      return calls.add(call);
    }
    overall.decrementAndGet();
    return false;
  }

  /** Removes the next call with a caller that still waits. A call beyond its deadline fails. */
  @Nullable PendingCall next() {
    PendingCall next = calls.poll();
    while (next != null) {
      overall.decrementAndGet();
      Deadline deadline = next.request().deadline();
      if (deadline.hasPassed()) {
        next.fail(deadline.refusal());
      } else if (!next.reply().isDone()) {
        return next;
      }
      next = calls.poll();
    }
    return null;
  }

  /** Removes calls. All go before one fails, because its caller may then add the next one. */
  List<PendingCall> take(Predicate<PendingCall> which) {
    List<PendingCall> taken = new ArrayList<>();
    for (Iterator<PendingCall> each = calls.iterator(); each.hasNext(); ) {
      PendingCall call = each.next();
      if (which.test(call)) {
        each.remove();
        taken.add(call);
      }
    }
    overall.addAndGet(-taken.size());
    return taken;
  }
}
