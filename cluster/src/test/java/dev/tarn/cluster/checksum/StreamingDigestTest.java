package dev.tarn.cluster.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StreamingDigestTest {
  /** The check values of the catalogue of CRCs, and FIPS 180's digests, of the digits 1 to 9. */
  @ParameterizedTest
  @CsvSource({
    "CRC32, cbf43926",
    "CRC32C, e3069283",
    "CRC64NVME, ae8b14860a799888",
    "SHA1, f7c3bc1d808e04732adf679965ccc34ca7ae3441",
    "SHA256, 15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
  })
  void checkValueIsThePublishedOne(ChecksumAlgorithm algorithm, String hex) {
    assertThat(HexFormat.of().formatHex(digest(algorithm, bytes("123456789")))).isEqualTo(hex);
  }

  @Test
  void md5IsThePublishedOne() {
    StreamingDigest md5 = StreamingDigest.md5();
    md5.update(ByteBuffer.wrap(bytes("123456789")));
    assertThat(md5.finish())
        .asHexString()
        .isEqualToIgnoringCase("25f9e794323b453885f5181f1b624d0b");
  }

  @ParameterizedTest
  @EnumSource
  void valueDoesNotDependOnPiecesNorOnTheKindOfBuffer(ChecksumAlgorithm algorithm) {
    Random random = new Random(1);
    byte[] data = new byte[10_000];
    random.nextBytes(data);
    ByteBuffer direct = ByteBuffer.allocateDirect(data.length).put(data).flip();
    StreamingDigest pieces = StreamingDigest.of(algorithm);
    for (int start = 0; start < data.length; ) {
      int length = Math.min(random.nextInt(40), data.length - start);
      pieces.update((random.nextBoolean() ? direct : ByteBuffer.wrap(data)).slice(start, length));
      start += length;
    }
    assertThat(pieces.finish()).isEqualTo(digest(algorithm, data));
  }

  @ParameterizedTest
  @EnumSource
  void bufferIsLeftAsItWas(ChecksumAlgorithm algorithm) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes("0123456789")).position(2).limit(7);
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(buffer);
    assertThat(buffer.position()).isEqualTo(2);
    assertThat(buffer.limit()).isEqualTo(7);
    assertThat(digest.finish()).isEqualTo(digest(algorithm, bytes("23456")));
  }

  @Test
  void tableAgreesWithTheDefinitionBitByBit() {
    Random random = new Random(2);
    for (int length = 0; length < 100; length++) {
      byte[] data = new byte[length];
      random.nextBytes(data);
      Crc64Nvme crc = new Crc64Nvme();
      crc.update(data);
      assertThat(crc.getValue()).isEqualTo(bitByBit(data));
      crc.reset();
      assertThat(crc.getValue()).isZero();
    }
  }

  private static long bitByBit(byte[] data) {
    long crc = -1;
    for (byte value : data) {
      crc ^= value & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ Crc64Nvme.POLYNOMIAL_REFLECTED;
      }
    }
    return ~crc;
  }

  private static byte[] digest(ChecksumAlgorithm algorithm, byte[] data) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(data));
    return digest.finish();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
