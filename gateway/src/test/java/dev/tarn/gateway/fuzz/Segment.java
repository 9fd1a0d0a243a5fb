package dev.tarn.gateway.fuzz;

import java.util.SplittableRandom;

/**
 * A stretch of an input that means something by itself: a word, a line, a tag, or what lies between
 * separators.
 *
 * @param from the first byte
 * @param to behind the last
 */
record Segment(int from, int to) {
  private static final String SEPARATORS = "&;,/=?: ";

  int length() {
    return to - from;
  }

  /** One of a random kind around a random place; empty in an empty input. */
  static Segment near(InputBuffer buffer, SplittableRandom random) {
    if (buffer.length() == 0) {
      return new Segment(0, 0);
    }
    int index = random.nextInt(buffer.length());
    return switch (random.nextInt(4)) {
      case 0 -> word(buffer, index);
      case 1 -> closed(buffer, index, '\n');
      case 2 -> closed(buffer, index, '>');
      default -> parameter(buffer, index, random);
    };
  }

  /** A number, or an empty place where there is none nearby. */
  static Segment number(InputBuffer buffer, SplittableRandom random) {
    int from = random.nextInt(buffer.length() + 1);
    while (from < buffer.length() && !isDigit(buffer.at(from))) {
      from++;
    }
    int to = from;
    while (to < buffer.length() && isDigit(buffer.at(to))) {
      to++;
    }
    return new Segment(from, to);
  }

  private static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  private static Segment word(InputBuffer buffer, int index) {
    int from = index;
    while (from > 0 && isWord(buffer.at(from - 1))) {
      from--;
    }
    int to = index;
    while (to < buffer.length() && isWord(buffer.at(to))) {
      to++;
    }
    return new Segment(from, to);
  }

  private static boolean isWord(byte value) {
    return Character.isLetterOrDigit(value) || value == '-' || value == '_' || value < 0;
  }

  /** What ends with this byte, and with it. */
  private static Segment closed(InputBuffer buffer, int index, char end) {
    int from = index;
    while (from > 0 && buffer.at(from - 1) != end) {
      from--;
    }
    int to = index;
    while (to < buffer.length() && buffer.at(to) != end) {
      to++;
    }
    return new Segment(from, Math.min(buffer.length(), to + 1));
  }

  private static Segment parameter(InputBuffer buffer, int index, SplittableRandom random) {
    return closed(buffer, index, SEPARATORS.charAt(random.nextInt(SEPARATORS.length())));
  }
}
