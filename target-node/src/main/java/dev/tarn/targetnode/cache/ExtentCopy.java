package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache's copy of a body that is written through to the backend. If the copy fails, the write
 * continues without it.
 */
final class ExtentCopy implements BodyInputStream.Copy, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtentCopy.class);

  private @Nullable ExtentWriter writer;

  private ExtentCopy(@Nullable ExtentWriter writer) {
    this.writer = writer;
  }

  /** Begins a copy; without room for it, the copy is empty. */
  static ExtentCopy begin(DiskStore disk, long length) {
    try {
      return new ExtentCopy(disk.hasRoomFor(length) ? disk.createExtent() : null);
    } catch (IOException e) {
      return failed(e);
    }
  }

  private static ExtentCopy failed(IOException e) {
    LOG.warn(
        "Write to a backend could not be cached: {}; it continues without the cache",
        e.getMessage());
    return new ExtentCopy(null);
  }

  @Override
  public void write(ByteBuffer chunk) {
    ExtentWriter open = writer;
    if (open == null) {
      return;
    }
    try {
      open.write(chunk);
    } catch (IOException e) {
      close();
      failed(e);
    }
  }

  /**
   * Finishes the copy.
   *
   * @return the extent; null if there is no copy
   */
  @Nullable ExtentWriter finish() {
    ExtentWriter whole = writer;
    if (whole == null) {
      return null;
    }
    try {
      whole.finish(false);
      writer = null;
      return whole;
    } catch (IOException e) {
      close();
      failed(e);
      return null;
    }
  }

  /** Removes an unfinished copy. */
  @Override
  public void close() {
    if (writer != null) {
      writer.abandon();
      writer = null;
    }
  }
}
