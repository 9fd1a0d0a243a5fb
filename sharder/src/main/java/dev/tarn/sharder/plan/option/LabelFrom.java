package dev.tarn.sharder.plan.option;

/** Where samples' labels come from. */
public enum LabelFrom {
  /** From their files alone. */
  NONE,
  /** From the name of the folder that holds them, whose number becomes a member {@code .cls}. */
  DIRNAME
}
