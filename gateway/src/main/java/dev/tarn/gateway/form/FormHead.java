package dev.tarn.gateway.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the fields of a form up to where its file begins, out of what has arrived so far. */
final class FormHead {
  private static final String LINE_END = "\r\n";
  private static final String HEADERS_END = "\r\n\r\n";
  private static final String CLOSING = "--";

  /** The bytes as characters of one byte each, so that places in both are the same. */
  private final String text;

  private final String delimiter;
  private final Map<String, String> fields = new HashMap<>();
  private int at;

  /**
   * Reads these bytes.
   *
   * @param delimiter a line end, two hyphens and the boundary
   */
  FormHead(byte[] bytes, int length, String delimiter) {
    this.text = new String(bytes, 0, length, ISO_8859_1);
    this.delimiter = delimiter;
  }

  /**
   * All fields before the file.
   *
   * @param fileAt where the file's bytes begin
   */
  record Read(FormFields fields, int fileAt) {}

  /**
   * The head, or nothing if more bytes are needed.
   *
   * @throws S3Exception MalformedPOSTRequest, InvalidArgument
   */
  Optional<Read> read() {
    String first = delimiter.substring(LINE_END.length());
    if (text.startsWith(LINE_END)) {
      at = LINE_END.length();
    }
    int begin = Math.min(text.length() - at, first.length());
    if (!text.startsWith(first.substring(0, begin), at)) {
      throw malformed("it does not begin with its boundary");
    }
    at += first.length();
    while (true) {
      if (text.length() < at + LINE_END.length()) {
        return Optional.empty();
      }
      if (text.startsWith(CLOSING, at)) {
        throw S3Exception.of(
            S3ErrorCode.INVALID_ARGUMENT, "POST requires exactly one file upload per request.");
      }
      if (!text.startsWith(LINE_END, at)) {
        throw malformed("something follows a boundary on its line");
      }
      int headersEnd = text.indexOf(HEADERS_END, at);
      if (headersEnd < 0) {
        return Optional.empty();
      }
      String disposition = disposition(text.substring(at, headersEnd));
      int valueAt = headersEnd + HEADERS_END.length();
      String name = parameter(disposition, "name").orElse("").toLowerCase(Locale.ROOT);
      if (name.equals("file")) {
        String fileName =
            parameter(disposition, "filename").map(FormHead::withoutFolders).orElse("");
        return Optional.of(new Read(new FormFields(fields, fileName), valueAt));
      }
      int valueEnd = text.indexOf(delimiter, valueAt);
      if (valueEnd < 0) {
        return Optional.empty();
      }
      add(name, utf8(text.substring(valueAt, valueEnd)));
      at = valueEnd + delimiter.length();
    }
  }

  private void add(String name, String value) {
    if (name.isEmpty()) {
      throw malformed("a field has no name");
    }
    if (fields.put(name, value) != null) {
      throw S3Exception.of(
              S3ErrorCode.INVALID_ARGUMENT, "POST requires exactly one field of each name.")
          .with("ArgumentName", name);
    }
  }

  private static String disposition(String headers) {
    for (String line : headers.split(LINE_END, -1)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase("content-disposition")) {
        return line.substring(colon + 1);
      }
    }
    throw malformed("a part has no Content-Disposition");
  }

  /** The value of a parameter, in quotes or not. */
  private static Optional<String> parameter(String disposition, String name) {
    int from = 0;
    while (true) {
      int semicolon = disposition.indexOf(';', from);
      if (semicolon < 0) {
        return Optional.empty();
      }
      int equals = disposition.indexOf('=', semicolon);
      if (equals < 0) {
        return Optional.empty();
      }
      boolean wanted = disposition.substring(semicolon + 1, equals).strip().equalsIgnoreCase(name);
      int valueAt = equals + 1;
      boolean quoted = valueAt < disposition.length() && disposition.charAt(valueAt) == '"';
      int end = quoted ? disposition.indexOf('"', valueAt + 1) : disposition.indexOf(';', valueAt);
      if (quoted && end < 0) {
        throw malformed("a Content-Disposition has an open quote");
      }
      int valueEnd = end < 0 ? disposition.length() : end;
      if (wanted) {
        return Optional.of(
            utf8(disposition.substring(quoted ? valueAt + 1 : valueAt, valueEnd).strip()));
      }
      from = valueEnd;
    }
  }

  private static String withoutFolders(String fileName) {
    return fileName.substring(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  static S3Exception malformed(String why) {
    return S3Exception.of(
        S3ErrorCode.MALFORMED_POST_REQUEST,
        "The body of your POST request is not well-formed multipart/form-data: " + why + ".");
  }
}
