package dev.tarn.shard.tar;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where an archive's bytes come from: each source passes over data in the way cheapest for it. */
interface TarInput extends Closeable {
  /** The offset of the next byte. */
  long position();

  /**
   * Makes the next {@code length} bytes the contents of {@link #window} and passes over them.
   *
   * @return whether they are all there; if not, the input is at its end
   */
  boolean take(int length) throws IOException;

  /** The buffer of the bytes taken last, from its position on; valid until the next call. */
  ByteBuffer window();

  /** Passes over bytes; false if the input ends before. */
  boolean skip(long length) throws IOException;

  /** Reads some bytes; -1 at the end. */
  int read(ByteBuffer target) throws IOException;

  /** The next bytes in a buffer of their own, or fewer if the input ends before. */
  ByteBuffer read(int length) throws IOException;

  /** Reads what is left, for inputs whose end proves that they are whole. */
  void drain() throws IOException;
}
