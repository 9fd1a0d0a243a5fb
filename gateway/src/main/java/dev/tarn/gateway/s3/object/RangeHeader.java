package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.target.Selection;

/**
 * The Range header. Exactly one range is supported. A malformed header, several ranges or another
 * unit select the whole object, as in S3.
 */
public final class RangeHeader {
  private static final String UNIT = "bytes=";

  private RangeHeader() {}

  /** Parses the header. */
  public static Selection parse(String header) {
    String text = header.strip();
    if (!text.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
      return Selection.WHOLE;
    }
    int dash = text.indexOf('-', UNIT.length());
    if (dash < 0) {
      return Selection.WHOLE;
    }
    String first = text.substring(UNIT.length(), dash).strip();
    String last = text.substring(dash + 1).strip();
    if (!isNumber(first) || !isNumber(last) || (first.isEmpty() && last.isEmpty())) {
      return Selection.WHOLE;
    }
    if (first.isEmpty()) {
      return new Selection.Suffix(number(last));
    }
    long from = number(first);
    long to = last.isEmpty() ? Long.MAX_VALUE : number(last);
    return to < from ? Selection.WHOLE : new Selection.Range(from, to);
  }

  private static boolean isNumber(String text) {
    for (int index = 0; index < text.length(); index++) {
      if (text.charAt(index) < '0' || text.charAt(index) > '9') {
        return false;
      }
    }
    return true;
  }

  /** A number beyond the range of a long is larger than every object. */
  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
