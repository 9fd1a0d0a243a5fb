package dev.tarn.client.internal.stage;

/** Decides what happens to values on which a function fails. */
@FunctionalInterface
public interface FailurePolicy {
  /** Whether the epoch continues without the value; records the value if so. */
  boolean isSkipped(Object origin, Exception failure);
}
