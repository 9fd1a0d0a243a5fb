package dev.tarn.sharder.plan.option;

import java.io.IOException;

/**
 * The files cannot be packed with these options. The message names the file, the cause and a
 * remedy.
 */
public final class PlanException extends IOException {
  private static final long serialVersionUID = 1L;

  public PlanException(String message) {
    super(message);
  }
}
