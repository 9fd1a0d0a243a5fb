package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** A file's bytes; at their end, it verifies that the file has not changed since it was listed. */
final class WatchedChannel implements ReadableByteChannel {
  /** A verification that throws if it fails. */
  interface Check {
    void check() throws IOException;
  }

  private final String name;
  private final ReadableByteChannel channel;
  private final Check atEnd;

  /**
   * @param name in messages
   */
  WatchedChannel(String name, ReadableByteChannel channel, Check atEnd) {
    this.name = requireNonNull(name, "name is null");
    this.channel = requireNonNull(channel, "channel is null");
    this.atEnd = requireNonNull(atEnd, "atEnd is null");
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int read;
    try {
      read = channel.read(target);
    } catch (IOException e) {
      throw SourceFailures.naming(name, e);
    }
    if (read < 0) {
      atEnd.check();
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
