package dev.tarn.gateway.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Parses the fields of a form up to the start of its file, as the bytes arrive. */
final class FormHead {
  /**
   * The maximum size of all fields together with their framing, up to the first byte of the file.
   */
  private static final int BYTES_MAX = 64 * 1024;

  private static final String LINE_END = "\r\n";
  private static final String CLOSING = "--";
  private static final byte[] HEADERS_END = "\r\n\r\n".getBytes(ISO_8859_1);

  private final byte[] delimiter;
  private final Map<String, String> fields = new HashMap<>();
  private byte[] bytes = new byte[4096];
  private int length;
  private Stage stage = Stage.FIRST_BOUNDARY;

  /** The offset of the current element. */
  private int at;

  /** The offset at which the search for the end of the current element continues. */
  private int searched;

  /** The name of the part whose value is being read. */
  private String name = "";

  private String fileName = "";

  /** The element that is being read. */
  private enum Stage {
    FIRST_BOUNDARY,
    HEADERS,
    VALUE,
    FILE
  }

  /**
   * Creates a reader.
   *
   * @param delimiter a line end, two hyphens and the boundary
   */
  FormHead(byte[] delimiter) {
    this.delimiter = delimiter.clone();
  }

  /**
   * Reads more bytes, but no byte of the file. Returns whether all fields before the file have
   * arrived.
   *
   * @throws S3Exception MalformedPOSTRequest, InvalidArgument, MaxPostPreDataLengthExceeded
   */
  boolean read(ByteBuffer piece) {
    int taken = Math.min(piece.remaining(), BYTES_MAX - length);
    if (bytes.length - length < taken) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + taken));
    }
    piece.get(bytes, length, taken);
    length += taken;
    boolean enough = true;
    while (enough && stage != Stage.FILE) {
      enough =
          switch (stage) {
            case FIRST_BOUNDARY -> readFirstBoundary();
            case HEADERS -> readHeaders();
            case VALUE -> readValue();
            case FILE -> false;
          };
    }
    if (stage == Stage.FILE) {
      piece.position(piece.position() - (length - at));
      return true;
    }
    if (length == BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED_ERROR);
    }
    return false;
  }

  /** The fields before the file, after all of them have arrived. */
  FormFields fields() {
    return new FormFields(fields, fileName);
  }

  /** Reads the first boundary. It may be at the very beginning, without the line end before it. */
  private boolean readFirstBoundary() {
    if (length == 0) {
      return false;
    }
    int skipped = bytes[0] == delimiter[0] ? 0 : LINE_END.length();
    int wanted = delimiter.length - skipped;
    int given = Math.min(length, wanted);
    if (!Arrays.equals(bytes, 0, given, delimiter, skipped, skipped + given)) {
      throw malformed("it does not begin with its boundary");
    }
    if (given < wanted) {
      return false;
    }
    boundaryEnds(wanted);
    return true;
  }

  private void boundaryEnds(int end) {
    at = end;
    searched = end;
    stage = Stage.HEADERS;
  }

  private boolean readHeaders() {
    if (length < at + LINE_END.length()) {
      return false;
    }
    String next = text(at, at + LINE_END.length());
    if (next.equals(CLOSING)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_ARGUMENT, "POST requires exactly one file upload per request.");
    }
    if (!next.equals(LINE_END)) {
      throw malformed("text follows a boundary on its line");
    }
    int end = find(HEADERS_END);
    if (end < 0) {
      return false;
    }
    String headers = text(at, end);
    if (headers.contains(new String(delimiter, ISO_8859_1))) {
      throw malformed("a part has no empty line behind its headers");
    }
    String disposition = disposition(headers);
    at = end + HEADERS_END.length;
    searched = at;
    name = parameter(disposition, "name").orElse("").toLowerCase(Locale.ROOT);
    if (name.equals("file")) {
      fileName = parameter(disposition, "filename").map(FormHead::withoutFolders).orElse("");
      stage = Stage.FILE;
    } else {
      stage = Stage.VALUE;
    }
    return true;
  }

  private boolean readValue() {
    int end = find(delimiter);
    if (end < 0) {
      return false;
    }
    add(name, new String(bytes, at, end - at, UTF_8));
    boundaryEnds(end + delimiter.length);
    return true;
  }

  /** The index of these bytes, or -1 if they have not arrived yet. */
  private int find(byte[] wanted) {
    int last = length - wanted.length;
    for (int start = searched; start <= last; start++) {
      if (bytes[start] == wanted[0]
          && Arrays.equals(bytes, start, start + wanted.length, wanted, 0, wanted.length)) {
        return start;
      }
    }
    searched = Math.max(searched, last + 1);
    return -1;
  }

  /** Decodes one character for each byte. */
  private String text(int from, int to) {
    return new String(bytes, from, to - from, ISO_8859_1);
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

  /** The value of a parameter, with or without quotes. */
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
