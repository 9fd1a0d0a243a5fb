package dev.tarn.sharder.plan.option;

/** What is put before the names of files, so that those of several sources differ. */
public enum PrefixBy {
  /** Names stay as they are in their source. */
  NONE,
  /**
   * Files of an archive get a folder with the archive's name without extension: {@code 1.jpg} of
   * {@code cats.tar} becomes {@code cats/1.jpg}.
   */
  ARCHIVE
}
