package dev.tarn.targetnode.store;

import dev.tarn.targetnode.store.record.LogEntry;

/** Describes for people what a record is about. */
final class Descriptions {
  private Descriptions() {}

  static String of(LogEntry entry) {
    return switch (entry) {
      case LogEntry.ObjectStored stored ->
          "object "
              + stored.object().metadata().name()
              + " version "
              + stored.object().metadata().version();
      case LogEntry.ObjectDeleted deleted -> "tombstone of " + deleted.name();
      case LogEntry.VersionDeleted deleted ->
          "tombstone of " + deleted.name() + " version " + deleted.version();
      case LogEntry.UploadCreated created ->
          "upload " + created.upload().id() + " of " + created.upload().name();
      case LogEntry.PartStored stored ->
          "part "
              + stored.part().part().number()
              + " of upload "
              + stored.part().uploadId()
              + " of "
              + stored.name();
      case LogEntry.UploadAborted aborted ->
          "end of upload " + aborted.uploadId() + " of " + aborted.name();
    };
  }
}
