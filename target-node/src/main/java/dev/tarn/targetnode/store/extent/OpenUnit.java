package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.Unit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open file of a unit, with what its header says. */
final class OpenUnit extends OpenFile {
  private static final Logger LOG = LoggerFactory.getLogger(OpenUnit.class);

  private final Unit unit;
  private volatile boolean trusted;

  /** A file with this header, which the disk found under this boot. */
  OpenUnit(DiskFile file, UnitHeader header, String boot) {
    super(file);
    unit = header.unit();
    trusted = header.boot().equals(boot);
  }

  boolean isOf(Unit wanted) {
    return wanted.equals(unit);
  }

  /**
   * Whether the bytes are those that were written: under the present boot, or verified under it.
   */
  boolean isTrusted() {
    return trusted;
  }

  /**
   * Verifies all bytes, unless they are trusted, and marks the file as verified under this boot;
   * blocks.
   *
   * @param block has room for {@link VerifiedExtent#BLOCK_BYTES}
   * @return false if a byte is not what was written
   */
  boolean verify(String name, String boot, ByteBuffer block) throws IOException {
    if (trusted) {
      return true;
    }
    try {
      VerifiedExtent bytes = VerifiedExtent.ofUnit(this, name);
      if (bytes.length() != unit.length()) {
        return false;
      }
      for (int index = 0; index < bytes.blocks(); index++) {
        bytes.readBlock(index, block);
      }
    } catch (UnreadableFormatException | EOFException e) {
      LOG.debug("{} does not hold what was written to it", name, e);
      return false;
    }
    trusted = true;
    mark(new UnitHeader(unit, boot), name);
    return true;
  }

  /** Without the mark, the next process verifies the bytes again. */
  private void mark(UnitHeader header, String name) {
    try {
      file().write(header.encode(), 0);
    } catch (IOException e) {
      LOG.debug("{} could not be marked as verified", name, e);
    }
  }
}
