package dev.tarn.benchmarks.yardstick;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Appends records to one file and returns when they are on the device. Writers that wait at the
 * same time share an fdatasync: the first writer syncs the records of all of them.
 */
public final class GroupCommitAppender implements AutoCloseable {
  private final FileChannel file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition synced = lock.newCondition();
  private long writtenBytes;
  private long durableBytes;
  private boolean leading;

  public GroupCommitAppender(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Appends the buffer's remaining bytes. The buffer's position does not change. */
  public void append(ByteBuffer entry) throws IOException {
    lock.lock();
    try {
      ByteBuffer remaining = entry.duplicate();
      while (remaining.hasRemaining()) {
        writtenBytes += file.write(remaining, writtenBytes);
      }
      awaitDurable(writtenBytes);
    } finally {
      lock.unlock();
    }
  }

  private void awaitDurable(long end) throws IOException {
    while (durableBytes < end) {
      if (leading) {
        synced.awaitUninterruptibly();
      } else {
        lead();
      }
    }
  }

  private void lead() throws IOException {
    long end = writtenBytes;
    leading = true;
    lock.unlock();
    try {
      file.force(false);
    } finally {
      lock.lock();
      leading = false;
      synced.signalAll();
    }
    durableBytes = end;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
