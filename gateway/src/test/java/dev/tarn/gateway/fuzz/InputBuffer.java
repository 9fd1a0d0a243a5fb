package dev.tarn.gateway.fuzz;

import java.util.Arrays;

/** An input under change. It never grows beyond a length: what does not fit is left out. */
final class InputBuffer {
  private final int lengthMax;
  private byte[] bytes = new byte[1024];
  private int length;

  InputBuffer(int lengthMax) {
    this.lengthMax = lengthMax;
  }

  void set(byte[] content) {
    length = 0;
    insert(0, content, 0, content.length);
  }

  int length() {
    return length;
  }

  int lengthMax() {
    return lengthMax;
  }

  byte at(int index) {
    return bytes[index];
  }

  void put(int index, byte value) {
    bytes[index] = value;
  }

  byte[] copy(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  byte[] copy() {
    return copy(0, length);
  }

  void truncate(int newLength) {
    length = newLength;
  }

  void delete(int from, int to) {
    System.arraycopy(bytes, to, bytes, from, length - to);
    length -= to - from;
  }

  void insert(int at, byte[] piece) {
    insert(at, piece, 0, piece.length);
  }

  void insert(int at, byte[] piece, int from, int to) {
    int count = Math.min(to - from, lengthMax - length);
    reserve(count);
    System.arraycopy(bytes, at, bytes, at + count, length - at);
    System.arraycopy(piece, from, bytes, at, count);
    length += count;
  }

  /** Inserts the piece so often, or as often as it fits. */
  void insertRepeated(int at, byte[] piece, int times) {
    int count = piece.length == 0 ? 0 : Math.min(times, (lengthMax - length) / piece.length);
    reserve(count * piece.length);
    System.arraycopy(bytes, at, bytes, at + count * piece.length, length - at);
    for (int i = 0; i < count; i++) {
      System.arraycopy(piece, 0, bytes, at + i * piece.length, piece.length);
    }
    length += count * piece.length;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
