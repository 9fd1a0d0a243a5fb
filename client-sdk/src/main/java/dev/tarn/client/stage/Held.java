package dev.tarn.client.stage;

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
        public void release() {}
      };

  /** How many bytes are held. */
  long bytes();

  /** Gives the memory back; by any thread, once. */
  void release();
}
