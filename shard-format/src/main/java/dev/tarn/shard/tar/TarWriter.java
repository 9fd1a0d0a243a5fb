package dev.tarn.shard.tar;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Writes an archive of regular members through one buffer.
 *
 * <p>Closing it without {@link #finish} leaves a truncated archive, which {@link TarReader}
 * rejects. Not thread-safe.
 */
public final class TarWriter implements Closeable {
  private static final int BUFFER_SIZE = 256 * 1024;

  private final WritableByteChannel channel;
  private final HeaderEncoder encoder;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
  private long position;
  private long dataLeft;
  private int padding;
  private boolean finished;

  /** Writes members with the default time; closing this writer closes the channel. */
  public TarWriter(WritableByteChannel channel) {
    this(channel, HeaderEncoder.DEFAULT_TIME);
  }

  /**
   * @param channel blocking; closed with this writer
   * @param time of every member, in seconds since 1970
   */
  public TarWriter(WritableByteChannel channel, long time) {
    this.channel = requireNonNull(channel, "channel is null");
    this.encoder = new HeaderEncoder(time);
  }

  /**
   * Begins a member; exactly {@code size} bytes of data must follow.
   *
   * @param name see {@link MemberNames}
   * @return the offset of its data
   */
  public long begin(String name, long size) throws IOException {
    requireWholeMember();
    byte[] bytes = MemberNames.encode(name);
    int length = TarLayout.headerLength(bytes, size);
    if (length > buffer.remaining()) {
      flush();
    }
    if (length > buffer.capacity()) {
      throw new IllegalArgumentException("the name has " + bytes.length + " bytes: too long");
    }
    encoder.encode(buffer, bytes, size);
    position += length;
    dataLeft = size;
    padding = TarLayout.padding(size);
    pad();
    return position;
  }

  /** Adds the buffer's remaining bytes to the current member's data. */
  public void write(ByteBuffer data) throws IOException {
    if (data.remaining() > dataLeft) {
      throw new IllegalStateException(
          data.remaining() + " bytes exceed the member's size by " + (data.remaining() - dataLeft));
    }
    position += data.remaining();
    dataLeft -= data.remaining();
    if (data.remaining() > buffer.remaining()) {
      flush();
    }
    if (data.remaining() > buffer.remaining()) {
      writeFully(data);
    } else {
      buffer.put(data);
    }
    pad();
  }

  /** Ends the archive with its blocks of zeros; nothing can be written afterwards. */
  public void finish() throws IOException {
    requireWholeMember();
    int end = TarLayout.endLength(position);
    position += end;
    zeros(end);
    flush();
    finished = true;
  }

  /** Returns the number of bytes written so far. */
  public long position() {
    return position;
  }

  private void requireWholeMember() {
    if (finished) {
      throw new IllegalStateException("the archive is finished");
    }
    if (dataLeft > 0) {
      throw new IllegalStateException("the member before lacks " + dataLeft + " bytes");
    }
  }

  private void pad() throws IOException {
    if (dataLeft == 0) {
      position += padding;
      zeros(padding);
      padding = 0;
    }
  }

  private void zeros(int length) throws IOException {
    if (length > buffer.remaining()) {
      flush();
    }
    buffer.put(new byte[length]);
  }

  private void flush() throws IOException {
    writeFully(buffer.flip());
    buffer.clear();
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
