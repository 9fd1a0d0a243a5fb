package dev.tarn.sharder.inspect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes a file in one line by its first bytes: shows text, and names other formats. */
final class ContentSketch {
  /** Number of a file's bytes that it needs: most images have their size among them. */
  static final int BYTES_MAX = 64 * 1024;

  private static final int CHARACTERS_MAX = 100;
  private static final int HEX_BYTES_MAX = 16;

  /** Formats by their first bytes, as Latin-1. */
  private static final Map<String, String> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("BM", "BMP image");
    KINDS.put("II*\0", "TIFF image");
    KINDS.put("MM\0*", "TIFF image");
    KINDS.put("PK\3\4", "zip archive");
    KINDS.put("\u001f\u008b", "gzip data");
    KINDS.put("(\u00b5/\u00fd", "zstd data");
    KINDS.put("\u00fd7zXZ\0", "xz data");
    KINDS.put("fLaC", "FLAC audio");
    KINDS.put("OggS", "Ogg audio or video");
    KINDS.put("ID3", "MP3 audio");
    KINDS.put("\u00ff\u00fb", "MP3 audio");
    KINDS.put("\u001aE\u00df\u00a3", "Matroska or WebM video");
    KINDS.put("\u0089HDF\r\n\u001a\n", "HDF5 data");
    KINDS.put("PAR1", "Parquet data");
    KINDS.put("%PDF-", "PDF document");
    KINDS.put("\u0080\2", "Python pickle");
    KINDS.put("\u0080\3", "Python pickle");
    KINDS.put("\u0080\4", "Python pickle");
    KINDS.put("\u0080\5", "Python pickle");
  }

  private ContentSketch() {}

  /**
   * Describes a file.
   *
   * @param start its first bytes, at most {@link #BYTES_MAX}
   * @param size of the whole file, in bytes
   */
  static String of(byte[] start, long size) {
    if (size == 0) {
      return "empty";
    }
    String image = ImageSize.describe(start);
    if (image != null) {
      return image;
    }
    String array = array(start);
    if (array != null) {
      return array;
    }
    String text = text(start, size);
    if (text != null) {
      return text;
    }
    String latin = new String(start, ISO_8859_1);
    for (Map.Entry<String, String> kind : KINDS.entrySet()) {
      if (latin.startsWith(kind.getKey())) {
        return kind.getValue();
      }
    }
    if (latin.startsWith("RIFF") && latin.startsWith("WAVE", 8)) {
      return "WAV audio";
    }
    if (latin.startsWith("ftyp", 4) && latin.length() >= 12) {
      return "MP4 or the like, brand " + escaped(latin.substring(8, 12).strip());
    }
    int shown = Math.min(HEX_BYTES_MAX, start.length);
    String more = size > shown ? " ..." : "";
    return "binary " + HexFormat.ofDelimiter(" ").formatHex(start, 0, shown) + more;
  }

  /** Describes a NumPy array; its header is a Python dictionary as text. */
  private static @Nullable String array(byte[] start) {
    String latin = new String(start, ISO_8859_1);
    if (!latin.startsWith("\u0093NUMPY")) {
      return null;
    }
    int open = latin.indexOf('{');
    int close = latin.indexOf('}');
    return "NumPy array"
        + (open >= 0 && close > open ? " " + cut(latin.substring(open, close + 1)) : "");
  }

  private static String cut(String text) {
    return text.length() <= CHARACTERS_MAX
        ? escaped(text)
        : escaped(text.substring(0, CHARACTERS_MAX)) + "...";
  }

  private static String escaped(String text) {
    StringBuilder shown = new StringBuilder();
    text.chars().forEach(c -> shown.append(escaped((char) c)));
    return shown.toString();
  }

  /** Returns null if it is not text: not UTF-8, or with control characters. */
  private static @Nullable String text(byte[] start, long size) {
    CharsetDecoder decoder = UTF_8.newDecoder();
    CharBuffer decoded = CharBuffer.allocate(start.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(start), decoded, size == start.length);
    if (result.isError()) {
      return null;
    }
    StringBuilder shown = new StringBuilder("\"");
    decoded.flip();
    int count = 0;
    for (; count < decoded.length(); count++) {
      char c = decoded.charAt(count);
      if (Character.isISOControl(c) && !Character.isWhitespace(c)) {
        return null;
      }
      if (count < CHARACTERS_MAX) {
        shown.append(escaped(c));
      }
    }
    boolean cut = count > CHARACTERS_MAX || size > start.length;
    return shown.append(cut ? "...\"" : "\"").toString();
  }

  private static String escaped(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          Character.isISOControl(c)
              ? String.format(Locale.ROOT, "\\u%04x", (int) c)
              : String.valueOf(c);
    };
  }
}
