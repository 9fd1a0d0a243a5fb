package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header of an npy file: magic bytes, a version, and a Python dictionary of three entries, such
 * as {@code {'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }}.
 *
 * <p>As in numpy.lib.format. The dictionary is parsed by a pattern of what NumPy writes, never as
 * Python; everything else is refused.
 */
final class NpyHeader {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** NumPy's bound: a larger header is an attack, or not a header. */
  private static final int HEADER_BYTES_MAX = 10_000;

  /** NumPy's bound. */
  private static final int DIMENSIONS_MAX = 64;

  private static final Pattern ENTRY =
      Pattern.compile(
          "\\s*(['\"])(\\w+)\\1\\s*:\\s*"
              + "(?:(['\"])([^'\"]*)\\3|(True|False)|\\(([\\dL,\\s]*)\\)|(\\[.*))\\s*(,|$)");

  private static final Pattern DIMENSION = Pattern.compile("\\s*(\\d{1,18})L?\\s*(,\\s*|$)");

  private @Nullable String description;
  private @Nullable Boolean fortranOrder;
  private long @Nullable [] shape;

  private NpyHeader() {}

  /** The array of a file's bytes, as a view of them. */
  static NpyArray array(ByteBuffer file) throws IOException {
    NpyHeader header = new NpyHeader();
    header.parse(text(file));
    return header.view(file);
  }

  /** The dictionary's text without its braces; moves the file's position to the elements. */
  private static String text(ByteBuffer file) throws IOException {
    require(file, MAGIC.length + 2);
    for (byte expected : MAGIC) {
      if (file.get() != expected) {
        throw new IOException("not an npy file: it does not begin with \\x93NUMPY");
      }
    }
    int major = file.get();
    int minor = file.get();
    if (major < 1 || major > 3 || minor != 0) {
      throw new IOException(
          "an npy file of version %d.%d, known are 1.0 to 3.0".formatted(major, minor));
    }
    file.order(ByteOrder.LITTLE_ENDIAN);
    require(file, major == 1 ? Short.BYTES : Integer.BYTES);
    long length =
        major == 1 ? Short.toUnsignedLong(file.getShort()) : Integer.toUnsignedLong(file.getInt());
    if (length > HEADER_BYTES_MAX) {
      throw new IOException(
          "a header of %d bytes, more than the %d allowed".formatted(length, HEADER_BYTES_MAX));
    }
    require(file, (int) length);
    byte[] bytes = new byte[(int) length];
    file.get(bytes);
    String text = new String(bytes, ISO_8859_1).strip();
    if (!text.startsWith("{") || !text.endsWith("}")) {
      throw new IOException("the header is not a dictionary");
    }
    return text.substring(1, text.length() - 1).strip();
  }

  private void parse(String entries) throws IOException {
    Matcher entry = ENTRY.matcher(entries);
    int from = 0;
    while (from < entries.length()) {
      if (!entry.region(from, entries.length()).lookingAt()) {
        throw new IOException("the header is not as NumPy writes it: " + entries);
      }
      put(entry);
      from = entry.end();
    }
  }

  private void put(Matcher entry) throws IOException {
    String name = entry.group(2);
    if (name.equals("descr") && entry.group(7) != null) {
      throw new IOException("an array of records: only arrays of one type are decoded");
    }
    if (name.equals("descr") && description == null && entry.group(4) != null) {
      description = entry.group(4);
    } else if (name.equals("fortran_order") && fortranOrder == null && entry.group(5) != null) {
      fortranOrder = Boolean.valueOf(entry.group(5));
    } else if (name.equals("shape") && shape == null && entry.group(6) != null) {
      shape = dimensions(entry.group(6));
    } else {
      throw new IOException(
          "the header's " + name + " is unknown, repeated or has an invalid value");
    }
  }

  private static long[] dimensions(String tuple) throws IOException {
    List<Long> dimensions = new ArrayList<>();
    Matcher dimension = DIMENSION.matcher(tuple);
    int from = 0;
    boolean isTuple = tuple.isBlank() || tuple.contains(",");
    while (isTuple && from < tuple.stripTrailing().length()) {
      isTuple =
          dimension.region(from, tuple.length()).lookingAt() && dimensions.size() < DIMENSIONS_MAX;
      if (isTuple) {
        dimensions.add(Long.valueOf(dimension.group(1)));
        from = dimension.end();
      }
    }
    if (!isTuple) {
      throw new IOException("the header's shape (%s) is not a tuple of lengths".formatted(tuple));
    }
    return dimensions.stream().mapToLong(Long::longValue).toArray();
  }

  private NpyArray view(ByteBuffer file) throws IOException {
    if (description == null || fortranOrder == null || shape == null) {
      throw new IOException("the header lacks descr, fortran_order or shape");
    }
    NpyType type = type(description);
    long bytes = bytes(shape, type);
    if (bytes != file.remaining()) {
      throw new IOException(
          "shape and type ask for %s bytes, %d follow the header"
              .formatted(bytes < 0 ? "over 2^63" : bytes, file.remaining()));
    }
    ByteOrder order = description.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return new NpyArray(type, shape, fortranOrder, file.slice().order(order));
  }

  private static NpyType type(String description) throws IOException {
    if (description.endsWith("O")) {
      throw new IOException(
          "an array of Python objects: it holds a pickle, which is never decoded");
    }
    for (NpyType type : NpyType.values()) {
      String code = type.code();
      boolean isOrdered = description.startsWith("<") || description.startsWith(">");
      boolean isSingle = description.startsWith("|") && type.bytes() == 1;
      if ((isOrdered || isSingle) && description.substring(1).equals(code)) {
        return type;
      }
    }
    throw new IOException(
        "elements of type %s: only booleans, integers and floating-point numbers are decoded"
            .formatted(description));
  }

  /**
   * The length of the elements in bytes; negative if it exceeds 63 bits, or a dimension is
   * negative.
   */
  static long bytes(long[] shape, NpyType type) {
    long bytes = type.bytes();
    boolean isTooLarge = Arrays.stream(shape).anyMatch(dimension -> dimension < 0);
    for (long dimension : shape) {
      if (dimension == 0 && !isTooLarge) {
        return 0;
      }
      isTooLarge = isTooLarge || bytes > Long.MAX_VALUE / dimension;
      bytes = isTooLarge ? bytes : bytes * dimension;
    }
    return isTooLarge ? -1 : bytes;
  }

  private static void require(ByteBuffer file, int length) throws EOFException {
    if (file.remaining() < length) {
      throw new EOFException("an npy file cut short: %d bytes".formatted(file.limit()));
    }
  }
}
