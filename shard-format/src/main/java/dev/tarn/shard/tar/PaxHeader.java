package dev.tarn.shard.tar;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * The PAX records of a member: {@code path} if its name exceeds 100 bytes, {@code size} if it does
 * not fit eleven octal digits, and no others. Before a name that is not UTF-8, {@code hdrcharset}
 * is added, as POSIX requires.
 */
final class PaxHeader {
  private static final long MAXIMUM_OCTAL_SIZE = (1L << 33) - 1;
  private static final byte[] BINARY = "BINARY".getBytes(US_ASCII);

  private PaxHeader() {}

  static boolean fitsOctal(long size) {
    return size <= MAXIMUM_OCTAL_SIZE;
  }

  /** Returns the records' length in bytes; 0 if the member needs no records. */
  static int length(byte[] name, long size) {
    return name.length <= TarFormat.NAME_LENGTH && fitsOctal(size) ? 0 : records(name, size).length;
  }

  static byte[] records(byte[] name, long size) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    if (name.length > TarFormat.NAME_LENGTH) {
      if (!isUtf8(name)) {
        append(records, "hdrcharset", BINARY);
      }
      append(records, "path", name);
    }
    if (!fitsOctal(size)) {
      append(records, "size", Long.toString(size).getBytes(US_ASCII));
    }
    return records.toByteArray();
  }

  private static boolean isUtf8(byte[] name) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(name));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Appends a record. Its length includes the digits of the length itself. */
  private static void append(ByteArrayOutputStream records, String key, byte[] value) {
    int rest = 1 + key.length() + 1 + value.length + 1;
    int length = rest + 1;
    while (length != rest + Integer.toString(length).length()) {
      length = rest + Integer.toString(length).length();
    }
    records.writeBytes((length + " " + key + "=").getBytes(US_ASCII));
    records.writeBytes(value);
    records.write('\n');
  }
}
