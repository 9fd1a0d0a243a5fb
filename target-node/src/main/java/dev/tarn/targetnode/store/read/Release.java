package dev.tarn.targetnode.store.read;

import java.util.concurrent.atomic.AtomicBoolean;

/** Gives back what a body holds. */
final class Release {
  private Release() {}

  /** A buffer or a file that two owners think theirs is worse than a leak. */
  static Runnable once(Runnable release) {
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (released.compareAndSet(false, true)) {
        release.run();
      }
    };
  }
}
