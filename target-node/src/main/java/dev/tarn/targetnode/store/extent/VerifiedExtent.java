package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads an extent or a unit block by block and verifies each block's checksum. */
public final class VerifiedExtent implements AutoCloseable {
  /** The size of every block but the last, in bytes. */
  public static final int BLOCK_BYTES = ExtentFooter.BLOCK_BYTES;

  private final OpenFile open;
  private final String name;
  private final ExtentFooter footer;

  private VerifiedExtent(OpenFile open, String name, ExtentFooter footer) {
    this.open = open;
    this.name = name;
    this.footer = footer;
  }

  static VerifiedExtent open(OpenFile open, String name, String magic, int tableCrc)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocateDirect(FormatHeader.LENGTH);
    if (open.file().length() < ExtentFooter.DATA_OFFSET) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED, name + " is shorter than its header");
    }
    open.file().read(header, 0);
    FormatHeader.decode(header, magic, name);
    ExtentFooter footer = ExtentFooter.read(open.file(), name);
    if (footer.tableCrc() != tableCrc) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          name
              + " has a checksum table of CRC32C "
              + Integer.toHexString(footer.tableCrc())
              + ", its record names "
              + Integer.toHexString(tableCrc));
    }
    return new VerifiedExtent(open, name, footer);
  }

  /** A unit, whose header has been read. */
  static VerifiedExtent ofUnit(OpenFile open, String name) throws IOException {
    return new VerifiedExtent(open, name, ExtentFooter.read(open.file(), name));
  }

  /** The number of bytes that the extent holds. */
  public long length() {
    return footer.lengthBytes();
  }

  /** The number of blocks. */
  public int blocks() {
    return footer.blockCrcs().length;
  }

  /**
   * Reads a whole block and verifies it.
   *
   * @param block counted from 0
   * @param destination has room for {@link #BLOCK_BYTES}; filled and flipped
   */
  public void readBlock(int block, ByteBuffer destination) throws IOException {
    if (block >= footer.blockCrcs().length) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED, name + " has no block " + block);
    }
    destination.clear().limit(footer.blockLength(block));
    open.file().read(destination, ExtentFooter.DATA_OFFSET + (long) block * BLOCK_BYTES);
    destination.flip();
    CRC32C crc = new CRC32C();
    crc.update(destination.duplicate());
    if ((int) crc.getValue() != footer.blockCrcs()[block]) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          name + " has a block whose checksum does not hold: " + block);
    }
  }

  @Override
  public void close() {
    open.release();
  }
}
