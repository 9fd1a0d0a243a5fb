package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * How sources are read.
 *
 * @param columns what the columns of lists mean
 * @param keepsOrder whether files are packed about in the order in which their source lists them
 * @param temporaryDirectory for what must be kept on disk meanwhile
 * @param faults decides what an error about one file does
 * @param notices told what a user should know, in one line
 */
public record SourceOptions(
    ListColumns columns,
    boolean keepsOrder,
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
