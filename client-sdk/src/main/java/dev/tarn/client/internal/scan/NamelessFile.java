package dev.tarn.client.internal.scan;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file in the JVM's temporary folder, which vanishes when it is closed and no longer mapped, or
 * when the process ends.
 */
public final class NamelessFile implements ScratchFile {
  private final FileChannel channel;

  private NamelessFile(FileChannel channel) {
    this.channel = channel;
  }

  /** Makes a file. */
  public static NamelessFile open() throws IOException {
    Path path = Files.createTempFile("tarn-", null);
    return new NamelessFile(
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE));
  }

  /** The channel of the file. */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    return length;
  }

  @Override
  public void read(long offset, ByteBuffer target) throws IOException {
    long position = offset;
    while (target.hasRemaining()) {
      int read = channel.read(target, position);
      if (read < 0) {
        throw new EOFException("a temporary file became shorter");
      }
      position += read;
    }
  }

  @Override
  public void clear() throws IOException {
    channel.truncate(0);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
