package dev.tarn.sharder.source;

import java.io.IOException;

/** Decides what an error about one file does to a listing. */
@FunctionalInterface
public interface ListingFaults {
  /** Every error ends it. */
  ListingFaults ABORT =
      (name, sample, error) -> {
        throw error;
      };

  /**
   * Leaves a file out, if that is wanted.
   *
   * @param name of the file
   * @param sample its key; empty where it has none
   * @throws IOException the error, or another, if the listing is to end
   */
  void skip(String name, String sample, IOException error) throws IOException;
}
