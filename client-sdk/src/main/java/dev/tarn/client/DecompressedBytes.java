package dev.tarn.client;

import dev.tarn.shard.ShardFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Bytes of a compressed shard, from a restart on. */
final class DecompressedBytes implements ExtentBytes {
  private final String shard;
  private final ShardTape tape;
  private final DecompressedTape decompressed;
  private long position;

  /**
   * @param shard its name in messages
   * @param start where the restart at which the tape begins lies in the uncompressed shard
   */
  DecompressedBytes(String shard, ShardTape tape, DecompressedTape decompressed, long start) {
    this.shard = shard;
    this.tape = tape;
    this.decompressed = decompressed;
    this.position = start;
  }

  @Override
  public ByteBuffer read(long offset, int length, SampleMemory memory) throws IOException {
    if (offset < position) {
      throw new ShardFormatException(
          shard, offset, "the index has members that overlap: it is corrupt");
    }
    byte[] copy = new byte[length];
    memory.holdCopy(length);
    InputStream stream = decompressed.stream();
    try {
      stream.skipNBytes(offset - position);
    } catch (EOFException e) {
      throw cutShort(offset);
    }
    if (stream.readNBytes(copy, 0, length) < length) {
      throw cutShort(offset);
    }
    position = offset + length;
    return ByteBuffer.wrap(copy);
  }

  private ShardFormatException cutShort(long offset) {
    return new ShardFormatException(
        shard, offset, "the shard has no such byte: it is cut short, or its index another's");
  }

  @Override
  public void close() throws IOException {
    decompressed.stream().transferTo(OutputStream.nullOutputStream());
    decompressed.close();
    tape.close();
  }

  @Override
  public void abandon() {
    decompressed.abandon();
    tape.close();
  }
}
