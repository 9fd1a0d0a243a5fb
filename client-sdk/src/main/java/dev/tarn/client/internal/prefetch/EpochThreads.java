package dev.tarn.client.internal.prefetch;

import java.util.ArrayList;
import java.util.List;

/** The threads of an epoch, which end together with it. */
final class EpochThreads {
  private final List<Thread> threads = new ArrayList<>();
  private boolean areEnded;

  /** Starts a thread. The end interrupts it, even if it came before. */
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

  /** Interrupts all threads and waits for their end. */
  void end() {
    List<Thread> running;
    synchronized (this) {
      areEnded = true;
      running = List.copyOf(threads);
    }
    Threads.end(running);
  }
}
