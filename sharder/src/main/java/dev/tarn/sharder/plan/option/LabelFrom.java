package dev.tarn.sharder.plan.option;

/** The origin of the samples' labels. */
public enum LabelFrom {
  /** Labels come only from files. */
  NONE,
  /**
   * The label is the number of the folder's name among all classes; it becomes a member {@code
   * .cls}.
   */
  DIRNAME
}
