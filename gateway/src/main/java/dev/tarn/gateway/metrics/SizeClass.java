package dev.tarn.gateway.metrics;

/** The size class of a transfer. Small and large transfers are measured separately. */
enum SizeClass {
  EMPTY("0", 0),
  UP_TO_8_KIB("8KiB", 8L << 10),
  UP_TO_128_KIB("128KiB", 128L << 10),
  UP_TO_1_MIB("1MiB", 1L << 20),
  UP_TO_64_MIB("64MiB", 64L << 20),
  LARGER("larger", Long.MAX_VALUE);

  private static final SizeClass[] ALL = values();

  private final String label;
  private final long bytesMax;

  SizeClass(String label, long bytesMax) {
    this.label = label;
    this.bytesMax = bytesMax;
  }

  /** The class of a transfer of this many bytes. */
  static SizeClass of(long bytes) {
    for (SizeClass candidate : ALL) {
      if (bytes <= candidate.bytesMax) {
        return candidate;
      }
    }
    return LARGER;
  }

  /** The value of the metric's tag: the largest size in the class. */
  String label() {
    return label;
  }
}
