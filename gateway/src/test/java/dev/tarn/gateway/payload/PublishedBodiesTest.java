package dev.tarn.gateway.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.gateway.auth.ExampleRequests;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chunked bodies of the documentation of S3, whose signatures everybody must find. */
class PublishedBodiesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100, 8192, 65536, 1 << 20})
  void signedChunksAreDecodedFromPiecesOfAnySize(int pieceLength) {
    PayloadDecoder decoder = ChunkedBodies.decoder(ExampleRequests.putChunks());
    assertThat(decoder.decodedLength()).isEqualTo(66560);
    assertThat(ChunkedBodies.decode(decoder, ChunkedBodies.signed(), pieceLength))
        .isEqualTo(ChunkedBodies.OBJECT);
    assertThat(decoder.declaredDigests().checksums()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100, 8192, 65536, 1 << 20})
  void signedTrailerIsDecodedFromPiecesOfAnySize(int pieceLength) {
    PayloadDecoder decoder = ChunkedBodies.decoder(ExampleRequests.putChunksWithTrailer());
    assertThat(ChunkedBodies.decode(decoder, ChunkedBodies.signedWithTrailer(), pieceLength))
        .isEqualTo(ChunkedBodies.OBJECT);
    assertThat(decoder.declaredDigests().checksums())
        .containsExactly(
            new ObjectChecksum(ChecksumAlgorithm.CRC32C, ChecksumType.FULL_OBJECT, "sOO8/Q=="));
  }
}
