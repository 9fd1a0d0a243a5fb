package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The bytes of an extent that is not compressed: views of a chunk, or copies out of several. */
final class PlainBytes implements ExtentBytes {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final String shard;
  private final ExtentStream stream;
  private ByteBuffer current = EMPTY;
  private long position;

  /**
   * Reads a stream.
   *
   * @param shard its name in messages
   * @param start offset of the stream's first byte in the shard
   */
  PlainBytes(String shard, ExtentStream stream, long start) {
    this.shard = shard;
    this.stream = stream;
    this.position = start;
  }

  @Override
  public ByteBuffer read(long offset, int length, SampleMemory memory) throws IOException {
    if (length == 0) {
      return EMPTY.duplicate();
    }
    skipTo(offset);
    requireBytes(offset);
    Chunk chunk = stream.current();
    if (chunk != null && current.remaining() >= length) {
      ByteBuffer view = current.slice(current.position(), length);
      pass(length);
      memory.hold(chunk, length);
      return view;
    }
    ByteBuffer copy = ByteBuffer.allocate(length);
    memory.holdCopy(length);
    while (copy.hasRemaining()) {
      requireBytes(offset);
      int step = Math.min(copy.remaining(), current.remaining());
      copy.put(current.slice(current.position(), step));
      pass(step);
    }
    return copy.flip();
  }

  @Override
  public void close() throws IOException {
    while (advance()) {
      // The chunks behind it belong to this extent.
    }
    stream.close();
  }

  @Override
  public void abandon() {
    stream.close();
  }

  private void skipTo(long offset) throws IOException {
    if (offset < position) {
      throw new ShardFormatException(
          shard, offset, "the index has members that overlap: it is corrupt");
    }
    while (position < offset) {
      requireBytes(offset);
      pass((int) Math.min(offset - position, current.remaining()));
    }
  }

  private void requireBytes(long offset) throws IOException {
    if (!current.hasRemaining() && !advance()) {
      throw new ShardFormatException(
          shard, offset, "the shard ends at byte %d: it is cut short".formatted(position));
    }
  }

  /** Moves to the next chunk that has bytes; false if there is none. */
  private boolean advance() throws IOException {
    @Nullable ByteBuffer bytes;
    do {
      bytes = stream.next();
    } while (bytes != null && !bytes.hasRemaining());
    current = bytes == null ? EMPTY : bytes.slice();
    Chunk chunk = stream.current();
    if (chunk != null) {
      // The bytes between two chunks were not fetched.
      position = chunk.offset();
    }
    return bytes != null;
  }

  private void pass(int length) {
    current.position(current.position() + length);
    position += length;
  }
}
