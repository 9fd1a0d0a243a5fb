package dev.tarn.benchmarks.measure;

import java.io.IOException;

/** Runs one round of one side of a comparison. */
@FunctionalInterface
public interface Round {
  Measurement run() throws IOException;
}
