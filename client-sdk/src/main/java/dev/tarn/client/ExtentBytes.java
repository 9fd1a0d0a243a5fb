package dev.tarn.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a part of a shard, by their offsets in the uncompressed shard, ascending. */
interface ExtentBytes {
  /**
   * Some bytes, as a view where that goes.
   *
   * @param offset not before the end of what was read last
   * @param memory told what holds them
   */
  ByteBuffer read(long offset, int length, SampleMemory memory) throws IOException;

  /** Passes the rest, and lets go of it. */
  void close() throws IOException;

  /** Lets go of it without looking at the rest. */
  void abandon();
}
