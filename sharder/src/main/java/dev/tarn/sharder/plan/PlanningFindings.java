package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

/**
 * The files and samples that a plan leaves out, or packs although something is missing or unusual.
 *
 * @param hidden hidden files and folders
 * @param outside files that belong to no sample, because their names have no key or extension
 * @param leftOut files whose samples the routes leave out
 * @param missing samples that lack something required: left out, or packed with a warning
 * @param upperCase members that are packed with an extension in upper case
 * @param present the number of samples left out because the dataset already has them
 * @param skipped the number of files and samples skipped because of errors
 */
public record PlanningFindings(
    Tally hidden,
    Tally outside,
    Tally leftOut,
    Tally missing,
    Tally upperCase,
    long present,
    long skipped) {
  public PlanningFindings {
    requireNonNull(hidden, "hidden is null");
    requireNonNull(outside, "outside is null");
    requireNonNull(leftOut, "leftOut is null");
    requireNonNull(missing, "missing is null");
    requireNonNull(upperCase, "upperCase is null");
  }
}
