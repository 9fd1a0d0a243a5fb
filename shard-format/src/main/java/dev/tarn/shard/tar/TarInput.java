package dev.tarn.shard.tar;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The source of an archive's bytes; each implementation skips data in the cheapest way. */
interface TarInput extends Closeable {
  /** Returns the offset of the next byte. */
  long position();

  /**
   * Makes the next {@code length} bytes the content of {@link #window}, and moves past them.
   *
   * @return false if the input ends earlier; the input is then at its end
   */
  boolean take(int length) throws IOException;

  /** Returns the buffer of the last taken bytes, from its position; valid until the next call. */
  ByteBuffer window();

  /** Skips bytes; returns false if the input ends earlier. */
  boolean skip(long length) throws IOException;

  /** Reads some bytes; returns their number, or -1 at the end. */
  int read(ByteBuffer target) throws IOException;

  /** Returns the next bytes in a separate buffer; fewer if the input ends earlier. */
  ByteBuffer read(int length) throws IOException;

  /** Reads the rest, for inputs that verify themselves at their end. */
  void drain() throws IOException;
}
