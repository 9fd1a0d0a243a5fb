package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Counts and discards a body, chunked or with a content length. Optionally computes the CRC32C, and
 * keeps the first 1,024 bytes for an error message.
 */
final class AnswerBody {
  private static final int EXCERPT_BYTES_MAX = 1024;

  private final ChunkFraming framing = new ChunkFraming();
  private final CRC32C crc = new CRC32C();
  private final ByteArrayOutputStream excerpt = new ByteArrayOutputStream();
  private boolean chunked;
  private boolean checked;
  private boolean quoted;
  private long remaining;
  private long length;

  /**
   * @param checked whether to compute the CRC
   * @param quoted whether to keep an excerpt
   */
  void begin(boolean chunked, long contentLength, boolean checked, boolean quoted) {
    this.chunked = chunked;
    this.checked = checked;
    this.quoted = quoted;
    remaining = contentLength;
    length = 0;
    crc.reset();
    excerpt.reset();
    framing.reset();
  }

  /**
   * Consumes the bytes that belong to the body.
   *
   * @return whether the body is complete
   */
  boolean feed(ByteBuffer input) throws UnexpectedAnswerException {
    if (!chunked) {
      int taken = (int) Math.min(remaining, input.remaining());
      take(input, taken);
      remaining -= taken;
      return remaining == 0;
    }
    while (input.hasRemaining() && !framing.finished()) {
      int payload = framing.payload(input);
      take(input, payload);
      framing.consumed(payload);
    }
    return framing.finished();
  }

  private void take(ByteBuffer input, int count) {
    length += count;
    int end = input.position() + count;
    if (checked) {
      crc.update(input.duplicate().limit(end));
    }
    for (int i = input.position(); quoted && i < end && excerpt.size() < EXCERPT_BYTES_MAX; i++) {
      excerpt.write(input.get(i));
    }
    input.position(end);
  }

  long length() {
    return length;
  }

  long crc32c() {
    return crc.getValue();
  }

  String excerpt() {
    return excerpt.toString(UTF_8);
  }
}
