package dev.tarn.client.internal.scan;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Gives the data of the sample that was read last once more, for an order that is not its own. */
interface SampleReplay extends Closeable {
  /** Takes data as it is read. */
  void append(ByteBuffer data) throws IOException;

  /** Forgets what was appended: another sample begins. */
  void clear() throws IOException;

  /**
   * Reads a part of it again.
   *
   * @param shardOffset where it is in the uncompressed shard
   * @param sampleOffset how many bytes were appended before it
   * @param length how many bytes it has
   */
  InputStream open(long shardOffset, long sampleOffset, long length) throws IOException;
}
