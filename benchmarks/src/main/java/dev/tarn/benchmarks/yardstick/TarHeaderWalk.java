package dev.tarn.benchmarks.yardstick;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Walks over tar archives from member to member and touches the bytes of each: the least work to
 * read them. Runs on the calling thread with one buffer.
 */
public final class TarHeaderWalk {
  private static final int BLOCK = 512;
  private static final int SIZE_OFFSET = 124;
  private static final int SIZE_LENGTH = 11;
  private static final int OCTAL = 8;
  private static final int BUFFER_BYTES = 1 << 20;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final byte[] size = new byte[SIZE_LENGTH];
  private final CRC32C touching = new CRC32C();
  private long members;
  private long bytes;

  /**
   * The result of a walk.
   *
   * @param members the number of regular members
   * @param bytes the bytes of their content
   */
  public record Walked(long members, long bytes) {}

  /** Walks over the archives of a folder. Their members must have plain headers. */
  public Walked walk(Path folder) throws IOException {
    members = 0;
    bytes = 0;
    List<Path> archives;
    try (Stream<Path> all = Files.list(folder)) {
      archives = all.filter(file -> file.toString().endsWith(".tar")).sorted().toList();
    }
    for (Path archive : archives) {
      try (FileChannel channel = FileChannel.open(archive)) {
        walk(channel);
      }
    }
    return new Walked(members, bytes);
  }

  private void walk(FileChannel channel) throws IOException {
    buffer.clear().flip();
    while (true) {
      require(channel, BLOCK);
      int header = buffer.position();
      if (buffer.get(header) == 0) {
        return;
      }
      buffer.get(header + SIZE_OFFSET, size);
      long length = Long.parseLong(new String(size, US_ASCII), OCTAL);
      buffer.position(header + BLOCK);
      touch(channel, length);
      int padding = (int) (-length & (BLOCK - 1));
      require(channel, padding);
      buffer.position(buffer.position() + padding);
      members++;
      bytes += length;
    }
  }

  private void touch(FileChannel channel, long length) throws IOException {
    touching.reset();
    for (long left = length; left > 0; ) {
      require(channel, 1);
      int part = (int) Math.min(left, buffer.remaining());
      touching.update(buffer.slice(buffer.position(), part));
      buffer.position(buffer.position() + part);
      left -= part;
    }
  }

  /** Reads until the buffer holds this many bytes. */
  private void require(FileChannel channel, int count) throws IOException {
    if (buffer.remaining() >= count) {
      return;
    }
    buffer.compact();
    while (buffer.position() < count) {
      if (channel.read(buffer) < 0) {
        throw new EOFException("an archive ends in the middle of a member");
      }
    }
    buffer.flip();
  }
}
