package dev.tarn.benchmarks.load;

/** The server's answer is not the one that was expected; counted as an error of the load. */
public final class UnexpectedAnswerException extends Exception {
  private static final long serialVersionUID = 1;

  public UnexpectedAnswerException(String message) {
    super(message);
  }
}
