package dev.tarn.client;

import dev.tarn.client.internal.prefetch.ExtentLayout.ByteSpan;
import dev.tarn.shard.ShardFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/** Bytes of a compressed shard: spans of it, each from a restart to another. */
final class DecompressedBytes implements ExtentBytes {
  private final String shard;
  private final ShardTape tape;
  private final DecompressedTape decompressed;
  private final Iterator<ByteSpan> spans;
  private long position;
  private long end;

  /**
   * @param shard its name in messages
   * @param spans what is on the tape, of the uncompressed shard
   */
  DecompressedBytes(
      String shard, ShardTape tape, DecompressedTape decompressed, List<ByteSpan> spans) {
    this.shard = shard;
    this.tape = tape;
    this.decompressed = decompressed;
    this.spans = spans.iterator();
  }

  @Override
  public ByteBuffer read(long offset, int length, SampleMemory memory) throws IOException {
    if (length == 0) {
      return ByteBuffer.allocate(0);
    }
    InputStream stream = decompressed.stream();
    moveTo(stream, offset);
    if (offset < position) {
      throw new ShardFormatException(
          shard, offset, "the index has members that overlap: it is corrupt");
    }
    byte[] copy = new byte[length];
    memory.holdCopy(length);
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

  /** Passes what lies before the span that holds an offset. */
  private void moveTo(InputStream stream, long offset) throws IOException {
    while (offset >= end && spans.hasNext()) {
      try {
        stream.skipNBytes(end - position);
      } catch (EOFException e) {
        throw cutShort(offset);
      }
      ByteSpan next = spans.next();
      position = next.start();
      end = next.end();
    }
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
