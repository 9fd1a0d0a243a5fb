package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

/** Decodes text, and whole numbers as text. */
final class Texts {
  /** Longer than any number with blanks and line end. */
  private static final int NUMBER_BYTES_MAX = 256;

  private static final int QUOTED_CHARS_MAX = 40;

  private Texts() {}

  /** Decodes text, which must be UTF-8. */
  static String text(ByteBuffer data) throws IOException {
    try {
      CharBuffer text =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(data);
      return text.toString();
    } catch (CharacterCodingException e) {
      throw new IOException("the text is not UTF-8 at byte " + data.position(), e);
    }
  }

  /** Decodes a decimal number, which may have blanks around it. */
  static Long wholeNumber(ByteBuffer data) throws IOException {
    if (data.remaining() > NUMBER_BYTES_MAX) {
      throw new IOException("%d bytes are not a whole number".formatted(data.remaining()));
    }
    String text = text(data).strip();
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      String quoted = text.substring(0, Math.min(text.length(), QUOTED_CHARS_MAX));
      throw new IOException("\"%s\" is not a whole number of 64 bits".formatted(quoted), e);
    }
  }
}
