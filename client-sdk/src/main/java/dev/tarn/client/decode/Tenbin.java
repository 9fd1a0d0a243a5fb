package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Arrays in WebDataset's own format: chunks in pairs, of which the first describes an array and the
 * second holds its data.
 *
 * <p>As in webdataset.tenbin. A chunk is a magic number, a length, and bytes padded to a multiple
 * of 64. A header has type and name in eight characters each, the number of dimensions, and the
 * length of each dimension. All numbers have 64 bits and are little-endian.
 */
final class Tenbin {
  private static final long MAGIC = eightCharacters("~TenBin~");
  private static final int PADDED_BYTES = 64;
  private static final int HEADER_WORDS = 3;

  /** WebDataset's bound. */
  private static final int DIMENSIONS_MAX = 9;

  private Tenbin() {}

  /** The arrays in the order of the file, as views of it. */
  static List<NpyArray> read(ByteBuffer file) throws IOException {
    file.order(ByteOrder.LITTLE_ENDIAN);
    List<NpyArray> arrays = new ArrayList<>();
    while (file.hasRemaining()) {
      ByteBuffer header = chunk(file);
      arrays.add(array(header, chunk(file)));
    }
    return Collections.unmodifiableList(arrays);
  }

  /** The next chunk's bytes; moves the file's position behind it. */
  private static ByteBuffer chunk(ByteBuffer file) throws IOException {
    if (file.remaining() < 2 * Long.BYTES) {
      throw new EOFException("a tenbin file cut short at byte " + file.position());
    }
    int start = file.position();
    if (file.getLong() != MAGIC) {
      throw new IOException("no chunk of a tenbin file begins at byte " + start);
    }
    long length = file.getLong();
    if (length < 0 || padded(length) > file.remaining()) {
      throw new EOFException(
          "a tenbin file cut short: the chunk at byte %d claims %d bytes, %d follow"
              .formatted(start, length, file.remaining()));
    }
    ByteBuffer chunk = file.slice(file.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
    file.position(file.position() + (int) padded(length));
    return chunk;
  }

  private static long padded(long length) {
    long chunks = length / PADDED_BYTES + (length % PADDED_BYTES == 0 ? 0 : 1);
    return Math.min(chunks, Integer.MAX_VALUE) * PADDED_BYTES;
  }

  private static NpyArray array(ByteBuffer header, ByteBuffer data) throws IOException {
    if (header.remaining() < HEADER_WORDS * Long.BYTES) {
      throw new IOException("a tenbin header of %d bytes".formatted(header.remaining()));
    }
    NpyType type = type(header.getLong());
    header.getLong();
    long dimensions = header.getLong();
    if (dimensions < 0
        || dimensions > DIMENSIONS_MAX
        || header.remaining() != dimensions * Long.BYTES) {
      throw new IOException(
          "a tenbin header of %d dimensions in %d bytes".formatted(dimensions, header.limit()));
    }
    long[] shape = new long[(int) dimensions];
    header.asLongBuffer().get(shape);
    long bytes = NpyHeader.bytes(shape, type);
    if (bytes != data.remaining()) {
      throw new IOException(
          "shape and type ask for %s bytes, the chunk has %d"
              .formatted(bytes < 0 ? "no possible number of" : bytes, data.remaining()));
    }
    return new NpyArray(type, shape, false, data);
  }

  private static NpyType type(long code) throws IOException {
    for (NpyType type : NpyType.values()) {
      if (type != NpyType.BOOL && eightCharacters(type.code()) == code) {
        return type;
      }
    }
    throw new IOException("a tenbin array of the unknown type %016x".formatted(code));
  }

  private static long eightCharacters(String text) {
    ByteBuffer padded = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return padded.put(text.getBytes(US_ASCII)).getLong(0);
  }
}
