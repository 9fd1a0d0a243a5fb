package dev.tarn.shard.compression;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** Opens shards of all compressions. */
public final class ShardStreams {
  private ShardStreams() {}

  /**
   * Opens the shard's tar bytes.
   *
   * @param shard its name in messages
   * @param stream the stored bytes; closed with the result
   * @throws ShardFormatException if the decompressor rejects the stream
   */
  public static InputStream open(String shard, InputStream stream) throws IOException {
    requireNonNull(shard, "shard is null");
    PushbackInputStream peekable = new PushbackInputStream(stream, Compression.MAGIC_LENGTH);
    byte[] start = peekable.readNBytes(Compression.MAGIC_LENGTH);
    peekable.unread(start);
    Compression compression = Compression.of(start);
    if (compression == null) {
      return peekable;
    }
    return decompress(shard, compression, peekable, 0);
  }

  /**
   * Opens the tar bytes of a shard, or of a part of one, whose compression is known.
   *
   * @param shard its name in messages
   * @param stream the stored bytes from a restart or from the beginning; closed with the result
   * @param offset where the stream begins in the uncompressed shard, for messages
   * @throws ShardFormatException if the decompressor rejects the stream
   */
  public static InputStream decompress(
      String shard, Compression compression, InputStream stream, long offset) throws IOException {
    return DecompressedStream.open(shard, offset, stream, compression);
  }
}
