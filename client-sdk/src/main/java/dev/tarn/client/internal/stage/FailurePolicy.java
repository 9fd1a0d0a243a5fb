package dev.tarn.client.internal.stage;

/** Says what becomes of values that a function fails on. */
@FunctionalInterface
public interface FailurePolicy {
  /** Whether the epoch goes on without it; it is told of it then. */
  boolean isSkipped(Object origin, Exception failure);
}
