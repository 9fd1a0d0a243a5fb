package dev.tarn.client.internal.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an object's bytes as they are read, if there is room: cuts them into pieces, and records
 * each when its last byte is written. One thread writes.
 */
final class PieceWriter implements Closeable {
  private final DiskCache cache;
  private final KeptObject object;
  private final CRC32C crc = new CRC32C();
  private @Nullable FileChannel data;
  private @Nullable FileChannel journal;

  /** Begin and end of the current piece, of which nothing is kept if there is no room. */
  private long start;

  private long end;
  private long position;
  private boolean keeps;

  PieceWriter(DiskCache cache, KeptObject object) {
    this.cache = cache;
    this.object = object;
  }

  /**
   * Takes the next bytes.
   *
   * @param at their offset in the object
   * @param last end of the bytes that will follow
   */
  void write(long at, byte[] bytes, int offset, int length, long last) throws IOException {
    int done = 0;
    while (done < length) {
      if (at + done != position || position == end) {
        finish();
        begin(at + done, Math.min(CachedPiece.endMax(at + done), last));
      }
      int step = (int) Math.min(length - done, end - position);
      keep(bytes, offset + done, step);
      position += step;
      done += step;
      if (position == end) {
        finish();
      }
    }
  }

  private void begin(long from, long to) throws IOException {
    start = from;
    position = from;
    end = to;
    keeps = false;
    crc.reset();
    if (!cache.isEnded()) {
      attempt(() -> keeps = !isKept(from, to) && cache.take(object, (int) (to - from)));
    }
  }

  /** Whether this or another process has kept the bytes already. */
  private boolean isKept(long from, long to) throws IOException {
    object.lookAgain();
    return object.pieces().covers(from, to);
  }

  private void keep(byte[] bytes, int offset, int length) throws IOException {
    if (!keeps) {
      return;
    }
    crc.update(bytes, offset, length);
    attempt(() -> {
      FileChannel file = data;
      if (file == null) {
        file = object.openToWrite();
        data = file;
      }
      ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
      for (long at = position; source.hasRemaining(); ) {
        at += file.write(source, at);
      }
    });
  }

  /** Records the current piece as far as it was written. */
  private void finish() throws IOException {
    if (!keeps) {
      return;
    }
    attempt(this::recordPiece);
    drop();
  }

  /** CachedPieces that several processes write at the same time are recorded once. */
  private void recordPiece() throws IOException {
    if (position == start || isKept(start, position)) {
      return;
    }
    FileChannel file = journal;
    if (file == null) {
      file = object.openJournal();
      journal = file;
    }
    object.add(file, new CachedPiece(start, (int) (position - start), (int) crc.getValue()));
    keeps = false;
    cache.end(end - start, end - position);
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Runs a step; its failure ends the keeping, unless the reader was interrupted. */
  private void attempt(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException e) {
      drop();
      cache.failed(e);
    }
  }

  private void drop() throws IOException {
    if (keeps) {
      keeps = false;
      cache.end(end - start, end - start);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      finish();
    } finally {
      close(data);
      close(journal);
    }
  }

  private static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
