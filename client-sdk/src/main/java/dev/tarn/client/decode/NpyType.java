package dev.tarn.client.decode;

/** The element types of {@link NpyArray}: NumPy's numbers and booleans. */
public enum NpyType {
  /** One byte each, 0 or 1. */
  BOOL('b', 1),
  INT8('i', 1),
  INT16('i', 2),
  INT32('i', 4),
  INT64('i', 8),
  UINT8('u', 1),
  UINT16('u', 2),
  UINT32('u', 4),
  UINT64('u', 8),
  FLOAT16('f', 2),
  FLOAT32('f', 4),
  FLOAT64('f', 8);

  private final char kind;
  private final int bytes;

  NpyType(char kind, int bytes) {
    this.kind = kind;
    this.bytes = bytes;
  }

  /** The size of one element, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** NumPy's name without byte order: a letter, and the size in bytes. */
  public String code() {
    return kind + Integer.toString(bytes);
  }

  /** Whether it is a floating-point type. */
  public boolean isFloating() {
    return kind == 'f';
  }
}
