package dev.tarn.gateway.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.SplittableRandom;

/** What a parser is given. */
public final class FuzzInput {
  private final byte[] bytes;
  private final int origin;
  private final boolean valid;
  private final SplittableRandom random;

  FuzzInput(byte[] bytes, int origin, boolean valid, SplittableRandom random) {
    this.bytes = bytes;
    this.origin = origin;
    this.valid = valid;
    this.random = random;
  }

  /** The input, not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  /** The input as HTTP decoders give it: one character for each byte. */
  public String wire() {
    return new String(bytes, ISO_8859_1);
  }

  /** The input as text, what is not UTF-8 replaced. */
  public String text() {
    return new String(bytes, UTF_8);
  }

  /** Which of the corpus it was made from. */
  public int origin() {
    return origin;
  }

  /** Whether it is as the parser's grammar has it, so that refusing it is wrong. */
  public boolean isValid() {
    return valid;
  }

  /** For what else is to be chosen, such as where to split; the same for the same input. */
  public SplittableRandom random() {
    return random;
  }

  /** As a Java string literal has it, so that it can be made a test. */
  static String escaped(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length + 2).append('"');
    for (byte next : bytes) {
      switch (next) {
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        default -> {
          if (next >= ' ' && next < 0x7F) {
            text.append((char) next);
          } else {
            text.append("\\u%04x".formatted(next & 0xFF));
          }
        }
      }
    }
    return text.append('"').toString();
  }
}
