package dev.tarn.gateway.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes inputs of valid ones: a few changes each, of bytes, of words and of whole lines, tags and
 * parameters. Every so often one grows as long as is allowed, or nests as deep.
 */
final class Mutator {
  private static final int CHANGES_MAX = 8;
  private static final int RANDOM_LENGTH_MAX = 256;

  /** One input in so many has no valid ancestor. */
  private static final int RANDOM_EVERY = 64;

  /** One change in so many that repeat something fills what length is left. */
  private static final int FILL_EVERY = 256;

  /** One input in so many of those that follow a grammar stays as it is. */
  private static final int UNCHANGED_EVERY = 4;

  private final ParserFuzz parser;
  private final List<byte[]> corpus;
  private final Vocabulary vocabulary;
  private final InputBuffer buffer;

  Mutator(ParserFuzz parser) {
    this.parser = parser;
    this.corpus = parser.corpus();
    this.vocabulary = new Vocabulary(parser.vocabulary());
    this.buffer = new InputBuffer(parser.lengthMax());
  }

  /** The input that this source of chance makes. */
  FuzzInput next(SplittableRandom random) {
    int origin = random.nextInt(corpus.size());
    if (random.nextInt(RANDOM_EVERY) == 0) {
      byte[] bytes = new byte[random.nextInt(RANDOM_LENGTH_MAX)];
      random.nextBytes(bytes);
      return new FuzzInput(bytes, origin, false, random);
    }
    byte[] valid = parser.valid(random);
    if (valid != null && random.nextInt(UNCHANGED_EVERY) == 0) {
      return new FuzzInput(valid, origin, true, random);
    }
    buffer.set(valid == null ? corpus.get(origin) : valid);
    // Few changes are the most telling: the more there are, the earlier a parser gives up.
    int changes = Math.min(CHANGES_MAX, Integer.numberOfTrailingZeros(random.nextInt() | 1 << 30));
    for (int i = 0; i <= changes; i++) {
      change(random);
    }
    return new FuzzInput(buffer.copy(), origin, false, random);
  }

  private void change(SplittableRandom random) {
    switch (random.nextInt(18)) {
      case 0 -> flip(random);
      case 1 -> overwrite(random);
      case 2 -> insertBytes(random);
      case 3 -> deleteBytes(random);
      case 4 -> copyBytes(random);
      case 5 -> splice(random);
      case 6 -> buffer.truncate(random.nextInt(buffer.length() + 1));
      case 7 -> replaceNumber(random);
      case 8, 9 -> buffer.insert(place(random), vocabulary.piece(random));
      case 10, 11 -> replaceSegment(random);
      case 12 -> delete(Segment.near(buffer, random));
      case 13 -> moveSegment(random);
      case 14 -> repeatSegment(random);
      case 15 -> nest(random);
      case 16 -> changeCase(random);
      default -> escape(random);
    }
  }

  private int place(SplittableRandom random) {
    return random.nextInt(buffer.length() + 1);
  }

  private void flip(SplittableRandom random) {
    if (buffer.length() > 0) {
      int index = random.nextInt(buffer.length());
      buffer.put(index, (byte) (buffer.at(index) ^ 1 << random.nextInt(8)));
    }
  }

  private void overwrite(SplittableRandom random) {
    if (buffer.length() > 0) {
      byte[] piece = vocabulary.piece(random);
      int index = random.nextInt(buffer.length());
      for (int i = 0; i < piece.length && index + i < buffer.length(); i++) {
        buffer.put(index + i, piece[i]);
      }
    }
  }

  private void insertBytes(SplittableRandom random) {
    byte[] bytes = new byte[1 + random.nextInt(4)];
    random.nextBytes(bytes);
    buffer.insert(place(random), bytes);
  }

  private void deleteBytes(SplittableRandom random) {
    int from = place(random);
    int count = random.nextBoolean() ? 1 : random.nextInt(16);
    buffer.delete(from, Math.min(buffer.length(), from + count));
  }

  private void copyBytes(SplittableRandom random) {
    int from = place(random);
    int to = Math.min(buffer.length(), from + random.nextInt(32));
    buffer.insert(place(random), buffer.copy(from, to));
  }

  /** Goes on as another valid input does. */
  private void splice(SplittableRandom random) {
    byte[] other = corpus.get(random.nextInt(corpus.size()));
    buffer.truncate(place(random));
    buffer.insert(buffer.length(), other, random.nextInt(other.length + 1), other.length);
  }

  private void replaceNumber(SplittableRandom random) {
    Segment number = Segment.number(buffer, random);
    delete(number);
    buffer.insert(number.from(), vocabulary.number(random));
  }

  private void replaceSegment(SplittableRandom random) {
    Segment segment = Segment.near(buffer, random);
    byte[] instead =
        random.nextBoolean() ? vocabulary.piece(random) : copy(Segment.near(buffer, random));
    delete(segment);
    buffer.insert(segment.from(), instead);
  }

  private void moveSegment(SplittableRandom random) {
    Segment segment = Segment.near(buffer, random);
    byte[] moved = copy(segment);
    delete(segment);
    buffer.insert(Segment.near(buffer, random).from(), moved);
  }

  private void repeatSegment(SplittableRandom random) {
    Segment segment = Segment.near(buffer, random);
    buffer.insertRepeated(segment.from(), copy(segment), times(random, segment.length()));
  }

  private void nest(SplittableRandom random) {
    List<byte[]> pair = Vocabulary.pair(random);
    int from = place(random);
    int to = from + random.nextInt(buffer.length() - from + 1);
    int times = times(random, 2 * (pair.get(0).length + pair.get(1).length));
    buffer.insertRepeated(to, pair.get(1), times);
    buffer.insertRepeated(from, pair.get(0), times);
  }

  /** A few times, and once in a while as often as fits. */
  private int times(SplittableRandom random, int length) {
    if (random.nextInt(FILL_EVERY) == 0) {
      return random.nextInt(1 + (buffer.lengthMax() - buffer.length()) / Math.max(1, length));
    }
    return 1 + random.nextInt(random.nextInt(16) == 0 ? 64 : 3);
  }

  private void changeCase(SplittableRandom random) {
    Segment segment = Segment.near(buffer, random);
    for (int i = segment.from(); i < segment.to(); i++) {
      if (Character.isLetter(buffer.at(i))) {
        buffer.put(i, (byte) (buffer.at(i) ^ 0x20));
      }
    }
  }

  /** Percent-encodes a byte, needed or not. */
  private void escape(SplittableRandom random) {
    if (buffer.length() > 0) {
      int index = random.nextInt(buffer.length());
      String hex = HexFormat.of().withUpperCase().toHexDigits(buffer.at(index));
      byte[] escape = ("%" + hex).getBytes(US_ASCII);
      buffer.delete(index, index + 1);
      buffer.insert(index, escape);
    }
  }

  private byte[] copy(Segment segment) {
    return buffer.copy(segment.from(), segment.to());
  }

  private void delete(Segment segment) {
    buffer.delete(segment.from(), segment.to());
  }
}
