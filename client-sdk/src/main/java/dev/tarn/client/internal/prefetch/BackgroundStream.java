package dev.tarn.client.internal.prefetch;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stream that another thread opens, reads ahead within a bound, and closes: for what costs
 * computing, such as decompression.
 *
 * <p>A few pieces of memory go round: filled by that thread, emptied by the reader. What ends that
 * thread reaches the reader behind the bytes before it; after the end or a failure has been told
 * the thread touches nothing any more. It ends when it is interrupted. One thread reads.
 */
public final class BackgroundStream extends InputStream {
  private static final int PIECES = 4;

  /** Opens the stream that is read. */
  public interface Opening {
    /** Called once, by the thread that reads it. */
    InputStream open() throws IOException;
  }

  /** Bytes, or the end if there are none; the failure, if that is the end. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Piece(byte[] bytes, int length, @Nullable Throwable failure) {}

  private static final byte[] NONE = new byte[0];

  private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(PIECES);
  // One more than go round: there is always room for the end.
  private final BlockingQueue<Piece> filled = new ArrayBlockingQueue<>(PIECES + 1);
  private final Opening opening;
  private Piece piece = new Piece(NONE, 0, null);
  private int position;
  private boolean ended;

  /**
   * Starts reading.
   *
   * @param executor runs it on another thread
   * @param aheadBytes bound of what is read ahead
   */
  public BackgroundStream(Executor executor, Opening opening, int aheadBytes) {
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
      // Whatever ends it, out of memory too, must reach the reader that waits.
      failure = e;
    }
    filled.add(new Piece(NONE, 0, failure));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
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

  /** Moves on to the next piece; false at the end. */
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
