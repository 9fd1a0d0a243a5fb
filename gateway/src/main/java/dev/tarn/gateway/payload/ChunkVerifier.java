package dev.tarn.gateway.payload;

import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;

/** Verifies the signatures of a body's chunks, if they have any. */
interface ChunkVerifier {
  /** Accepts everything. */
  ChunkVerifier UNSIGNED =
      new ChunkVerifier() {
        @Override
        public void update(ByteBuffer data) {}

        @Override
        public void endChunk(String signatureHex) {}

        @Override
        public void endTrailers(String canonicalTrailers, String signatureHex) {}
      };

  /** Adds bytes of the current chunk. Does not change the buffer's position. */
  void update(ByteBuffer data);

  /**
   * Ends the current chunk and verifies its signature.
   *
   * @throws S3Exception SignatureDoesNotMatch
   */
  void endChunk(String signatureHex);

  /**
   * Ends the trailers and verifies their signature.
   *
   * @param canonicalTrailers one line {@code name:value} for each trailer, sorted by name
   * @param signatureHex empty if there is none
   * @throws S3Exception SignatureDoesNotMatch
   */
  void endTrailers(String canonicalTrailers, String signatureHex);
}
