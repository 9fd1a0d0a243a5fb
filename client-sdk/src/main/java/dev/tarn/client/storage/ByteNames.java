package dev.tarn.client.storage;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names as text, without losing names that are not text.
 *
 * <p>File names are bytes. Those that are UTF-8 become the string they spell; a byte that is not
 * part of valid UTF-8 becomes the lone surrogate U+DC00 plus its value, and goes back to that byte
 * (the surrogateescape scheme of Python's PEP 383). So every byte sequence survives a round trip,
 * whatever the locale.
 */
public final class ByteNames {
  private static final int ESCAPE = 0xDC00;

  private ByteNames() {}

  /** The text of a name's bytes. */
  public static String decode(byte[] name) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(name);
    CharBuffer out = CharBuffer.allocate(name.length + 1);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      if (result.isUnderflow()) {
        return out.flip().toString();
      }
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (ESCAPE + (in.get() & 0xFF)));
      }
      decoder.reset();
    }
  }

  /**
   * The bytes of a name's text.
   *
   * @throws IllegalArgumentException if the text holds a lone surrogate that stands for no byte
   */
  public static byte[] encode(String name) {
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    CharBuffer in = CharBuffer.wrap(name);
    ByteBuffer chunk =
        ByteBuffer.allocate(
            Math.max(16, (int) (name.length() * (double) encoder.maxBytesPerChar())));
    ByteArrayOutputStream out = new ByteArrayOutputStream(chunk.capacity());
    while (true) {
      CoderResult result = encoder.encode(in, chunk, true);
      out.write(chunk.array(), 0, chunk.position());
      chunk.clear();
      if (result.isUnderflow()) {
        return out.toByteArray();
      }
      if (result.isError()) {
        int escaped = in.get() - ESCAPE;
        if (escaped < 0x80 || escaped > 0xFF) {
          throw new IllegalArgumentException(
              "name holds a lone surrogate at char " + (in.position() - 1));
        }
        out.write(escaped);
        encoder.reset();
      }
    }
  }

  /** Compares two names by their bytes, unsigned. */
  public static int compare(String left, String right) {
    return Arrays.compareUnsigned(encode(left), encode(right));
  }
}
