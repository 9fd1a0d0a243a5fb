package dev.tarn.client.internal.read;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of an extent, addressed by ascending offsets in the uncompressed shard. */
interface ExtentBytes {
  /**
   * Reads some bytes; the result is a view where possible, and a copy otherwise.
   *
   * @param offset not before the end of the preceding read
   * @param memory records the memory that holds the bytes
   */
  ByteBuffer read(long offset, int length, SampleMemory memory) throws IOException;

  /** Skips the rest and releases its memory. */
  void close() throws IOException;

  /** Releases its memory without reading the rest. */
  void abandon();
}
