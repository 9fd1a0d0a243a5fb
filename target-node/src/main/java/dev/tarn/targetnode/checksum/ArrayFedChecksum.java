package dev.tarn.targetnode.checksum;

import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a checksum that takes only arrays from any kind of buffer. Direct buffers are copied
 * through an array that is large enough to make a native call worthwhile.
 */
final class ArrayFedChecksum implements Checksum {
  private static final int COPY_BYTES = 16 << 10;

  private final Checksum checksum;
  private byte @Nullable [] copy;

  ArrayFedChecksum(Checksum checksum) {
    this.checksum = checksum;
  }

  @Override
  public void update(int value) {
    checksum.update(value);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    checksum.update(bytes, offset, length);
  }

  @Override
  public void update(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      checksum.update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      bytes.position(bytes.limit());
      return;
    }
    byte[] array = copy;
    if (array == null) {
      array = new byte[COPY_BYTES];
      copy = array;
    }
    while (bytes.hasRemaining()) {
      int length = Math.min(array.length, bytes.remaining());
      bytes.get(array, 0, length);
      checksum.update(array, 0, length);
    }
  }

  @Override
  public long getValue() {
    return checksum.getValue();
  }

  @Override
  public void reset() {
    checksum.reset();
  }
}
