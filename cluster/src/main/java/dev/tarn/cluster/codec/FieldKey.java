package dev.tarn.cluster.codec;

/**
 * The key before the value of a field: the number {@code tag << 3 | required << 2 | type}. The type
 * alone determines the length of the value, so a reader can skip a field that it does not know.
 */
final class FieldKey {
  /** A number of 1 to 10 bytes, 7 bits each, the lowest first. */
  static final int NUMBER = 0;

  /** Eight bytes, the highest first. */
  static final int LONG = 1;

  /** A length as a number, then that many bytes. */
  static final int BYTES = 2;

  /** Fields, then {@link #END}. */
  static final int MESSAGE = 3;

  /** The mark after the last field of a message. */
  static final int END = 0;

  /** A reader that does not know the field must refuse the message. */
  static final int REQUIRED = 4;

  static final int TAG_SHIFT = 3;
  static final int TYPE_MASK = 3;

  private FieldKey() {}
}
