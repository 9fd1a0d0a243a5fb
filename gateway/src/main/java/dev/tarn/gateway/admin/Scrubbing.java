package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/** The scrubbers of the targets that this process reaches. */
public interface Scrubbing {
  /** Starts a round; where one is under way, that one goes on. */
  void start();

  /** The round under way or the last one; empty when there was none since the start. */
  Optional<Report> report();

  /**
   * What a round has found so far.
   *
   * @param running whether it is under way
   * @param startedMs in milliseconds since 1970
   * @param objects how many were checked
   * @param bytes how many were read
   * @param corrupt the first of those that failed, named for people
   * @param corruptCount how many failed in all
   * @param unchecked what the round left out and why: disks out of service, an early end
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
