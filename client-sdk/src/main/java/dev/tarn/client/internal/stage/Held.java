package dev.tarn.client.internal.stage;

/** Memory that an item's value lies in. */
public interface Held {
  /** Nothing: the value is its own. */
  Held NOTHING =
      new Held() {
        @Override
        public long bytes() {
          return 0;
        }

        @Override
        public void compact() {}

        @Override
        public void release() {}
      };

  /** How many bytes are held. */
  long bytes();

  /**
   * Copies the value's bytes out of memory that it shares with others, so that it holds no more
   * than they are; by the thread that has the value, which has given it to nobody else.
   */
  void compact();

  /** Gives the memory back; by any thread, once. */
  void release();
}
