package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.BulkInputStream;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.ShardStreams;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Random access to the uncompressed bytes of a shard. A range of a compressed shard is decompressed
 * from the restart before it.
 *
 * <p>Thread-safe if the source of the stored bytes is.
 */
public final class ShardRanges {
  private final String shard;
  private final long length;
  private final Optional<ShardRestarts> restarts;
  private final RangeSource stored;

  /**
   * @param shard its name in messages
   * @param index the shard's own
   */
  public ShardRanges(String shard, ShardIndex index, RangeSource stored) {
    this.shard = requireNonNull(shard, "shard is null");
    this.length = index.shardLength();
    this.restarts = index.restarts();
    this.stored = requireNonNull(stored, "stored is null");
  }

  /**
   * Opens a range of the uncompressed shard; the stream ends with the range. If the shard ends
   * earlier, reading fails with ShardFormatException.
   *
   * @param offset of the first byte
   * @param end the offset after the last byte
   * @throws IndexOutOfBoundsException if the range exceeds the length in the index
   */
  public InputStream open(long offset, long end) throws IOException {
    if (offset < 0 || end < offset || end > length) {
      throw new IndexOutOfBoundsException(
          "bytes " + offset + " to " + end + " of a shard of " + length);
    }
    if (offset == end) {
      return InputStream.nullInputStream();
    }
    if (restarts.isEmpty()) {
      return new Bounded(shard, stored.open(offset, end), offset, end);
    }
    ShardRestarts places = restarts.orElseThrow();
    int restart = places.before(offset);
    InputStream compressed = stored.open(places.storedOffset(restart), places.storedEnd(end));
    InputStream opened = compressed;
    try {
      long start = places.offset(restart);
      opened = ShardStreams.decompress(shard, places.compression(), compressed, start);
      opened.skipNBytes(offset - start);
      return new Bounded(shard, opened, offset, end);
    } catch (IOException e) {
      opened.close();
      throw isEnd(e) ? cutShort(shard, offset, e) : e;
    }
  }

  private static boolean isEnd(IOException e) {
    return e instanceof EOFException || e.getCause() instanceof EOFException;
  }

  private static ShardFormatException cutShort(String shard, long offset, Throwable cause) {
    ShardFormatException failure =
        new ShardFormatException(
            shard, offset, "the shard ends here, its index is of a longer one");
    failure.initCause(cause);
    return failure;
  }

  /** Ends where the range ends; fails if the bytes end earlier. */
  private static final class Bounded extends BulkInputStream {
    private final String shard;
    private final InputStream bytes;
    private final long end;
    private long position;

    Bounded(String shard, InputStream bytes, long position, long end) {
      this.shard = shard;
      this.bytes = bytes;
      this.position = position;
      this.end = end;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (position == end || length == 0) {
        return length == 0 ? 0 : -1;
      }
      int read;
      try {
        read = bytes.read(target, offset, (int) Math.min(length, end - position));
      } catch (IOException e) {
        throw isEnd(e) ? cutShort(shard, position, e) : e;
      }
      if (read < 0) {
        throw cutShort(shard, position, new EOFException());
      }
      position += read;
      return read;
    }

    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }
}
