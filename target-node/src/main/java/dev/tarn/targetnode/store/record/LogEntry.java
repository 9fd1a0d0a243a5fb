package dev.tarn.targetnode.store.record;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;

/** The content of one record of the log. Each record is one atomic change of the disk's state. */
public sealed interface LogEntry {
  /**
   * A version of an object exists, or has been revised. If it names an upload, that upload is
   * completed.
   */
  record ObjectStored(ObjectRecord object) implements LogEntry {
    public ObjectStored {
      requireNonNull(object, "object is null");
    }
  }

  /**
   * A tombstone of the null version: deletes every null version of this name up to this version.
   *
   * @param version greater than that of any null version deleted
   */
  record ObjectDeleted(ObjectName name, ObjectVersion version) implements LogEntry {
    public ObjectDeleted {
      requireNonNull(name, "name is null");
      requireNonNull(version, "version is null");
    }
  }

  /** A tombstone of exactly this version, which is not a null version. */
  record VersionDeleted(ObjectName name, ObjectVersion version) implements LogEntry {
    public VersionDeleted {
      requireNonNull(name, "name is null");
      requireNonNull(version, "version is null");
    }
  }

  /** An upload has begun. */
  record UploadCreated(UploadRecord upload) implements LogEntry {
    public UploadCreated {
      requireNonNull(upload, "upload is null");
    }
  }

  /** A part of an upload exists. */
  record PartStored(ObjectName name, PartRecord part) implements LogEntry {
    public PartStored {
      requireNonNull(name, "name is null");
      requireNonNull(part, "part is null");
    }
  }

  /** An upload was aborted. */
  record UploadAborted(ObjectName name, String uploadId) implements LogEntry {
    public UploadAborted {
      requireNonNull(name, "name is null");
      requireNonNull(uploadId, "uploadId is null");
    }
  }
}
