package dev.tarn.targetnode.store.index;

import dev.tarn.targetnode.store.disk.DiskFault;
import java.io.IOException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * The index could not be read or written. The index is derived: if it is removed, the next start
 * rebuilds it.
 */
public final class IndexException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean damage;
  private final boolean full;

  public IndexException(String message, Throwable cause) {
    super(message, cause);
    this.damage = cause instanceof RocksDBException reported && isDamage(reported);
    this.full = cause instanceof RocksDBException reported && isFull(reported);
  }

  /** Whether the index's files are damaged or missing; false if they are only unreachable now. */
  public boolean isDamage() {
    return damage;
  }

  /**
   * Whether there is no space for the index's files. The index takes writes again some time after
   * there is space.
   */
  public boolean isFull() {
    return full;
  }

  private static boolean isFull(RocksDBException reported) {
    Status status = reported.getStatus();
    return status != null && status.getSubCode() == Status.SubCode.NoSpace;
  }

  /** RocksDB reports some faults of the system as corruption, with the system's message inside. */
  private static boolean isDamage(RocksDBException reported) {
    String message = String.valueOf(reported.getMessage());
    Status status = reported.getStatus();
    boolean broken =
        status != null
            && (status.getCode() == Status.Code.Corruption
                || status.getCode() == Status.Code.NotFound);
    return (broken || message.contains("No such file or directory"))
        && DiskFault.of(new IOException(message)) == DiskFault.OTHER;
  }
}
