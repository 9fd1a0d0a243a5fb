package dev.tarn.targetnode.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** An open file. Safe for use by many threads, because every access names its position. */
public interface DiskFile extends Closeable {
  /**
   * Fills the buffer from this position on.
   *
   * @throws java.io.EOFException if the file ends before the buffer is full
   */
  void read(ByteBuffer destination, long position) throws IOException;

  /**
   * Fills the buffer, which must be direct, if the read does not wait for the device.
   *
   * @return false if the read would wait, or if the system cannot tell; the content of the buffer
   *     is undefined then
   */
  boolean readNow(ByteBuffer destination, long position) throws IOException;

  /** Writes all of the buffer from this position on. */
  void write(ByteBuffer source, long position) throws IOException;

  /**
   * Gives the room of these bytes back to the disk; they then read as 0. Blocks.
   *
   * @return false if the disk cannot do that; then nothing has changed
   */
  boolean punch(long position, long length) throws IOException;

  /** Makes the file's bytes and length durable, but not its name. */
  void sync() throws IOException;

  /** Truncates the file to this length. */
  void truncate(long lengthBytes) throws IOException;

  /** The file's length in bytes. */
  long length() throws IOException;

  /** The channel for a send without copying; empty if the file is not the operating system's. */
  Optional<FileChannel> channel();
}
