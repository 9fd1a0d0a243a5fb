package dev.tarn.gateway.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Pieces that parsers stumble over, and those that one parser knows. */
final class Vocabulary {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "-1",
          "+5",
          "007",
          "1000",
          "1001",
          "10000",
          "10001",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967295",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "18446744073709551616",
          "99999999999999999999999999999999",
          "7fffffffffffffff",
          "fffffffffffffff",
          "ffffffffffffffff",
          "0x10",
          "1e9",
          "1.5",
          "NaN",
          "\u0663");

  /** Text at the edges of Unicode, as UTF-8. */
  private static final List<String> CHARACTERS =
      List.of(
          "\u0000",
          "\u0001",
          "\t",
          "\u007F",
          "\u0080",
          "\u0085",
          "\u00A0",
          "\u00E9",
          "\u07FF",
          "\u0800",
          "\u2028",
          "\u202E",
          "\uD7FF",
          "\uE000",
          "\uFEFF",
          "\uFFFD",
          "\uFFFE",
          "\uFFFF",
          "\uD800\uDC00",
          "\uDBFF\uDFFF",
          "e\u0301",
          "\u0130",
          "\u0131",
          "\u00DF",
          "\u1E9E");

  /** What is no UTF-8: overlong, surrogates, past the end, cut off. */
  private static final List<String> NOT_UTF_8 =
      List.of(
          "\u00C0\u0080",
          "\u00C0\u00AF",
          "\u00E0\u0080\u00AF",
          "\u00ED\u00A0\u0080",
          "\u00ED\u00BF\u00BF",
          "\u00F4\u0090\u0080\u0080",
          "\u00F8\u0088\u0080\u0080\u0080",
          "\u0080",
          "\u00BF",
          "\u00C3",
          "\u00E2\u0082",
          "\u00F0\u009F\u0098",
          "\u00FE",
          "\u00FF",
          "\u00FF\u00FE",
          "\u00FE\u00FF");

  private static final List<String> MARKS =
      List.of(
          "\r\n",
          "\n",
          "\r",
          "\r\n\r\n",
          " ",
          "  ",
          "/",
          "//",
          "/../",
          "/./",
          "\\",
          "%",
          "%2",
          "%2F",
          "%2f",
          "%00",
          "%25",
          "%zz",
          "%C0%AF",
          "%C3%A9",
          "%ED%A0%80",
          "%F0%90%80%80",
          "%FF",
          "+",
          "?",
          "&",
          "&&",
          "=",
          "==",
          ";",
          ":",
          ",",
          "\"",
          "'",
          "*",
          "-",
          "--",
          "_",
          "~",
          "<",
          ">",
          "</",
          "/>",
          "<!",
          "<?",
          "]]>",
          "<![CDATA[",
          "&#",
          "&#0;",
          "&amp;",
          "{",
          "}",
          "[",
          "]",
          "(",
          ")",
          "${",
          "$",
          "@",
          "#",
          "|",
          "^",
          "`",
          "null",
          "true");

  private static final List<List<String>> PAIRS =
      List.of(
          List.of("<a>", "</a>"),
          List.of("<a b='c'>", "</a>"),
          List.of("<!--", "-->"),
          List.of("{\"a\":", "}"),
          List.of("[", "]"),
          List.of("(", ")"),
          List.of("\"", "\""));

  private final List<byte[]> pieces = new ArrayList<>();
  private final List<byte[]> numbers = new ArrayList<>();

  Vocabulary(List<String> own) {
    NUMBERS.forEach(text -> numbers.add(text.getBytes(UTF_8)));
    pieces.addAll(numbers);
    CHARACTERS.forEach(text -> pieces.add(text.getBytes(UTF_8)));
    NOT_UTF_8.forEach(text -> pieces.add(text.getBytes(ISO_8859_1)));
    MARKS.forEach(text -> pieces.add(text.getBytes(ISO_8859_1)));
    // What the parser itself knows is worth as much as all the rest.
    int common = own.isEmpty() ? 0 : pieces.size();
    for (int i = 0; i < common; i += own.size()) {
      own.forEach(text -> pieces.add(text.getBytes(UTF_8)));
    }
  }

  byte[] piece(SplittableRandom random) {
    return pieces.get(random.nextInt(pieces.size()));
  }

  byte[] number(SplittableRandom random) {
    return numbers.get(random.nextInt(numbers.size()));
  }

  /** What opens and what closes. */
  static List<byte[]> pair(SplittableRandom random) {
    List<String> pair = PAIRS.get(random.nextInt(PAIRS.size()));
    return List.of(pair.get(0).getBytes(UTF_8), pair.get(1).getBytes(UTF_8));
  }
}
