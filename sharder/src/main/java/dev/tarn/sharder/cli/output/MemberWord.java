package dev.tarn.sharder.cli.output;

import dev.tarn.shard.name.MemberNames;

/**
 * A member's name as a word of a command line: unchanged if it is plain, otherwise quoted and
 * escaped like {@link MemberNames#printable}. A printed name can be used as an argument.
 */
public final class MemberWord {
  private static final int UNICODE_DIGITS = 4;

  private MemberWord() {}

  public static String print(String name) {
    String quoted = MemberNames.printable(name);
    boolean plain = !name.isEmpty() && quoted.length() == name.length() + 2;
    return plain ? name : quoted;
  }

  /**
   * Returns the name that a word stands for.
   *
   * @throws IllegalArgumentException if it begins with a quote and does not have the form of {@link
   *     #print}
   */
  public static String parse(String word) {
    if (!word.startsWith("\"")) {
      return word;
    }
    if (word.length() < 2 || !word.endsWith("\"")) {
      throw wrong(word);
    }
    StringBuilder name = new StringBuilder();
    int end = word.length() - 1;
    for (int i = 1; i < end; i++) {
      char c = word.charAt(i);
      if (c != '\\') {
        name.append(c);
      } else if (i + 1 < end && word.charAt(i + 1) != 'u') {
        name.append(word.charAt(++i));
      } else if (i + 1 + UNICODE_DIGITS < end) {
        name.append(unicode(word, i + 2));
        i += 1 + UNICODE_DIGITS;
      } else {
        throw wrong(word);
      }
    }
    return name.toString();
  }

  private static char unicode(String word, int at) {
    try {
      return (char) Integer.parseInt(word, at, at + UNICODE_DIGITS, 16);
    } catch (NumberFormatException e) {
      throw wrong(word);
    }
  }

  private static IllegalArgumentException wrong(String word) {
    return new IllegalArgumentException(word + " is not a quoted name as ls prints it");
  }
}
