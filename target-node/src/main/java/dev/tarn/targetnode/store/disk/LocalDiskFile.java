package dev.tarn.targetnode.store.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file of the real file system. */
final class LocalDiskFile implements DiskFile {
  private final Path path;
  private final FileChannel channel;
  private final Object lock = new Object();
  private volatile @Nullable NativeFile opened;
  private boolean closed;

  LocalDiskFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  @Override
  public void read(ByteBuffer destination, long position) throws IOException {
    long at = position;
    while (destination.hasRemaining()) {
      int count = channel.read(destination, at);
      if (count < 0) {
        throw new EOFException(path + " ends at " + at + ", wanted " + destination.remaining());
      }
      at += count;
    }
  }

  @Override
  public boolean readNow(ByteBuffer destination, long position) throws IOException {
    if (!destination.hasRemaining()) {
      return true;
    }
    return natively().read(destination, position);
  }

  private NativeFile natively() throws IOException {
    NativeFile known = opened;
    return known == null ? openNatively() : known;
  }

  private NativeFile openNatively() throws IOException {
    synchronized (lock) {
      NativeFile known = opened;
      if (known == null) {
        if (closed) {
          throw new IOException(path + " is closed");
        }
        known = NativeFile.open(path);
        opened = known;
      }
      return known;
    }
  }

  @Override
  public boolean punch(long position, long length) throws IOException {
    return natively().punch(position, length);
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    long at = position;
    while (source.hasRemaining()) {
      at += channel.write(source, at);
    }
  }

  @Override
  public void sync() throws IOException {
    channel.force(false);
  }

  @Override
  public void truncate(long lengthBytes) throws IOException {
    channel.truncate(lengthBytes);
  }

  @Override
  public long length() throws IOException {
    return channel.size();
  }

  @Override
  public Optional<FileChannel> channel() {
    return Optional.of(channel);
  }

  @Override
  public void close() throws IOException {
    synchronized (lock) {
      closed = true;
      NativeFile known = opened;
      if (known != null) {
        known.close();
      }
    }
    channel.close();
  }
}
