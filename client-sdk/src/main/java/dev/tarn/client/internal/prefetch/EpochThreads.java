package dev.tarn.client.internal.prefetch;

import java.util.ArrayList;
import java.util.List;

/** The threads of an epoch, which end with it. */
final class EpochThreads {
  private final List<Thread> threads = new ArrayList<>();
  private boolean areEnded;

  /** Starts one; the end interrupts it, also where that came before. */
  synchronized void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    threads.removeIf(started -> started.getState() == Thread.State.TERMINATED);
    thread.start();
    threads.add(thread);
    if (areEnded) {
      thread.interrupt();
    }
  }

  /** Interrupts them all, and waits for them to end. */
  void end() {
    List<Thread> running;
    synchronized (this) {
      areEnded = true;
      running = List.copyOf(threads);
    }
    Threads.end(running);
  }
}
