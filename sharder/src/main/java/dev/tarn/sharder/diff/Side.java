package dev.tarn.sharder.diff;

/** The dataset of a sample: the old or the new one. */
enum Side {
  OLD((byte) 0),
  NEW((byte) 1);

  private final byte mark;

  Side(byte mark) {
    this.mark = mark;
  }

  /** Returns the mark in its records: records of the old side sort before those of the new side. */
  byte mark() {
    return mark;
  }
}
