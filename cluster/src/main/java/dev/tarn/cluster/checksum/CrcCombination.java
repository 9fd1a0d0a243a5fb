package dev.tarn.cluster.checksum;

import dev.tarn.cluster.object.ChecksumAlgorithm;

/**
 * Combines the CRCs of two byte sequences into the CRC of their concatenation, given the length of
 * the second.
 *
 * <p>A CRC is a polynomial over GF(2) modulo the CRC's own. Appending n bytes multiplies it by
 * x^(8n). The inversions at both ends cancel out, so the CRC of the whole is that product plus the
 * CRC of the appended bytes. The power is computed by squaring, as in zlib's crc32_combine.
 * Polynomials are reflected: the bit of x^0 is the highest.
 */
public final class CrcCombination {
  private final long polynomial;
  private final int width;

  private CrcCombination(long polynomial, int width) {
    this.polynomial = polynomial;
    this.width = width;
  }

  /**
   * The combination for a CRC.
   *
   * @throws IllegalArgumentException if the algorithm is not a CRC
   */
  public static CrcCombination of(ChecksumAlgorithm algorithm) {
    return switch (algorithm) {
      case CRC32 -> new CrcCombination(0xEDB88320L, Integer.SIZE);
      case CRC32C -> new CrcCombination(0x82F63B78L, Integer.SIZE);
      case CRC64NVME -> new CrcCombination(Crc64Nvme.POLYNOMIAL_REFLECTED, Long.SIZE);
      case SHA1, SHA256 ->
          throw new IllegalArgumentException(algorithm + " cannot be combined, only CRCs can");
    };
  }

  /**
   * The CRC of the bytes of {@code first} followed by those of {@code second}.
   *
   * @param secondLengthBytes the number of bytes that {@code second} covers, not negative
   */
  public long combine(long first, long second, long secondLengthBytes) {
    if (secondLengthBytes < 0) {
      throw new IllegalArgumentException(
          "length is " + secondLengthBytes + ", must not be negative");
    }
    return multiply(xToTheBytes(secondLengthBytes), first) ^ second;
  }

  /** x^(8 * lengthBytes) modulo the polynomial. */
  private long xToTheBytes(long lengthBytes) {
    long power = 1L << (width - 1);
    long square = 1L << (width - 1 - Byte.SIZE);
    for (long rest = lengthBytes; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        power = multiply(square, power);
      }
      square = multiply(square, square);
    }
    return power;
  }

  private long multiply(long a, long b) {
    long product = 0;
    long shifted = b;
    for (int power = width - 1; power >= 0; power--) {
      product ^= shifted & -(a >>> power & 1);
      shifted = (shifted >>> 1) ^ (polynomial & -(shifted & 1));
    }
    return product;
  }
}
