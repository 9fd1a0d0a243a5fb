package dev.tarn.gateway.s3.operation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.error.S3Exception;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.codec.EncoderUtil;

/**
 * Names and values that answers carry as headers. Names and values from a query may contain
 * characters that a header cannot; if they were stored, the object would be unreadable.
 */
public final class HeaderText {
  private static final String SYMBOLS_OF_NAMES = "!#$%&'*+-.^_`|~";

  private HeaderText() {}

  /** A value of user metadata as text: words encoded by RFC 2047 are decoded, as by AWS. */
  public static String decoded(String value) {
    return value.contains("=?")
        ? DecoderUtil.decodeEncodedWords(value, DecodeMonitor.SILENT)
        : value;
  }

  /** A text as a value of user metadata: ASCII is unchanged, other text is encoded by RFC 2047. */
  public static String encoded(String text) {
    return text.chars().allMatch(character -> character < 0x80)
        ? text
        : EncoderUtil.encodeEncodedWord(text, EncoderUtil.Usage.TEXT_TOKEN, 0, UTF_8, null);
  }

  /**
   * Refuses a name that cannot be the name of a header.
   *
   * @throws S3Exception InvalidArgument
   */
  public static void requireName(String name) {
    if (name.isEmpty() || !name.chars().allMatch(HeaderText::isOfNames)) {
      throw Numbers.invalid(
          "header name",
          name,
          "A header's name may have letters, digits and " + SYMBOLS_OF_NAMES + " only.");
    }
  }

  /**
   * Returns the value if it can be the value of a header.
   *
   * @throws S3Exception InvalidArgument
   */
  public static String requireValue(String name, String value) {
    if (value.chars().anyMatch(HeaderText::isControl)) {
      throw Numbers.invalid(name, value, "A header's value must not have control characters.");
    }
    return value;
  }

  private static boolean isOfNames(int character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || SYMBOLS_OF_NAMES.indexOf(character) >= 0;
  }

  private static boolean isControl(int character) {
    return (character < ' ' && character != '\t') || character == 0x7F;
  }
}
