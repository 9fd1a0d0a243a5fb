package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

/** A stream of a range of an object, which counts the bytes that it has given out. */
public abstract class RangeStream extends ObjectStream {
  private final StoredObject object;
  private final long end;
  private long position;

  /**
   * Begins where the range does.
   *
   * @param range which lies within the object
   */
  protected RangeStream(StoredObject object, Range range) {
    this.object = requireNonNull(object, "object is null");
    this.position = range.offset();
    this.end = range.end();
  }

  @Override
  public final StoredObject object() {
    return object;
  }

  @Override
  public final long position() {
    return position;
  }

  @Override
  public final long end() {
    return end;
  }

  /** Whether there is no more. */
  protected final boolean isAtEnd() {
    return position == end;
  }

  /** As many of some wanted bytes as are left. */
  protected final int leftOf(int wanted) {
    return (int) Math.min(wanted, end - position);
  }

  /** So many bytes were given out. */
  protected final void advance(int count) {
    position += count;
  }
}
