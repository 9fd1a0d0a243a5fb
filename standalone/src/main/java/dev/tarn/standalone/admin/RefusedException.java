package dev.tarn.standalone.admin;

import java.io.IOException;

/** The server has understood, and says no; the message is its own. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1;

  private final int status;

  /** With the status of HTTP. */
  public RefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The status of HTTP; 503 where it may say yes later. */
  public int status() {
    return status;
  }
}
