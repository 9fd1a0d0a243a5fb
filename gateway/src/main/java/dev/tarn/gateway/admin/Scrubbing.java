package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/** The scrubbers of the targets that this process reaches. */
public interface Scrubbing {
  /** Starts a round, unless one is in progress. */
  void start();

  /** The current or the last round; empty if there was none since the start. */
  Optional<Report> report();

  /**
   * The results of a round so far.
   *
   * @param running whether the round is in progress
   * @param startedMs in milliseconds since 1970
   * @param objects how many were checked
   * @param bytes how many were read
   * @param corrupt the first corrupt objects, described for administrators
   * @param corruptCount how many objects were corrupt in all
   * @param unchecked what the round skipped and why: disks out of service, an early end
   */
  record Report(
      boolean running,
      long startedMs,
      long objects,
      long bytes,
      List<String> corrupt,
      long corruptCount,
      List<String> unchecked) {
    public Report {
      unchecked = List.copyOf(requireNonNull(unchecked, "unchecked is null"));
      corrupt = List.copyOf(requireNonNull(corrupt, "corrupt is null"));
    }
  }
}
