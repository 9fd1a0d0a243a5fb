package dev.tarn.gateway.payload;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.HexFormat;

/**
 * The line before a chunk: {@code size[;chunk-signature=hex]}.
 *
 * @param size the number of bytes that follow; zero ends the body
 * @param signatureHex empty if there is none
 */
record ChunkHeader(long size, String signatureHex) {
  private static final String SIGNATURE = "chunk-signature=";
  private static final int SIZE_DIGITS_MAX = 15;

  /**
   * Parses a line that ends with its carriage return.
   *
   * @throws S3Exception InvalidRequest if the line is malformed
   */
  static ChunkHeader parse(String line) {
    int semicolon = line.indexOf(';');
    int sizeEnd = semicolon < 0 ? line.length() - 1 : semicolon;
    if (!line.endsWith("\r") || sizeEnd < 1 || sizeEnd > SIZE_DIGITS_MAX) {
      throw malformed();
    }
    for (int i = 0; i < sizeEnd; i++) {
      if (!HexFormat.isHexDigit(line.charAt(i))) {
        throw malformed();
      }
    }
    long size = HexFormat.fromHexDigitsToLong(line, 0, sizeEnd);
    if (semicolon < 0) {
      return new ChunkHeader(size, "");
    }
    if (!line.startsWith(SIGNATURE, semicolon + 1)) {
      throw malformed();
    }
    return new ChunkHeader(
        size, line.substring(semicolon + 1 + SIGNATURE.length(), line.length() - 1));
  }

  private static S3Exception malformed() {
    return S3Exception.of(
        S3ErrorCode.INVALID_REQUEST,
        "The chunked body has a malformed chunk header; expecting"
            + " \"HEX-SIZE[;chunk-signature=HEX]\" and a line end.");
  }
}
