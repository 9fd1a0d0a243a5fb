package dev.tarn.client.stage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Items that are worked on, or wait for the consumer: at most so many, holding about so many bytes.
 * For use by many threads at once.
 */
final class Window<R> {
  /** The place of one item among the others. */
  static final class Place<R> {
    private final long bytes;
    private @Nullable Item<R> item;
    private @Nullable Throwable failure;

    private Place(long bytes) {
      this.bytes = bytes;
    }

    private boolean isDone() {
      return item != null || failure != null;
    }
  }

  private final int countMax;
  private final long bytesMax;
  private final boolean ordered;
  private final Deque<Place<R>> places = new ArrayDeque<>();
  private long bytes;
  private boolean ended;
  private boolean closed;

  /**
   * @param bytesMax bound of what the items hold, but for one
   * @param ordered whether items are taken in the order of their places, or else as they are done
   */
  Window(int countMax, long bytesMax, boolean ordered) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
    this.ordered = ordered;
  }

  /**
   * Waits for room for one more.
   *
   * @return false if no more are wanted
   */
  synchronized boolean awaitRoom() throws InterruptedException {
    while (!closed
        && !ended
        && !places.isEmpty()
        && (places.size() >= countMax || bytes >= bytesMax)) {
      wait();
    }
    return !closed && !ended;
  }

  /**
   * Takes the place behind those that are there.
   *
   * @param held how many bytes its item holds until it is done or taken
   */
  synchronized Place<R> add(long held) {
    Place<R> place = new Place<>(held);
    places.add(place);
    bytes += held;
    return place;
  }

  /** Puts what has become of an item into its place. */
  synchronized void complete(Place<R> place, Item<R> item) {
    place.item = item;
    notifyAll();
  }

  /** Says that an item's work has failed: no more are wanted behind it. */
  synchronized void fail(Place<R> place, Throwable failure) {
    place.failure = failure;
    ended = true;
    notifyAll();
  }

  /** Says that there are no more. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Ends it: what waits is thrown away, and nobody waits any more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /**
   * Takes the next item; waits for it.
   *
   * @return null after the last
   * @throws IllegalStateException if it was closed
   */
  synchronized @Nullable Item<R> take() throws InterruptedException {
    while (true) {
      if (closed) {
        throw new IllegalStateException("the iterator is closed");
      }
      Place<R> done = removeDone();
      if (done != null) {
        bytes -= done.bytes;
        notifyAll();
        return result(done);
      }
      if (ended && places.isEmpty()) {
        return null;
      }
      wait();
    }
  }

  private @Nullable Place<R> removeDone() {
    Iterator<Place<R>> candidates = places.iterator();
    while (candidates.hasNext()) {
      Place<R> place = candidates.next();
      if (place.isDone()) {
        candidates.remove();
        return place;
      }
      if (ordered) {
        return null;
      }
    }
    return null;
  }

  private static <R> @Nullable Item<R> result(Place<R> done) {
    Throwable failure = done.failure;
    if (failure != null) {
      throw Failures.rethrown(failure);
    }
    return done.item;
  }
}
