package dev.tarn.cluster.control;

/**
 * A bound of the bytes that a bucket has in the cache of the whole cluster.
 *
 * @param bytes not negative; 0 for no bound
 */
public record CacheBound(long bytes) {
  /** No bound. */
  public static final CacheBound NONE = new CacheBound(0);

  private static final String NONE_TEXT = "none";

  /** The pattern of {@link #parse}, and of {@link #toString}. */
  static final String PATTERN = NONE_TEXT + "|" + SizeText.PATTERN;

  /** Describes the text of {@link #parse}. */
  public static final String EXPECTATION = "none or a size such as 500GiB";

  public CacheBound {
    if (bytes < 0) {
      throw new IllegalArgumentException("bound is " + bytes + " bytes, must not be negative");
    }
  }

  /** Whether nothing is bounded. */
  public boolean isNone() {
    return bytes == 0;
  }

  /**
   * Parses the text of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is another one
   */
  public static CacheBound parse(String text) {
    if (text.equals(NONE_TEXT)) {
      return NONE;
    }
    try {
      return new CacheBound(SizeText.parse(text));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' must be " + EXPECTATION, e);
    }
  }

  /** {@code none}, or the size such as {@code 500GiB}. */
  @Override
  public String toString() {
    return isNone() ? NONE_TEXT : SizeText.show(bytes);
  }
}
