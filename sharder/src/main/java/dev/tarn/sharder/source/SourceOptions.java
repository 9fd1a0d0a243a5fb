package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Options of sources.
 *
 * @param columns the meaning of the columns of lists
 * @param keepsOrder whether files are packed approximately in their source's order
 * @param takesHidden whether hidden files are packed; see {@link RelativeNames#isHidden}
 * @param ignoresZeros whether a tar archive is read on past its end, to the next archive in the
 *     file
 * @param temporaryDirectory the folder for temporary files
 * @param faults decides whether an error about one file ends the listing
 * @param notices receives one-line messages for the user
 */
public record SourceOptions(
    ListColumns columns,
    boolean keepsOrder,
    boolean takesHidden,
    boolean ignoresZeros,
    Path temporaryDirectory,
    ListingFaults faults,
    Consumer<String> notices) {
  public SourceOptions {
    requireNonNull(columns, "columns is null");
    requireNonNull(temporaryDirectory, "temporaryDirectory is null");
    requireNonNull(faults, "faults is null");
    requireNonNull(notices, "notices is null");
  }
}
