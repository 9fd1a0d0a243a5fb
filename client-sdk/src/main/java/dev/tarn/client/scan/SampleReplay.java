package dev.tarn.client.scan;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads the data of the last sample again, for members in another order. */
interface SampleReplay extends Closeable {
  /** Takes data as it is read. */
  void append(ByteBuffer data) throws IOException;

  /** Discards the data: another sample begins. */
  void clear() throws IOException;

  /**
   * Reads a part of the data again.
   *
   * @param shardOffset of the part in the uncompressed shard
   * @param sampleOffset bytes that were appended before it
   * @param length of the part in bytes
   */
  InputStream open(long shardOffset, long sampleOffset, long length) throws IOException;
}
