package dev.tarn.cluster.target;

/** The bytes of an object that a read selects. */
public sealed interface Selection {
  /** All bytes. */
  Selection WHOLE = new Whole();

  /** All bytes. */
  record Whole() implements Selection {}

  /**
   * From one byte to another, both included; the last may be after the end.
   *
   * @param first not negative
   * @param last at least {@code first}; {@link Long#MAX_VALUE} for the end
   */
  record Range(long first, long last) implements Selection {
    public Range {
      if (first < 0 || last < first) {
        throw new IllegalArgumentException("range is " + first + "-" + last);
      }
    }
  }

  /**
   * The last bytes; all if the object has fewer.
   *
   * @param lengthBytes zero can never be satisfied
   */
  record Suffix(long lengthBytes) implements Selection {
    public Suffix {
      if (lengthBytes < 0) {
        throw new IllegalArgumentException("suffix has length " + lengthBytes);
      }
    }
  }

  /**
   * One part of a multipart object; part 1 of any other object is the whole object.
   *
   * @param number 1 to 10,000
   */
  record Part(int number) implements Selection {
    public Part {
      if (number < 1) {
        throw new IllegalArgumentException("part number is " + number);
      }
    }
  }
}
