package dev.tarn.client.internal.read;

import dev.tarn.client.internal.prefetch.BackgroundStream;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.shard.compression.ShardStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Decompresses an extent in another thread, which takes the extent's chunks instead of the reader.
 * It reads ahead by half a chunk, which counts against the budget's share for copies.
 */
final class BackgroundDecompression implements AutoCloseable {
  private final Prefetch prefetch;
  private final ExtentStream stored;
  private final int aheadBytes;
  private final BackgroundStream bytes;
  private boolean isOpen = true;

  /**
   * Starts the thread.
   *
   * @param stored the compressed bytes, closed together with this
   * @param shard its name in messages
   */
  BackgroundDecompression(Prefetch prefetch, ExtentStream stored, String shard) {
    this.prefetch = prefetch;
    this.stored = stored;
    this.aheadBytes = prefetch.chunkBytes() / 2;
    prefetch.account(aheadBytes);
    this.bytes =
        new BackgroundStream(
            work -> prefetch.start("tarn-decompress", work),
            () -> ShardStreams.open(shard, stored.asInputStream()),
            aheadBytes);
  }

  /** The uncompressed bytes. */
  InputStream bytes() {
    return bytes;
  }

  /** Ends the thread without failure: skips the rest, whether it can be decompressed or not. */
  void abandon() {
    try {
      bytes.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // Damaged bytes end the thread as well.
    } finally {
      close();
    }
  }

  /**
   * Releases the memory once, after the thread has read to the end or has failed. After an
   * interrupt of the reader the thread may still use the memory: it then stays until the prefetch
   * is closed.
   */
  @Override
  public void close() {
    if (!isOpen || !bytes.isEnded()) {
      return;
    }
    isOpen = false;
    try {
      prefetch.account(-aheadBytes);
    } finally {
      stored.close();
    }
  }
}
