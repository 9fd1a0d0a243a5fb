package dev.tarn.cluster.wire;

/** Bytes are not a message of this wire format; the message says what is wrong and where. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean newerVersion;

  public WireException(String message) {
    super(message);
    this.newerVersion = false;
  }

  public WireException(String message, Throwable cause) {
    super(message, cause);
    this.newerVersion = false;
  }

  private WireException(String message, boolean newerVersion) {
    super(message);
    this.newerVersion = newerVersion;
  }

  static WireException ofOtherVersion(String what, int version, int spoken) {
    return new WireException(
        what
            + " has wire version "
            + version
            + ", this release speaks "
            + spoken
            + "; update the older process of the two",
        version > spoken);
  }

  /** Whether the message is of a later release, so that this process must be updated. */
  public boolean isOfNewerVersion() {
    return newerVersion;
  }
}
