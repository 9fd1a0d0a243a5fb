package dev.tarn.standalone.node;

/** The process cannot start; the message names what is in the way and what would be right. */
public final class StartFailure extends Exception {
  private static final long serialVersionUID = 1;

  public StartFailure(String message) {
    super(message);
  }

  public StartFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
