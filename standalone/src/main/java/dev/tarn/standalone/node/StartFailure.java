package dev.tarn.standalone.node;

/** The process cannot start. The message names the cause and what to do. */
public final class StartFailure extends Exception {
  private static final long serialVersionUID = 1;

  public StartFailure(String message) {
    super(message);
  }

  public StartFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
