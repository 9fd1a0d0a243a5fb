package dev.tarn.cluster.checksum;

/** Numbers as bytes, most significant first, as S3 writes the values of CRCs. */
final class BigEndian {
  private BigEndian() {}

  /** The {@code length} low bytes of a value. */
  static byte[] bytes(long value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >>> (Byte.SIZE * (length - 1 - i)));
    }
    return bytes;
  }

  /** The value of at most eight bytes. */
  static long value(byte[] bytes) {
    long value = 0;
    for (byte next : bytes) {
      value = value << Byte.SIZE | (next & 0xFF);
    }
    return value;
  }
}
