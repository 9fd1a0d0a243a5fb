package dev.tarn.client;

import dev.tarn.client.internal.decompress.Decompressors;
import dev.tarn.client.internal.prefetch.BackgroundStream;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.shard.compression.ShardStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A tape's bytes decompressed by another thread, which takes the tape's chunks in the reader's
 * place. It reads ahead by half a part, of the share of the budget that is set aside for copies.
 */
final class DecompressedTape implements AutoCloseable {
  private final Prefetch prefetch;
  private final int aheadBytes;
  private final InputStream stream;

  /**
   * @param shard its name in messages
   */
  DecompressedTape(Prefetch prefetch, ShardTape tape, String shard) {
    this.prefetch = prefetch;
    this.aheadBytes = prefetch.chunkBytes() / 2;
    prefetch.account(aheadBytes);
    this.stream =
        new BackgroundStream(
            work -> prefetch.start("tarn-decompress", work),
            () -> new ShardStreams(Decompressors.ALL).open(shard, tape.stream()),
            aheadBytes);
  }

  /** The uncompressed bytes. */
  InputStream stream() {
    return stream;
  }

  /** Ends the other thread, wherever it is: it takes what is left of the tape, and so ends. */
  void abandon() {
    try {
      stream.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // What is damaged ends it just as well.
    }
    prefetch.account(-aheadBytes);
  }

  @Override
  public void close() throws IOException {
    stream.close();
    prefetch.account(-aheadBytes);
  }
}
