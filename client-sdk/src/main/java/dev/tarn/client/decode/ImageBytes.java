package dev.tarn.client.decode;

import java.nio.ByteBuffer;
import javax.imageio.stream.ImageInputStreamImpl;

/**
 * A member's bytes for ImageIO. Unlike a stream they have a length, so that readers allocate no
 * memory for bytes after the end.
 */
final class ImageBytes extends ImageInputStreamImpl {
  private final ByteBuffer bytes;

  /**
   * Wraps bytes.
   *
   * @param bytes from position to limit
   */
  ImageBytes(ByteBuffer bytes) {
    this.bytes = bytes.slice();
  }

  @Override
  public int read() {
    bitOffset = 0;
    return streamPos < bytes.limit() ? bytes.get((int) streamPos++) & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    bitOffset = 0;
    if (streamPos >= bytes.limit()) {
      return -1;
    }
    int count = (int) Math.min(length, bytes.limit() - streamPos);
    bytes.get((int) streamPos, target, offset, count);
    streamPos += count;
    return count;
  }

  @Override
  public long length() {
    return bytes.limit();
  }
}
