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

/** Files that are read by position, of which those used last stay open: at most so many. */
public final class FileHandles implements Closeable {
  /** The JDK reads into the heap through a buffer of the read's size, which each thread keeps. */
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
   * @param openMax how many stay open while nobody reads them
   */
  public FileHandles(int openMax) {
    this.openMax = openMax;
  }

  /** Reads until the buffer is full or the file ends, and returns how many bytes. */
  public int read(Path path, long offset, ByteBuffer target) throws IOException {
    Opened opened = acquire(path);
    try {
      return read(opened.channel, offset, target);
    } finally {
      release(opened);
    }
  }

  /** Reads from a file as {@link #read(Path, long, ByteBuffer)} does. */
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
