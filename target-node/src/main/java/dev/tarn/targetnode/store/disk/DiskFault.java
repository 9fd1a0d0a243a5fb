package dev.tarn.targetnode.store.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Locale;

/** The cause of an {@link IOException} of a disk. The JDK gives it in the message only. */
public enum DiskFault {
  /** No space, or a quota is used up: writes fail until there is space. */
  FULL("there is no room on it; enlarge it"),
  /** The disk does not take writes: it is mounted read-only, or remounted so after an error. */
  READ_ONLY("it is read-only; mount it for writing"),
  /** The process has reached its limit of open files. */
  TOO_MANY_OPEN_FILES("the process has too many files open; raise its limit (ulimit -n)"),
  /** The device failed, or its file system is damaged or gone. */
  IO_ERROR("it fails with input/output errors; see the kernel's log"),
  /** Another error, perhaps not of the device. */
  OTHER("an operation on it failed; see this node's log");

  private static final List<String> DEVICE_FAILURES =
      List.of(
          "input/output error",
          "i/o error",
          "no such device",
          "structure needs cleaning",
          "stale file handle",
          "not connected");

  private final String advice;

  DiskFault(String advice) {
    this.advice = advice;
  }

  /** The fault and its remedy, to follow the words "disk X: ". */
  public String advice() {
    return advice;
  }

  /** The fault behind an exception. */
  public static DiskFault of(IOException exception) {
    String text = text(exception).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      return FULL;
    }
    if (text.contains("read-only file system")) {
      return READ_ONLY;
    }
    if (text.contains("too many open files")) {
      return TOO_MANY_OPEN_FILES;
    }
    return DEVICE_FAILURES.stream().anyMatch(text::contains) ? IO_ERROR : OTHER;
  }

  /**
   * The fault behind an exception of a transfer from a file to a socket. Most such exceptions are
   * the socket's.
   */
  public static DiskFault ofTransfer(IOException exception) {
    return text(exception).toLowerCase(Locale.ROOT).contains(DEVICE_FAILURES.getFirst())
        ? IO_ERROR
        : OTHER;
  }

  private static String text(IOException exception) {
    if (exception instanceof FileSystemException fileSystem && fileSystem.getReason() != null) {
      return fileSystem.getReason();
    }
    return exception.getMessage() + " " + exception.getCause();
  }
}
