package dev.tarn.shard.tar;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Writes an archive of regular members, member after member, through one bounded buffer.
 *
 * <p>Closing it without {@link #finish} leaves an archive cut short, which no reader here takes for
 * whole. Not for use by several threads at once.
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

  /** Writes members of the default time; closing it closes the channel. */
  public TarWriter(WritableByteChannel channel) {
    this(channel, HeaderEncoder.DEFAULT_TIME);
  }

  /**
   * @param channel blocking; closed together with this
   * @param time in seconds since 1970, of every member
   */
  public TarWriter(WritableByteChannel channel, long time) {
    this.channel = requireNonNull(channel, "channel is null");
    this.encoder = new HeaderEncoder(time);
  }

  /**
   * Begins a member; its data must follow, exactly as long as announced.
   *
   * @param name see {@link MemberNames}
   * @return where its data begins
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

  /** Adds to the current member's data what is left in the buffer. */
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

  /** Ends the archive with its blocks of zeros; nothing can be written after. */
  public void finish() throws IOException {
    requireWholeMember();
    int end = TarLayout.endLength(position);
    position += end;
    zeros(end);
    flush();
    finished = true;
  }

  /** How many bytes were written so far. */
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
