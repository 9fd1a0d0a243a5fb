package dev.tarn.sharder.diff;

/** Which of the two datasets a sample is of. */
enum Side {
  OLD((byte) 0),
  NEW((byte) 1);

  private final byte mark;

  Side(byte mark) {
    this.mark = mark;
  }

  /** What records of it are marked by: the old side's are sorted before the new's. */
  byte mark() {
    return mark;
  }
}
