package dev.tarn.gateway.payload;

import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;

/** Verifies the signatures of a body's chunks, where there are any. */
interface ChunkVerifier {
  /** Believes everything. */
  ChunkVerifier UNSIGNED =
      new ChunkVerifier() {
        @Override
        public void update(ByteBuffer data) {}

        @Override
        public void endChunk(String signatureHex) {}

        @Override
        public void endTrailers(String canonicalTrailers, String signatureHex) {}
      };

  /** Takes bytes of the present chunk and leaves the buffer as it was. */
  void update(ByteBuffer data);

  /**
   * Takes the end of the present chunk.
   *
   * @throws S3Exception SignatureDoesNotMatch
   */
  void endChunk(String signatureHex);

  /**
   * Takes the end of the trailers.
   *
   * @param canonicalTrailers a line {@code name:value} each, in order of name
   * @param signatureHex empty where there is none
   * @throws S3Exception SignatureDoesNotMatch
   */
  void endTrailers(String canonicalTrailers, String signatureHex);
}
