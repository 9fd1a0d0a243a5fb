package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An extent while it is written. One thread at a time. Its owner either commits a record that names
 * it and then calls {@link #committed}, or calls {@link #abandon}.
 */
public final class ExtentWriter {
  private final Extents extents;
  private final long id;
  private final DiskFile file;
  private final CRC32C blockCrc = new CRC32C();
  private int[] blockCrcs = new int[16];
  private int blocks;
  private int inBlock;
  private long length;
  private @Nullable ExtentFooter footer;
  private boolean open = true;

  ExtentWriter(Extents extents, long id, DiskFile file) {
    this.extents = extents;
    this.id = id;
    this.file = file;
  }

  /** The extent's id. */
  public long id() {
    return id;
  }

  /** The number of bytes written. */
  public long length() {
    return length;
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
    ByteBuffer rest = source.duplicate();
    while (rest.hasRemaining()) {
      int step = Math.min(rest.remaining(), ExtentFooter.BLOCK_BYTES - inBlock);
      blockCrc.update(rest.duplicate().limit(rest.position() + step));
      rest.position(rest.position() + step);
      inBlock += step;
      if (inBlock == ExtentFooter.BLOCK_BYTES) {
        endBlock();
      }
    }
    int count = source.remaining();
    file.write(source, ExtentFooter.DATA_OFFSET + length);
    length += count;
  }

  /**
   * Finishes the extent; blocks.
   *
   * @param durable whether the file and its name must be on the device when this returns
   */
  public void finish(boolean durable) throws IOException {
    if (inBlock > 0) {
      endBlock();
    }
    ExtentFooter whole = ExtentFooter.of(length, Arrays.copyOf(blockCrcs, blocks));
    file.write(whole.encode(), ExtentFooter.DATA_OFFSET + length);
    footer = whole;
    if (durable) {
      file.sync();
      extents.syncDirectoryOf(id);
    } else {
      extents.leftUnsynced(id, length);
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

  private void endBlock() {
    if (blocks == blockCrcs.length) {
      blockCrcs = Arrays.copyOf(blockCrcs, blocks * 2);
    }
    blockCrcs[blocks++] = (int) blockCrc.getValue();
    blockCrc.reset();
    inBlock = 0;
  }
}
