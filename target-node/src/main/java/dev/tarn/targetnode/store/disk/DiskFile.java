package dev.tarn.targetnode.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** An open file. Safe for use by many threads, for all accesses name their position. */
public interface DiskFile extends Closeable {
  /**
   * Fills the buffer from this position on.
   *
   * @throws java.io.EOFException if the file ends before
   */
  void read(ByteBuffer destination, long position) throws IOException;

  /**
   * Fills the buffer, which is direct, if that needs no wait for the device.
   *
   * @return false if it would have to wait, or if the system cannot tell; what the buffer then
   *     holds is undefined
   */
  boolean readNow(ByteBuffer destination, long position) throws IOException;

  /** Writes all of the buffer from this position on. */
  void write(ByteBuffer source, long position) throws IOException;

  /** Makes the file's bytes and length durable, but not its name. */
  void sync() throws IOException;

  /** Cuts the file to this length. */
  void truncate(long lengthBytes) throws IOException;

  /** The file's length in bytes. */
  long length() throws IOException;

  /** The channel for a send without copying; empty where the file is not the system's. */
  Optional<FileChannel> channel();
}
