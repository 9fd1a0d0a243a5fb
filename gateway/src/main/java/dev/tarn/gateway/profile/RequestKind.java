package dev.tarn.gateway.profile;

/** What a request does, as far as the profile tells requests apart. */
public enum RequestKind {
  /** Reads the bytes of an object. */
  READ(0, 0),
  /** Writes an object or a part of one. */
  WRITE(1, 1),
  /** Deletes objects. */
  DELETE(2, 2),
  /** Anything else: HEAD, listings, settings, multipart uploads without their bytes. */
  METADATA(3, 2);

  /** How many kinds there are. */
  static final int COUNT = 4;

  /** Times are recorded for reads, for writes, and for all others together. */
  static final int TIME_CLASSES = 3;

  private final int place;
  private final int timeClass;

  RequestKind(int place, int timeClass) {
    this.place = place;
    this.timeClass = timeClass;
  }

  /** The place of the kind in lists by kind. */
  public int place() {
    return place;
  }

  /** The place of the kind's times. */
  int timeClass() {
    return timeClass;
  }

  /** The kind of an operation by its name in S3. */
  static RequestKind of(String operation) {
    return switch (operation) {
      case "GetObject" -> READ;
      case "PutObject", "PostObject", "CopyObject", "UploadPart", "UploadPartCopy" -> WRITE;
      case "DeleteObject", "DeleteObjects" -> DELETE;
      default -> METADATA;
    };
  }
}
