package dev.tarn.client.decode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Several arrays in a zip file, as NumPy's {@code savez} writes them. */
final class Npz {
  private static final String SUFFIX = ".npy";

  private Npz() {}

  /**
   * The arrays by their names, in the order of the file.
   *
   * @param bytesMax of all arrays together
   */
  static Map<String, NpyArray> read(ByteBuffer data, int bytesMax) throws IOException {
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    int bytesLeft = bytesMax;
    try (ZipInputStream zip = new ZipInputStream(Gunzip.stream(data))) {
      for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
        String name = entry.getName();
        if (!name.endsWith(SUFFIX)) {
          throw new IOException("%s is no array: its name does not end in .npy".formatted(name));
        }
        byte[] file = zip.readNBytes(bytesLeft);
        if (zip.read() >= 0) {
          throw new IOException(
              "decompresses to more than the %d bytes allowed".formatted(bytesMax));
        }
        bytesLeft -= file.length;
        arrays.put(
            name.substring(0, name.length() - SUFFIX.length()),
            NpyHeader.array(ByteBuffer.wrap(file)));
      }
    }
    if (arrays.isEmpty()) {
      throw new IOException("no zip file of arrays");
    }
    return Collections.unmodifiableMap(arrays);
  }
}
