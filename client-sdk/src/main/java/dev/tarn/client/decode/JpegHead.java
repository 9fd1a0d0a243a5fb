package dev.tarn.client.decode;

import java.nio.ByteBuffer;

/**
 * The contents of a JPEG's segments before its first scan.
 *
 * @param components number of colours; 0 if missing
 * @param transform how Adobe's programs stored the colours; -1 if missing
 * @param scanAt offset of the first scan, or of the first bytes that are not a segment
 */
record JpegHead(int components, int transform, int scanAt) {
  private static final int MARKER = 0xff;
  private static final int ADOBE = 0xee;
  private static final int ADOBE_LENGTH = 14;
  private static final int ADOBE_TRANSFORM_AT = 13;
  private static final int START_OF_SCAN = 0xda;
  private static final int END_OF_IMAGE = 0xd9;
  private static final int COMPONENTS_AT = 7;

  /**
   * Parses the segments.
   *
   * @param file from its byte 0 to the limit
   */
  static JpegHead of(ByteBuffer file) {
    int components = 0;
    int transform = -1;
    int at = 2;
    while (at + 4 <= file.limit() && byteAt(file, at) == MARKER) {
      int marker = byteAt(file, at + 1);
      if (marker == MARKER) {
        at++;
        continue;
      }
      int length = file.getShort(at + 2) & 0xffff;
      if (marker == START_OF_SCAN || length < 2 || at + 2 + length > file.limit()) {
        break;
      }
      if (marker == ADOBE && length >= ADOBE_LENGTH && file.getInt(at + 4) == 0x41646f62) {
        transform = byteAt(file, at + 2 + ADOBE_TRANSFORM_AT);
      }
      if (isFrame(marker) && length > COMPONENTS_AT) {
        components = byteAt(file, at + 2 + COMPONENTS_AT);
      }
      at += 2 + length;
    }
    return new JpegHead(components, transform, at);
  }

  /**
   * Whether the end of the image exists. It is searched from the end of the file, where it is
   * unless other data follows. The segments are not searched, since they may hold a thumbnail's
   * end.
   */
  boolean isEnded(ByteBuffer file) {
    for (int at = file.limit() - 2; at >= scanAt; at--) {
      if (byteAt(file, at) == MARKER && byteAt(file, at + 1) == END_OF_IMAGE) {
        return true;
      }
    }
    return false;
  }

  /** The markers of frames are C0 to CF, except those of tables. */
  private static boolean isFrame(int marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }

  private static int byteAt(ByteBuffer file, int at) {
    return file.get(at) & 0xff;
  }
}
