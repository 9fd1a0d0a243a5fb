package dev.tarn.sharder.source.dataset;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/** A member's bytes; verifies their CRC32C at the end. */
final class CheckedChannel implements ReadableByteChannel {
  /** A verification of a CRC32C that throws if it fails. */
  interface Check {
    void check(int crc32c) throws IOException;
  }

  private final ReadableByteChannel channel;
  private final Check atEnd;
  private final CRC32C crc = new CRC32C();

  CheckedChannel(ReadableByteChannel channel, Check atEnd) {
    this.channel = requireNonNull(channel, "channel is null");
    this.atEnd = requireNonNull(atEnd, "atEnd is null");
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int start = target.position();
    int read = channel.read(target);
    if (read < 0) {
      atEnd.check((int) crc.getValue());
    } else {
      crc.update(target.duplicate().flip().position(start));
    }
    return read;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
