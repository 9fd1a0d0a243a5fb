package dev.tarn.gateway.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.gateway.auth.OddRequests;
import dev.tarn.gateway.auth.SdkSigner;
import dev.tarn.gateway.auth.SdkSigner.Wire;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;

/** Bodies that the SDK frames and signs. */
class SdkChunkedBodiesTest {
  @ParameterizedTest
  @CsvSource({"true, false", "true, true", "false, true"})
  void bodyOfTheSdkIsDecodedAndItsTrailerHolds(boolean signed, boolean trailer) {
    OddRequests requests = new OddRequests(41);
    Random random = new Random(42);
    SdkSigner signer = new SdkSigner();
    for (int round = 0; round < 10; round++) {
      byte[] body = requests.body(300_000);
      Wire wire =
          signer.signChunks(
              requests.next(), body, signed, trailer ? DefaultChecksumAlgorithm.CRC32C : null);
      PayloadDecoder decoder = ChunkedBodies.decoder(wire.head());
      assertThat(ChunkedBodies.decode(decoder, wire.body().array(), 1 + random.nextInt(100_000)))
          .isEqualTo(body);
      BodyDigests digests =
          new BodyDigests(false, trailer ? Set.of(ChecksumAlgorithm.CRC32C) : Set.of());
      digests.update(ByteBuffer.wrap(body));
      assertThat(digests.finish().contradiction(decoder.declaredDigests())).isEmpty();
      assertThat(decoder.declaredDigests().checksums()).hasSize(trailer ? 1 : 0);
    }
  }
}
