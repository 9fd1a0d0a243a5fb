package dev.tarn.cluster.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tarn.cluster.checksum.ChecksumValues.PartCrc;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChecksumValuesTest {
  @ParameterizedTest
  @EnumSource(names = {"CRC32", "CRC32C", "CRC64NVME"})
  void combinedCrcIsTheCrcOfAllBytes(ChecksumAlgorithm algorithm) {
    Random random = new Random(3);
    for (int round = 0; round < 50; round++) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      List<PartCrc> parts = new ArrayList<>();
      for (int part = 0; part < 1 + random.nextInt(5); part++) {
        byte[] data = new byte[random.nextInt(3000)];
        random.nextBytes(data);
        all.writeBytes(data);
        parts.add(new PartCrc(digest(algorithm, data), data.length));
      }
      assertThat(ChecksumValues.combined(algorithm, parts))
          .isEqualTo(ChecksumValues.ofBytes(algorithm, digest(algorithm, all.toByteArray())));
    }
  }

  @Test
  void combinationTakesLengthsBeyondTwoToTheThirtyTwo() {
    CrcCombination combination = CrcCombination.of(ChecksumAlgorithm.CRC64NVME);
    long half = 5L << 40;
    long once = combination.combine(0x1234_5678_9abc_def0L, 0, 2 * half);
    long twice = combination.combine(combination.combine(0x1234_5678_9abc_def0L, 0, half), 0, half);
    assertThat(once).isEqualTo(twice);
  }

  @ParameterizedTest
  @EnumSource(names = {"SHA1", "SHA256"})
  void onlyCrcsCanBeCombined(ChecksumAlgorithm algorithm) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcCombination.of(algorithm))
        .withMessageContaining("only CRCs");
  }

  @Test
  void compositeIsTheChecksumOfTheChecksumsWithTheirNumber() {
    byte[] first = digest(ChecksumAlgorithm.SHA256, new byte[] {1});
    byte[] second = digest(ChecksumAlgorithm.SHA256, new byte[] {2});
    byte[] both = new byte[64];
    System.arraycopy(first, 0, both, 0, 32);
    System.arraycopy(second, 0, both, 32, 32);
    String value =
        ChecksumValues.ofBytes(ChecksumAlgorithm.SHA256, digest(ChecksumAlgorithm.SHA256, both))
            .value();
    assertThat(ChecksumValues.composite(ChecksumAlgorithm.SHA256, List.of(first, second)))
        .isEqualTo(
            new ObjectChecksum(ChecksumAlgorithm.SHA256, ChecksumType.COMPOSITE, value + "-2"));
  }

  @ParameterizedTest
  @EnumSource
  void textIsReadAsItWasWritten(ChecksumAlgorithm algorithm) {
    byte[] value = digest(algorithm, new byte[] {7});
    assertThat(ChecksumValues.parse(algorithm, ChecksumValues.ofBytes(algorithm, value).value()))
        .hasValue(value);
  }

  @ParameterizedTest
  @EnumSource
  void textOfTheWrongLengthIsNone(ChecksumAlgorithm algorithm) {
    assertThat(ChecksumValues.parse(algorithm, "AAA=")).isEmpty();
    assertThat(ChecksumValues.parse(algorithm, "")).isEmpty();
    assertThat(ChecksumValues.parse(algorithm, "no base64!")).isEmpty();
  }

  private static byte[] digest(ChecksumAlgorithm algorithm, byte[] data) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(data));
    return digest.finish();
  }
}
