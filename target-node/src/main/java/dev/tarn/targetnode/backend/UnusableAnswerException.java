package dev.tarn.targetnode.backend;

import java.io.Serial;

/** A backend's answer is not one of S3, or lacks what S3 prescribes. */
final class UnusableAnswerException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String problem;

  /**
   * An answer that cannot be used.
   *
   * @param problem what the backend answered, without names of objects: each problem is logged once
   */
  UnusableAnswerException(String problem) {
    this(problem, "");
  }

  /**
   * An answer about one object that cannot be used.
   *
   * @param about the object that it is about; empty for none
   */
  UnusableAnswerException(String problem, String about) {
    super(about.isEmpty() ? problem : problem + " (" + about + ")");
    this.problem = problem;
  }

  /** Describes the backend's answer, without names of objects. */
  String problem() {
    return problem;
  }
}
