package dev.tarn.sharder.source;

import java.io.IOException;

/** Decides whether an error about one file ends a listing. */
@FunctionalInterface
public interface ListingFaults {
  /** Every error ends the listing. */
  ListingFaults ABORT =
      (name, sample, error) -> {
        throw error;
      };

  /**
   * Skips a file, if the policy allows it.
   *
   * @param name of the file
   * @param sample its key; "" if it has none
   * @throws IOException the error or another one, if the listing must end
   */
  void skip(String name, String sample, IOException error) throws IOException;
}
