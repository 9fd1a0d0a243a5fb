package dev.tarn.transport.relay;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.BooleanSupplier;

/**
 * The sizes of the buffers that reads from a target's socket fill. Large reads cost less CPU, and
 * small reads bound the memory of bytes that wait for slow clients.
 */
final class ReadSizes extends DefaultMaxMessagesRecvByteBufAllocator {
  static final int LARGE_BYTES = 128 << 10;
  static final int SMALL_BYTES = 16 << 10;

  private final BooleanSupplier small;

  /**
   * Creates the sizes of one connection.
   *
   * @param small whether the next read is small
   */
  ReadSizes(BooleanSupplier small) {
    this.small = small;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new NextSize();
  }

  private final class NextSize extends MaxMessageHandle {
    @Override
    public int guess() {
      return small.getAsBoolean() ? SMALL_BYTES : LARGE_BYTES;
    }
  }
}
