package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An extent while it is written. One thread at a time. Its owner either commits a record that names
 * it and then calls {@link #committed}, or calls {@link #abandon}.
 */
public final class ExtentWriter {
  private final Extents extents;
  private final long id;
  private final DiskFile file;
  private final ChecksummedFile bytes;
  private @Nullable ExtentFooter footer;
  private boolean open = true;

  ExtentWriter(Extents extents, long id, DiskFile file) {
    this.extents = extents;
    this.id = id;
    this.file = file;
    this.bytes = new ChecksummedFile(file);
  }

  /** The extent's id. */
  public long id() {
    return id;
  }

  /** The number of bytes written. */
  public long length() {
    return bytes.length();
  }

  /** The CRC32C of the checksum table of a finished extent. */
  public int tableCrc() {
    if (footer == null) {
      throw new IllegalStateException(Extents.path(id) + " is not finished");
    }
    return footer.tableCrc();
  }

  /** Appends bytes; blocks. */
  public void write(ByteBuffer source) throws IOException {
    bytes.write(source);
  }

  /**
   * Finishes the extent; blocks.
   *
   * @param durable whether the file and its name must be on the device when this returns
   */
  public void finish(boolean durable) throws IOException {
    footer = bytes.finish();
    if (durable) {
      file.sync();
      extents.syncDirectoryOf(id);
    } else {
      extents.leftUnsynced(id, bytes.length());
    }
    close();
  }

  /** A record that names the extent is in the index: from now on its references keep it. */
  public void committed() {
    extents.landed(id);
  }

  /** Removes the extent. */
  public void abandon() {
    close();
    extents.remove(id);
    extents.landed(id);
  }

  /**
   * Leaves the extent in place, because a record that names it may or may not be durable. The sweep
   * of the next start decides.
   */
  public void leaveInDoubt() {
    close();
  }

  private void close() {
    if (open) {
      open = false;
      extents.close(file, id);
    }
  }
}
