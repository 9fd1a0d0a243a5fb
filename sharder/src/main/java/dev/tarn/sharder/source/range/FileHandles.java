package dev.tarn.sharder.source.range;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Files that are read by position. The files used last stay open, up to a limit. */
public final class FileHandles implements Closeable {
  /**
   * Maximum length of one read in bytes: the JDK reads through a buffer of that length per thread.
   */
  private static final int PIECE_BYTES_MAX = 256 * 1024;

  private static final class Opened {
    private final FileChannel channel;
    private int readers;

    Opened(FileChannel channel) {
      this.channel = channel;
    }
  }

  private final int openMax;
  private final Map<Path, Opened> files = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param openMax the maximum number of open files; files that are being read are not closed
   */
  public FileHandles(int openMax) {
    this.openMax = openMax;
  }

  /** Reads until the buffer is full or the file ends; returns the number of bytes. */
  public int read(Path path, long offset, ByteBuffer target) throws IOException {
    Opened opened = acquire(path);
    try {
      return read(opened.channel, offset, target);
    } finally {
      release(opened);
    }
  }

  /** Reads from a file like {@link #read(Path, long, ByteBuffer)}. */
  public static int read(FileChannel channel, long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    int limit = target.limit();
    int count = 0;
    while (target.position() < limit && count >= 0) {
      target.limit(Math.min(limit, target.position() + PIECE_BYTES_MAX));
      count = channel.read(target, offset + target.position() - start);
      target.limit(limit);
    }
    return target.position() - start;
  }

  private synchronized Opened acquire(Path path) throws IOException {
    Opened opened = files.get(path);
    if (opened == null) {
      opened = new Opened(FileChannel.open(path, StandardOpenOption.READ));
      files.put(path, opened);
      evict();
    }
    opened.readers++;
    return opened;
  }

  private void evict() throws IOException {
    Iterator<Opened> eldest = files.values().iterator();
    while (files.size() > openMax && eldest.hasNext()) {
      Opened opened = eldest.next();
      if (opened.readers == 0 && eldest.hasNext()) {
        eldest.remove();
        opened.channel.close();
      }
    }
  }

  private synchronized void release(Opened opened) {
    opened.readers--;
  }

  @Override
  public synchronized void close() throws IOException {
    for (Opened opened : files.values()) {
      opened.channel.close();
    }
    files.clear();
  }
}
