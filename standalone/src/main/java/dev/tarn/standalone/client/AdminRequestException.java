package dev.tarn.standalone.client;

import java.io.IOException;

/** The admin API rejected a request. The message is the server's. */
public final class AdminRequestException extends IOException {
  private static final long serialVersionUID = 1;

  private final int status;

  /** Creates an exception with the HTTP status of the answer. */
  public AdminRequestException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The HTTP status; 503 if a later attempt may succeed. */
  public int status() {
    return status;
  }
}
