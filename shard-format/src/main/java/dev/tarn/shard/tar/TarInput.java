package dev.tarn.shard.tar;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The source of an archive's bytes; each implementation skips data in the cheapest way. */
interface TarInput extends Closeable {
  /** Initial limit of a buffer for data, in bytes. */
  int TRUSTED_LENGTH_MAX = 16 * 1024 * 1024;

  /** Maximum length of the zeros behind an archive's end that are looked at, in bytes. */
  int REST_LENGTH_MAX = 16 * 1024 * 1024;

  /** The length of the last bytes of a longer rest that are looked at too. */
  int TRAILER_LENGTH = 64 * 1024;

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

  /**
   * Returns the next bytes in a separate buffer; fewer if the input ends earlier. The buffer grows
   * as data arrives, so that a corrupt length does not allocate memory without data.
   */
  default ByteBuffer read(int length) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(Math.min(length, TRUSTED_LENGTH_MAX));
    while (data.position() < length) {
      if (!data.hasRemaining()) {
        int larger = (int) Math.min(length, data.capacity() * 2L);
        data = ByteBuffer.allocate(larger).put(data.flip());
      }
      if (read(data) < 0) {
        break;
      }
    }
    return data.flip();
  }

  /**
   * Moves to the input's end. A stream is read to its end, where it may verify itself. Of an input
   * with random access, at most {@link #REST_LENGTH_MAX} bytes and the last {@link #TRAILER_LENGTH}
   * are looked at.
   *
   * @return the offset of the first byte on the way that is not zero; -1 if there is none
   */
  long drain() throws IOException;
}
