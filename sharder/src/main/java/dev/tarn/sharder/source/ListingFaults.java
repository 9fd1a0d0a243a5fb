package dev.tarn.sharder.source;

import java.io.IOException;

/**
 * Decides whether an error about one file ends a listing, and records what a listing leaves out.
 */
public interface ListingFaults {
  /** Every error ends the listing; nothing is recorded. */
  ListingFaults ABORT =
      new ListingFaults() {
        @Override
        public void skip(String name, String sample, IOException error) throws IOException {
          throw error;
        }

        @Override
        public void report(String name, String sample, String reason) {}
      };

  /**
   * Skips a file, if the policy allows it.
   *
   * @param name of the file
   * @param sample its key; "" if it has none
   * @throws IOException the error or another one, if the listing must end
   */
  void skip(String name, String sample, IOException error) throws IOException;

  /**
   * Records a file that is left out on purpose.
   *
   * @param name of the file
   * @param sample its key; "" if it has none
   * @throws IOException if it cannot be recorded
   */
  void report(String name, String sample, String reason) throws IOException;
}
