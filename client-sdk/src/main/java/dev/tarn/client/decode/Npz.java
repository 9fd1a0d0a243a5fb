package dev.tarn.client.decode;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads several arrays in a zip file, as NumPy's {@code savez} writes them. */
final class Npz {
  private static final String SUFFIX = ".npy";

  /** The length of a zip file's last record without comment. */
  private static final int END_BYTES = 22;

  private static final int END_SIGNATURE = 0x06054b50;
  private static final int END_ENTRIES_AT = 10;

  private Npz() {}

  /**
   * The arrays by name, in the order of the file.
   *
   * @param bytesMax bound of all arrays together
   */
  static Map<String, NpyArray> read(ByteBuffer data, int bytesMax) throws IOException {
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    int bytesLeft = bytesMax;
    try (ZipInputStream zip = new ZipInputStream(Gunzip.stream(data))) {
      for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
        byte[] file = zip.readNBytes(bytesLeft);
        if (zip.read() >= 0) {
          throw new IOException(
              "decompresses to more than the %d bytes allowed".formatted(bytesMax));
        }
        bytesLeft -= file.length;
        if (arrays.put(name(entry), NpyHeader.array(ByteBuffer.wrap(file))) != null) {
          throw new IOException("the array %s appears twice".formatted(name(entry)));
        }
      }
    }
    requireWhole(data, arrays.size());
    return Collections.unmodifiableMap(arrays);
  }

  private static String name(ZipEntry entry) throws IOException {
    String name = entry.getName();
    if (!name.endsWith(SUFFIX)) {
      throw new IOException("%s is not an array: its name does not end in .npy".formatted(name));
    }
    return name.substring(0, name.length() - SUFFIX.length());
  }

  /** A file without its last record, which counts the entries, is incomplete or not a zip file. */
  private static void requireWhole(ByteBuffer data, int entries) throws IOException {
    ByteBuffer file = data.slice().order(ByteOrder.LITTLE_ENDIAN);
    int end = file.limit() - END_BYTES;
    if (end < 0 || file.getInt(end) != END_SIGNATURE) {
      throw new EOFException(
          "not a complete zip file: its last %d bytes contain no end of a directory"
              .formatted(END_BYTES));
    }
    int counted = Short.toUnsignedInt(file.getShort(end + END_ENTRIES_AT));
    // If there are more entries than the field can hold, it has their lowest bits or 0xffff.
    if (counted != entries && entries < 0xffff) {
      throw new IOException(
          "a zip file whose directory has %d entries, %d were found".formatted(counted, entries));
    }
  }
}
