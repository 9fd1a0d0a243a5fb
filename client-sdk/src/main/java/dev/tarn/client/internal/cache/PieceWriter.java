package dev.tarn.client.internal.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is read of an object, as it comes and as far as there is room: cut into pieces, each
 * of which is told of when its last byte is written. One thread writes.
 */
final class PieceWriter implements Closeable {
  private final DiskCache cache;
  private final KeptObject object;
  private final CRC32C crc = new CRC32C();
  private @Nullable FileChannel data;
  private @Nullable FileChannel journal;

  /** Where the piece under way begins and ends; nothing of it is kept if there is no room. */
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
   * @param at where they are in the object
   * @param last where the bytes end that will come
   */
  void write(long at, byte[] bytes, int offset, int length, long last) throws IOException {
    int done = 0;
    while (done < length) {
      if (at + done != position || position == end) {
        finish();
        begin(at + done, Math.min(Piece.endMax(at + done), last));
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

  /** Whether somebody has kept it already, another process included. */
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

  /** Tells of the piece under way, as far as it came. */
  private void finish() throws IOException {
    if (!keeps) {
      return;
    }
    attempt(this::tell);
    drop();
  }

  /** What others who read it at the same time have told of counts once. */
  private void tell() throws IOException {
    if (position == start || isKept(start, position)) {
      return;
    }
    FileChannel file = journal;
    if (file == null) {
      file = object.openJournal();
      journal = file;
    }
    object.add(file, new Piece(start, (int) (position - start), (int) crc.getValue()));
    keeps = false;
    cache.end(end - start, end - position);
  }

  private interface Step {
    void run() throws IOException;
  }

  /** What fails ends the keeping, unless it was the reader who was interrupted. */
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
