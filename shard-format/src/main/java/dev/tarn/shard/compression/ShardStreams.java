package dev.tarn.shard.compression;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayList;
import java.util.List;

/** Opens shards of all compressions that have a decompressor; gzip always has one. */
public final class ShardStreams {
  private final List<Decompressor> decompressors;

  /**
   * @param decompressors of the compressions other than gzip
   */
  public ShardStreams(List<Decompressor> decompressors) {
    List<Decompressor> all = new ArrayList<>(decompressors);
    all.add(new GzipDecompressor());
    this.decompressors = List.copyOf(all);
  }

  /**
   * Opens the shard's tar bytes.
   *
   * @param shard its name in messages
   * @param stream the stored bytes; closed with the result
   * @throws ShardFormatException if there is no decompressor for its compression
   */
  public InputStream open(String shard, InputStream stream) throws IOException {
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
   * @throws ShardFormatException if there is no decompressor, or if it rejects the stream
   */
  public InputStream decompress(
      String shard, Compression compression, InputStream stream, long offset) throws IOException {
    for (Decompressor decompressor : decompressors) {
      if (decompressor.compression() == compression) {
        return DecompressedStream.open(shard, offset, stream, decompressor);
      }
    }
    throw new ShardFormatException(
        shard,
        0,
        "the shard is compressed with "
            + compression.text()
            + ", for which there is no decompressor");
  }
}
