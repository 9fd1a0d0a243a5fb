package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

/**
 * What a plan leaves out, or packs though something is missing.
 *
 * @param outside files that belong to no sample, since their names have no key or extension
 * @param leftOut files whose samples the routes leave out
 * @param missing samples that lack something required: left out, or packed with a warning
 * @param present how many samples are left out since the dataset that is added to has them
 * @param skipped how many files and samples are left out because of errors
 */
public record PlanningFindings(
    Tally outside, Tally leftOut, Tally missing, long present, long skipped) {
  public PlanningFindings {
    requireNonNull(outside, "outside is null");
    requireNonNull(leftOut, "leftOut is null");
    requireNonNull(missing, "missing is null");
  }
}
