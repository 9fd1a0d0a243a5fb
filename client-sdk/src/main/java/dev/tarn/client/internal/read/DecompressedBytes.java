package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.ExtentLayout.ByteSpan;
import dev.tarn.shard.ShardFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/** The bytes of a compressed extent: spans of the uncompressed shard, each between two restarts. */
final class DecompressedBytes implements ExtentBytes {
  private final String shard;
  private final BackgroundDecompression decompression;
  private final Iterator<ByteSpan> spans;
  private long position;
  private long end;

  /**
   * Reads what a decompression gives.
   *
   * @param shard its name in messages
   * @param spans of the uncompressed shard that the decompression gives
   */
  DecompressedBytes(String shard, BackgroundDecompression decompression, List<ByteSpan> spans) {
    this.shard = shard;
    this.decompression = decompression;
    this.spans = spans.iterator();
  }

  @Override
  public ByteBuffer read(long offset, int length, SampleMemory memory) throws IOException {
    if (length == 0) {
      return ByteBuffer.allocate(0);
    }
    InputStream bytes = decompression.bytes();
    moveTo(bytes, offset);
    if (offset < position) {
      throw new ShardFormatException(
          shard, offset, "the index has members that overlap: it is corrupt");
    }
    byte[] copy = new byte[length];
    memory.holdCopy(length);
    try {
      bytes.skipNBytes(offset - position);
    } catch (EOFException e) {
      throw cutShort(offset);
    }
    if (bytes.readNBytes(copy, 0, length) < length) {
      throw cutShort(offset);
    }
    position = offset + length;
    return ByteBuffer.wrap(copy);
  }

  /** Skips to the span that holds an offset. */
  private void moveTo(InputStream bytes, long offset) throws IOException {
    while (offset >= end && spans.hasNext()) {
      try {
        bytes.skipNBytes(end - position);
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
        shard,
        offset,
        "the shard ends before this byte: it is truncated, or the index is of another shard");
  }

  @Override
  public void close() throws IOException {
    try (decompression) {
      decompression.bytes().transferTo(OutputStream.nullOutputStream());
    }
  }

  @Override
  public void abandon() {
    decompression.abandon();
  }
}
