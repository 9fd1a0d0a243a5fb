package dev.tarn.client.scan;

import dev.tarn.shard.BulkInputStream;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.GzipStream;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.index.ShardRestarts;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shard's tar bytes, whatever its compression. It records where the stored bytes can be entered:
 * at each gzip member and zstd frame; with other compressions only at the beginning.
 */
abstract class RestartStream extends BulkInputStream {
  private final Optional<Compression> compression;
  private long[] offsets = new long[16];
  private long[] storedOffsets = new long[16];
  private int count;

  private RestartStream(Optional<Compression> compression) {
    this.compression = compression;
  }

  /**
   * Reads a shard from its beginning.
   *
   * @param shard its name in messages
   * @param stored closed together with the result
   */
  static RestartStream open(String shard, InputStream stored) throws IOException {
    PushbackInputStream peekable = new PushbackInputStream(stored, Compression.MAGIC_LENGTH);
    byte[] start = peekable.readNBytes(Compression.MAGIC_LENGTH);
    peekable.unread(start);
    Compression compression = Compression.of(start);
    if (compression == null) {
      return new OneStream(Optional.empty(), peekable);
    }
    return switch (compression) {
      case GZIP -> new OneStream(peekable);
      case ZSTD -> new Zstd(shard, peekable);
      case XZ, BZIP2 ->
          new OneStream(
              Optional.of(compression), ShardStreams.decompress(shard, compression, peekable, 0));
    };
  }

  /** The shard's compression. */
  final Optional<Compression> compression() {
    return compression;
  }

  /** Records a restart; of several at one offset in the uncompressed shard, the first counts. */
  final void restart(long offset, long storedOffset) {
    if (count > 0 && offsets[count - 1] == offset) {
      return;
    }
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      storedOffsets = Arrays.copyOf(storedOffsets, 2 * count);
    }
    offsets[count] = offset;
    storedOffsets[count] = count == 0 ? 0 : storedOffset;
    count++;
  }

  /**
   * The restarts, after everything was read; empty if the shard is not compressed.
   *
   * @param storedLength length of the stored shard
   */
  final Optional<ShardRestarts> restarts(long storedLength) {
    return compression.map(as ->
        new ShardRestarts(
            as, storedLength, Arrays.copyOf(offsets, count), Arrays.copyOf(storedOffsets, count)));
  }

  @Override
  public abstract void close() throws IOException;

  /** A shard whose tar bytes come from one stream: plain, or decompressed as a whole. */
  private static final class OneStream extends RestartStream {
    private final InputStream plain;

    /** Reads a plain shard, or a decompressed one that can be entered only at the beginning. */
    OneStream(Optional<Compression> compression, InputStream plain) {
      super(compression);
      this.plain = plain;
      restart(0, 0);
    }

    /** Reads a gzip shard, which can be entered at each of its members. */
    OneStream(InputStream gzip) {
      super(Optional.of(Compression.GZIP));
      plain = new GzipStream(gzip, this::restart);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return plain.read(target, offset, length);
    }

    @Override
    public void close() throws IOException {
      plain.close();
    }
  }

  private static final class Zstd extends RestartStream {
    private final String shard;
    private final InputStream stored;
    private final ZstdFrames frames;
    private @Nullable InputStream frame;
    private long position;

    Zstd(String shard, InputStream stored) {
      super(Optional.of(Compression.ZSTD));
      this.shard = shard;
      this.stored = stored;
      this.frames = new ZstdFrames(stored);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      while (true) {
        if (frame == null) {
          InputStream next = frames.next();
          if (next == null) {
            return -1;
          }
          restart(position, frames.frameStart());
          frame = ShardStreams.decompress(shard, Compression.ZSTD, next, position);
        }
        int read = frame.read(target, offset, length);
        if (read >= 0) {
          position += read;
          return read;
        }
        frame.close();
        frame = null;
      }
    }

    @Override
    public void close() throws IOException {
      if (frame != null) {
        frame.close();
      }
      stored.close();
    }
  }
}
