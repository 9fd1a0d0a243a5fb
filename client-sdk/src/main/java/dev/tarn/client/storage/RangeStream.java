package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

/** A stream of a range of an object, which keeps its position. */
public abstract class RangeStream extends ObjectStream {
  private final StoredObject object;
  private final long end;
  private long position;

  /**
   * Begins at the start of the range.
   *
   * @param range within the object
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

  /** Whether all bytes were read. */
  protected final boolean isAtEnd() {
    return position == end;
  }

  /** {@code wanted}, or the number of remaining bytes if that is less. */
  protected final int leftOf(int wanted) {
    return (int) Math.min(wanted, end - position);
  }

  /** Moves the position. */
  protected final void advance(int count) {
    position += count;
  }
}
