package dev.tarn.gateway.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A form taken apart in the plainest way, all of it at once.
 *
 * @param values of the fields before the file, in their order
 * @param names of the same, as they stand in quotes; empty where they do not
 * @param file its bytes, one character each
 */
record PlainForm(List<String> values, List<String> names, String file) {
  private static final Pattern QUOTED_NAME = Pattern.compile("; name=\"([^\"]*)\"");

  /** The form of a body that is well-formed and whose file follows so many fields. */
  static PlainForm of(byte[] body, String boundary, int fieldCount) {
    String text = new String(body, ISO_8859_1);
    String delimiter = "\r\n--" + boundary;
    int at = (text.startsWith("\r\n") ? delimiter : "--" + boundary).length();
    List<String> values = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; true; i++) {
      assertThat(text.startsWith("\r\n", at)).isTrue();
      int headEnd = text.indexOf("\r\n\r\n", at);
      String head = text.substring(at, headEnd);
      assertThat(head).doesNotContain(delimiter);
      at = text.indexOf(delimiter, headEnd + 4);
      String value = text.substring(headEnd + 4, at);
      if (i == fieldCount) {
        return new PlainForm(values, names, value);
      }
      values.add(new String(value.getBytes(ISO_8859_1), UTF_8));
      Matcher name = QUOTED_NAME.matcher(head);
      names.add(name.find() ? new String(name.group(1).getBytes(ISO_8859_1), UTF_8) : "");
      at += delimiter.length();
    }
  }
}
