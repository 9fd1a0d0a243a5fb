package dev.tarn.cluster.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.BodyDigests.Computed;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BodyDigestsTest {
  private static final String MD5_HEX = "25f9e794323b453885f5181f1b624d0b";

  @Test
  void truthfulSenderIsNotContradicted() {
    DeclaredDigests truth =
        new DeclaredDigests(
            Optional.of(MD5_HEX), List.of(checksum(ChecksumAlgorithm.CRC32, "y/Q5Jg==")));
    assertThat(computed().contradiction(truth)).isEmpty();
    assertThat(computed().contradiction(DeclaredDigests.NONE)).isEmpty();
  }

  @Test
  void wrongMd5IsTold() {
    DeclaredDigests wrong = new DeclaredDigests(Optional.of(MD5_HEX.replace('2', '3')), List.of());
    assertThat(computed().contradiction(wrong)).hasValue(new Failure.BadDigest());
  }

  @Test
  void wrongChecksumIsTold() {
    DeclaredDigests wrong =
        new DeclaredDigests(
            Optional.empty(), List.of(checksum(ChecksumAlgorithm.CRC32, "AAAAAA==")));
    assertThat(computed().contradiction(wrong))
        .hasValue(new Failure.BadChecksum(ChecksumAlgorithm.CRC32));
  }

  @Test
  void checksumThatWasNotComputedIsNotBelieved() {
    DeclaredDigests other =
        new DeclaredDigests(
            Optional.empty(), List.of(checksum(ChecksumAlgorithm.CRC32C, "4waSgw==")));
    assertThat(computed().contradiction(other))
        .hasValue(new Failure.BadChecksum(ChecksumAlgorithm.CRC32C));
  }

  private static Computed computed() {
    BodyDigests digests =
        new BodyDigests(true, Set.of(ChecksumAlgorithm.CRC32, ChecksumAlgorithm.SHA256));
    digests.update(ByteBuffer.wrap("12345".getBytes(US_ASCII)));
    digests.update(ByteBuffer.wrap("6789".getBytes(US_ASCII)));
    return digests.finish();
  }

  private static ObjectChecksum checksum(ChecksumAlgorithm algorithm, String value) {
    return new ObjectChecksum(algorithm, ChecksumType.FULL_OBJECT, value);
  }
}
