package dev.tarn.sharder.source;

import dev.tarn.client.storage.StorageException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The errors of a source that cannot be read, or that changed since it was listed. */
public final class SourceFailures {
  private SourceFailures() {}

  /**
   * Returns the error for content that changed since it was listed.
   *
   * @param how the evidence of the change
   */
  public static IOException changed(String name, String how) {
    return new IOException(
        "%s: changed while it was packed: %s; pack again when nothing writes to it any more"
            .formatted(name, how));
  }

  /** Returns the error for a single file that is no source. */
  public static IOException unknownKind(String name) {
    return new IOException(
        name
            + ": is no source; sources are directories, archives (.tar, .tar.gz, .tar.zst, .tar.xz,"
            + " .tar.bz2, .zip, .7z, .cpio, .ar), lists (.txt, .lst, .jsonl, .ndjson, .csv, .tsv)"
            + " and dataset.json");
  }

  /**
   * Returns an error with the file's name and the cause, for failures that have only one of them.
   */
  public static IOException naming(String name, IOException failure) {
    if (failure instanceof StorageException stored) {
      return switch (stored.kind()) {
        case MISSING -> vanished(name, stored);
        case CHANGED -> new IOException(changed(name, stored.what()).getMessage(), stored);
        case DENIED -> new IOException(name + ": may not be read: " + stored.what(), stored);
        default -> stored;
      };
    }
    return switch (failure) {
      case NoSuchFileException e -> vanished(name, e);
      case AccessDeniedException e ->
          new IOException(name + ": may not be read: permission denied", e);
      case FileSystemException e -> new IOException(name + ": cannot be read: " + e.getReason(), e);
      case ClosedByInterruptException e -> new IOException(name + ": reading was interrupted", e);
      default ->
          String.valueOf(failure.getMessage()).startsWith(name)
              ? failure
              : new IOException(name + ": cannot be read: " + failure.getMessage(), failure);
    };
  }

  /** Returns the error for an archive that a library found to be invalid. */
  public static IOException corrupt(String name, long offset, Exception failure) {
    return corrupt(name, "byte " + offset, failure);
  }

  /**
   * Returns an error for an archive that a library found to be invalid.
   *
   * @param place where in the archive
   */
  public static IOException corrupt(String name, String place, Exception failure) {
    return new IOException(
        "%s at %s: the archive is corrupt: %s; fetch it or make it again"
            .formatted(name, place, failure.getMessage()),
        failure);
  }

  private static IOException vanished(String name, IOException failure) {
    return new IOException(name + ": vanished while it was packed", failure);
  }
}
