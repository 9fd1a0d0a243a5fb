package dev.tarn.benchmarks.load;

/** The server's answer is not the expected one. The load counts it as an error. */
public final class UnexpectedAnswerException extends Exception {
  private static final long serialVersionUID = 1;

  public UnexpectedAnswerException(String message) {
    super(message);
  }
}
