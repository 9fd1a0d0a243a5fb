package dev.tarn.sharder.plan.option;

/** The origin of the samples' labels. */
public enum LabelFrom {
  /** Labels come only from files. */
  NONE,
  /**
   * The label is the number of the folder's name among all classes; it becomes a member {@code
   * .cls}.
   */
  DIRNAME,
  /** As {@link #DIRNAME}, but of the folder that {@link PrefixBy#ARCHIVE} adds. */
  ARCHIVE;

  /** Returns the class of a sample by its key; "" if it has none. */
  public String classOf(String key) {
    int end = this == ARCHIVE ? key.indexOf('/') : key.lastIndexOf('/');
    return end < 0 ? "" : key.substring(key.lastIndexOf('/', end - 1) + 1, end);
  }
}
