package dev.tarn.sharder.source.range;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** A range of an archive's bytes as a channel. Closing it does not close the archive. */
public final class BytesChannel implements SeekableByteChannel {
  private final PositionedBytes bytes;
  private final long start;
  private final long length;
  private long position;
  private boolean closed;

  public BytesChannel(PositionedBytes bytes, long start, long length) {
    this.bytes = bytes;
    this.start = start;
    this.length = length;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (position >= length) {
      return -1;
    }
    int limit = target.limit();
    target.limit(target.position() + (int) Math.min(target.remaining(), length - position));
    int read = bytes.read(start + position, target);
    target.limit(limit);
    position += read;
    return read == 0 && target.hasRemaining() ? -1 : read;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return length;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
