package dev.tarn.sharder.plan.option;

import java.io.IOException;

/** The files cannot be packed as asked: the message says which, why, and what would be right. */
public final class PlanException extends IOException {
  private static final long serialVersionUID = 1L;

  public PlanException(String message) {
    super(message);
  }
}
