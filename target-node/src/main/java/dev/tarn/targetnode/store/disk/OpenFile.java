package dev.tarn.targetnode.store.disk;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open file that several readers share; the last one to release it closes it. */
public class OpenFile {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

  private final DiskFile file;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicReference<@Nullable Runnable> whenClosed = new AtomicReference<>();

  /** A file that is held once, by the caller. */
  public OpenFile(DiskFile file) {
    this.file = file;
  }

  /** The file, to be used between {@link #tryHold} and {@link #release}. */
  public final DiskFile file() {
    return file;
  }

  /** Holds the file open; false if it is closed already. */
  public final boolean tryHold() {
    int count = holders.get();
    while (count > 0) {
      if (holders.compareAndSet(count, count + 1)) {
        return true;
      }
      count = holders.get();
    }
    return false;
  }

  /**
   * Runs an action when the file is closed; the caller holds the file.
   *
   * @return false if there is an action already, which stays
   */
  public final boolean whenClosed(Runnable action) {
    return whenClosed.compareAndSet(null, action);
  }

  /** Releases the file. */
  public final void release() {
    if (holders.decrementAndGet() > 0) {
      return;
    }
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("A file could not be closed after reading; its descriptor may be lost", e);
    }
    Runnable action = whenClosed.get();
    if (action != null) {
      action.run();
    }
  }
}
