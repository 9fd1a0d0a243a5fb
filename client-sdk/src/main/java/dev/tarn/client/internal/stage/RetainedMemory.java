package dev.tarn.client.internal.stage;

/** The memory of an item's value, which counts against the budget until it is released. */
public interface RetainedMemory {
  /** No memory: the value's own is not counted. */
  RetainedMemory NOTHING =
      new RetainedMemory() {
        @Override
        public long bytes() {
          return 0;
        }

        @Override
        public void compact() {}

        @Override
        public void release() {}
      };

  /** How many bytes are retained. */
  long bytes();

  /**
   * Copies the value out of memory that it shares with others, so that no more than the value's own
   * bytes are retained. Only the thread that has the value, and has given it to nobody else, calls
   * it.
   */
  void compact();

  /** Releases the memory; called once, by any thread. */
  void release();
}
