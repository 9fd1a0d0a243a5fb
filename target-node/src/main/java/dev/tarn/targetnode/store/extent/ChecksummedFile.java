package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The bytes of an extent or unit while they are written, and their checksums. One thread. */
final class ChecksummedFile {
  private final DiskFile file;
  private final CRC32C blockCrc = new CRC32C();
  private int[] blockCrcs = new int[16];
  private int blocks;
  private int block;
  private int inBlock;
  private long position;
  private long length;

  ChecksummedFile(DiskFile file) {
    this.file = file;
  }

  /** The number of bytes written. */
  long length() {
    return length;
  }

  /** The next bytes are those from this offset on, with which a block begins. */
  void continueAt(long offset) {
    if (offset % ExtentFooter.BLOCK_BYTES != 0) {
      throw new IllegalArgumentException(
          "offset is " + offset + ", must be a multiple of " + ExtentFooter.BLOCK_BYTES);
    }
    if (inBlock > 0) {
      endBlock();
    }
    block = (int) (offset / ExtentFooter.BLOCK_BYTES);
    position = offset;
  }

  /** Writes the next bytes; blocks. */
  void write(ByteBuffer source) throws IOException {
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
    file.write(source, ExtentFooter.DATA_OFFSET + position);
    position += count;
    length += count;
  }

  /** Writes the checksums behind the bytes; blocks. */
  ExtentFooter finish() throws IOException {
    if (inBlock > 0) {
      endBlock();
    }
    ExtentFooter footer = ExtentFooter.of(length, Arrays.copyOf(blockCrcs, blocks));
    file.write(footer.encode(), ExtentFooter.DATA_OFFSET + length);
    return footer;
  }

  private void endBlock() {
    if (block >= blockCrcs.length) {
      blockCrcs = Arrays.copyOf(blockCrcs, block * 2);
    }
    blockCrcs[block++] = (int) blockCrc.getValue();
    blocks = Math.max(blocks, block);
    blockCrc.reset();
    inBlock = 0;
  }
}
