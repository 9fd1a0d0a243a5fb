package dev.tarn.shard.compression;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.BulkInputStream;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Decompressed bytes. Adds the shard and the offset to errors of the decompressor; errors of the
 * storage are not changed.
 */
public final class DecompressedStream extends BulkInputStream {
  private final String shard;
  private final SourceStream stored;
  private final InputStream plain;
  private long position;

  /**
   * @param shard its name in messages
   * @param offset of the stream in the uncompressed shard
   * @param stored the compressed bytes
   * @param plain decompresses {@code stored}; closed with this stream
   */
  public DecompressedStream(String shard, long offset, SourceStream stored, InputStream plain) {
    this.shard = requireNonNull(shard, "shard is null");
    this.stored = requireNonNull(stored, "stored is null");
    this.plain = requireNonNull(plain, "plain is null");
    this.position = offset;
  }

  /** Opens a stream; its decompressor may read immediately. */
  static InputStream open(String shard, long offset, InputStream stream, Compression compression)
      throws IOException {
    SourceStream stored = new SourceStream(stream);
    try {
      return new DecompressedStream(shard, offset, stored, Decompressors.open(compression, stored));
    } catch (IOException e) {
      throw naming(shard, offset, stored, e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    try {
      int read = plain.read(target, offset, length);
      position += Math.max(0, read);
      return read;
    } catch (IOException e) {
      throw naming(shard, position, stored, e);
    }
  }

  private static IOException naming(
      String shard, long position, SourceStream stored, IOException failure) {
    if (stored.hasFailed() || failure instanceof ShardFormatException) {
      return failure;
    }
    ShardFormatException named =
        new ShardFormatException(
            shard, position, "the archive cannot be decompressed: " + failure.getMessage());
    named.initCause(failure);
    return named;
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }
}
