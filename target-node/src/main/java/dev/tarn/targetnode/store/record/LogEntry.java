package dev.tarn.targetnode.store.record;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;

/** What one record of the log says. Each changes the state of the disk by itself, or not at all. */
public sealed interface LogEntry {
  /**
   * A version of an object is there, or has been revised. If it says of which upload it came, that
   * upload is over.
   */
  record ObjectStored(StoredObject object) implements LogEntry {
    public ObjectStored {
      requireNonNull(object, "object is null");
    }
  }

  /**
   * A tombstone of the null version: none of this name up to this version is there any more.
   *
   * @param version greater than that of any null version deleted
   */
  record ObjectDeleted(ObjectName name, ObjectVersion version) implements LogEntry {
    public ObjectDeleted {
      requireNonNull(name, "name is null");
      requireNonNull(version, "version is null");
    }
  }

  /** A tombstone of exactly this version, which is no null version. */
  record VersionDeleted(ObjectName name, ObjectVersion version) implements LogEntry {
    public VersionDeleted {
      requireNonNull(name, "name is null");
      requireNonNull(version, "version is null");
    }
  }

  /** An upload has begun. */
  record UploadCreated(StoredUpload upload) implements LogEntry {
    public UploadCreated {
      requireNonNull(upload, "upload is null");
    }
  }

  /** A part of an upload is there. */
  record PartStored(ObjectName name, StoredPart part) implements LogEntry {
    public PartStored {
      requireNonNull(name, "name is null");
      requireNonNull(part, "part is null");
    }
  }

  /** An upload was given up. */
  record UploadAborted(ObjectName name, String uploadId) implements LogEntry {
    public UploadAborted {
      requireNonNull(name, "name is null");
      requireNonNull(uploadId, "uploadId is null");
    }
  }
}
