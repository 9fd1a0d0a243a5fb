package dev.tarn.targetnode.store;

import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.store.disk.DiskFault;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.index.IndexException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a disk is in service. It turns exceptions of the disk's files into failures. It takes a
 * disk out of service that fails too often in a short time. All keys of the disk are then
 * unavailable until the disk is repaired and the node restarts. They must not be answered as not
 * found, because they may exist.
 */
public final class DiskHealth {
  private static final Logger LOG = LoggerFactory.getLogger(DiskHealth.class);

  /** Only errors within this time of each other count together. */
  private static final long WINDOW_MS = 600_000;

  /** A full disk with less room than this is still reported as full. */
  private static final long ROOM_AGAIN_BYTES = 8 << 20;

  private final String disk;
  private final int ioErrorsMax;
  private final InstantSource clock;
  private final Deque<Long> recentMs = new ArrayDeque<>();
  private final AtomicInteger ioErrors = new AtomicInteger();
  private final AtomicBoolean isFull = new AtomicBoolean();
  private final AtomicReference<Optional<String>> outOfService =
      new AtomicReference<>(Optional.empty());

  DiskHealth(String disk, int ioErrorsMax, InstantSource clock) {
    this.disk = disk;
    this.ioErrorsMax = ioErrorsMax;
    this.clock = clock;
  }

  /** Why the disk is out of service; empty if it is in service. */
  public Optional<String> outOfService() {
    return outOfService.get();
  }

  /** The number of input/output errors since the start. */
  public int ioErrors() {
    return ioErrors.get();
  }

  /** The failure to answer with while the disk is out of service; empty if it is in service. */
  public Optional<Failure> refusal() {
    return outOfService.get().map(Failure.Unavailable::new);
  }

  /**
   * Logs once when the disk has become full, and once when it has room again.
   *
   * @param roomBytes the free space beyond the reserve; not positive if the disk is full
   */
  void observeRoom(long roomBytes) {
    if (roomBytes <= 0 && isFull.compareAndSet(false, true)) {
      LOG.warn(
          "disk {} is full: no more than target.store.reserve-bytes is free; writes fail with 507"
              + " until there is room: enlarge the disk, or drop cached bytes with tarn bucket"
              + " evict",
          disk);
    } else if (roomBytes >= ROOM_AGAIN_BYTES && isFull.get() && isFull.compareAndSet(true, false)) {
      LOG.info("disk {} has room again; writes resume", disk);
    }
  }

  /**
   * The failure to answer with after an exception of the disk's files. Counts an input/output
   * error.
   */
  public Failure failureOf(IOException exception) {
    if (exception instanceof UnreadableFormatException
        || exception instanceof EOFException
        || exception instanceof NoSuchFileException) {
      return new Failure.Corrupt("disk " + disk + ": " + exception.getMessage());
    }
    DiskFault fault =
        exception instanceof IndexException index && index.isFull()
            ? DiskFault.FULL
            : DiskFault.of(exception);
    String message = "disk " + disk + ": " + fault.advice();
    switch (fault) {
      case FULL -> {
        observeRoom(0);
        return new Failure.OutOfSpace(message);
      }
      case READ_ONLY, TOO_MANY_OPEN_FILES, OTHER -> LOG.warn("{}", message, exception);
      case IO_ERROR -> countError(message, exception);
    }
    return new Failure.Unavailable(message);
  }

  public void takeOut(String reason) {
    if (outOfService.compareAndSet(Optional.empty(), Optional.of(reason))) {
      LOG.error("{}; it is out of service and its keys are unavailable", reason);
    }
  }

  /**
   * Counts an input/output error if a send from a file ended early because of the disk. Often the
   * receiver is the cause.
   */
  public void noteTransfer(IOException exception) {
    if (DiskFault.ofTransfer(exception) == DiskFault.IO_ERROR) {
      countError("disk " + disk + ": " + DiskFault.IO_ERROR.advice(), exception);
    }
  }

  private void countError(String message, IOException exception) {
    ioErrors.incrementAndGet();
    int recent = countRecent(clock.millis());
    LOG.error("{} (error {} of {})", message, recent, ioErrorsMax, exception);
    if (recent >= ioErrorsMax) {
      takeOut(message);
    }
  }

  /** Records an error now and returns the number of errors within the window. */
  private synchronized int countRecent(long nowMs) {
    recentMs.removeIf(time -> time < nowMs - WINDOW_MS);
    recentMs.add(nowMs);
    return recentMs.size();
  }
}
