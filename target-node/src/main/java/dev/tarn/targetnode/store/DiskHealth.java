package dev.tarn.targetnode.store;

import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.store.disk.DiskFault;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.index.IndexException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a disk serves. Turns what its files throw into failures, and takes it out of service when
 * it fails too often: from then on all of its keys are unavailable until a restart with the disk
 * repaired, for a key answered as missing would be a lie.
 */
public final class DiskHealth {
  private static final Logger LOG = LoggerFactory.getLogger(DiskHealth.class);

  private final String disk;
  private final int ioErrorsMax;
  private final AtomicInteger ioErrors = new AtomicInteger();
  private final AtomicReference<Optional<String>> outOfService =
      new AtomicReference<>(Optional.empty());

  DiskHealth(String disk, int ioErrorsMax) {
    this.disk = disk;
    this.ioErrorsMax = ioErrorsMax;
  }

  /** Why it does not serve; empty if it does. */
  public Optional<String> outOfService() {
    return outOfService.get();
  }

  /** How many input/output errors there have been. */
  public int ioErrors() {
    return ioErrors.get();
  }

  /** The failure to answer with while the disk does not serve; empty if it does. */
  public Optional<Failure> refusal() {
    return outOfService.get().map(Failure.Unavailable::new);
  }

  /** The failure to answer with after an exception of the disk's files. */
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
        return new Failure.OutOfSpace(message);
      }
      case READ_ONLY, TOO_MANY_OPEN_FILES, OTHER -> LOG.warn("{}", message, exception);
      case IO_ERROR -> countError(message, exception);
    }
    return new Failure.Unavailable(message);
  }

  /** Takes the disk out of service. */
  public void takeOut(String reason) {
    if (outOfService.compareAndSet(Optional.empty(), Optional.of(reason))) {
      LOG.error("{}; it is out of service and its keys are unavailable", reason);
    }
  }

  private void countError(String message, IOException exception) {
    int count = ioErrors.incrementAndGet();
    LOG.error("{} (error {} of {})", message, count, ioErrorsMax, exception);
    if (count >= ioErrorsMax) {
      takeOut(message);
    }
  }
}
