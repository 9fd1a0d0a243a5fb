package dev.tarn.client.djl;

import ai.djl.ndarray.NDManager;
import java.util.HashSet;
import java.util.Set;

/**
 * The managers of arrays that are made ahead. Those that nobody received are closed at the pass's
 * end. Safe for several threads.
 */
final class BatchManagers implements AutoCloseable {
  private final NDManager parent;
  private final Set<NDManager> open = new HashSet<>();
  private boolean closed;

  BatchManagers(NDManager parent) {
    this.parent = parent;
  }

  /**
   * Makes a manager, which this closes unless it is handed over.
   *
   * @throws IllegalStateException if the pass has ended
   */
  NDManager create() {
    NDManager created = parent.newSubManager();
    synchronized (this) {
      if (!closed) {
        open.add(created);
        return created;
      }
    }
    created.close();
    throw new IllegalStateException("the pass has ended");
  }

  /** Hands a manager over; its receiver closes it. */
  synchronized void handOver(NDManager manager) {
    open.remove(manager);
  }

  /** Closes a manager and its arrays. */
  void close(NDManager manager) {
    handOver(manager);
    manager.close();
  }

  @Override
  public void close() {
    Set<NDManager> left;
    synchronized (this) {
      closed = true;
      left = Set.copyOf(open);
      open.clear();
    }
    left.forEach(NDManager::close);
  }
}
