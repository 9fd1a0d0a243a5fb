package dev.tarn.client.internal.prefetch;

import dev.tarn.shard.BulkInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stream that another thread opens, reads ahead within a bound, and closes. It suits streams that
 * cost CPU time, such as decompression.
 *
 * <p>A few buffers circulate: the thread fills them, the reader empties them. A failure of the
 * thread reaches the reader behind the bytes before it. After it has reported the end or a failure,
 * the thread accesses nothing any more. An interrupt ends it. One thread reads.
 */
public final class BackgroundStream extends BulkInputStream {
  private static final int PIECES = 4;

  /** Opens the stream. */
  public interface Opener {
    /** Called once, by the thread that reads the stream. */
    InputStream open() throws IOException;
  }

  /** Bytes; or the end, if empty, with the failure that caused it, if any. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Piece(byte[] bytes, int length, @Nullable Throwable failure) {}

  private static final byte[] NONE = new byte[0];

  private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(PIECES);
  // One more than circulate, so that there is always room for the end.
  private final BlockingQueue<Piece> filled = new ArrayBlockingQueue<>(PIECES + 1);
  private final Opener opening;
  private Piece piece = new Piece(NONE, 0, null);
  private int position;
  private boolean ended;

  /**
   * Starts to read.
   *
   * @param executor runs the reading in another thread
   * @param aheadBytes bound of what is read ahead
   */
  public BackgroundStream(Executor executor, Opener opening, int aheadBytes) {
    this.opening = opening;
    for (int i = 0; i < PIECES; i++) {
      empty.add(new byte[Math.max(1, aheadBytes / PIECES)]);
    }
    executor.execute(this::readAhead);
  }

  private void readAhead() {
    @Nullable Throwable failure = null;
    try (InputStream stream = opening.open()) {
      byte[] bytes = empty.take();
      for (int length; (length = stream.read(bytes)) >= 0; bytes = empty.take()) {
        filled.add(new Piece(bytes, length, null));
      }
    } catch (InterruptedException e) {
      failure = new InterruptedIOException("interrupted while reading ahead");
    } catch (Throwable e) {
      // Every failure, out of memory too, must reach the waiting reader.
      failure = e;
    }
    filled.add(new Piece(NONE, 0, failure));
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == piece.length() && !advance()) {
      return -1;
    }
    int count = Math.min(length, piece.length() - position);
    System.arraycopy(piece.bytes(), position, target, offset, count);
    position += count;
    return count;
  }

  /** Whether the reader has received the end or a failure: the thread accesses nothing any more. */
  public boolean isEnded() {
    return ended;
  }

  /** Moves to the next buffer; false at the end. */
  private boolean advance() throws IOException {
    if (ended) {
      return false;
    }
    try {
      if (piece.length() > 0) {
        empty.put(piece.bytes());
      }
      piece = filled.take();
    } catch (InterruptedException e) {
      throw Threads.interrupted(e);
    }
    position = 0;
    ended = piece.length() == 0;
    Threads.rethrow(piece.failure());
    return !ended;
  }
}
