package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A unit while it is written, under a temporary name. It is never synced. One thread at a time. Its
 * owner calls {@link #publish} when all bytes are written, or {@link #abandon}.
 */
public final class UnitWriter {
  /** A unit may be written from any multiple of this on. */
  public static final int BLOCK_BYTES = ExtentFooter.BLOCK_BYTES;

  private final Units units;
  private final String path;
  private final OpenFile file;
  private final ChecksummedFile bytes;
  private boolean whole;
  private boolean open = true;

  UnitWriter(Units units, String path, OpenFile file) {
    this.units = units;
    this.path = path;
    this.file = file;
    this.bytes = new ChecksummedFile(file.file());
  }

  /** The number of bytes written. */
  public long length() {
    return bytes.length();
  }

  /** The file, for readers that follow the writer: they must hold it themselves. */
  public OpenFile file() {
    return file;
  }

  /**
   * The next bytes are those from this offset on, a multiple of {@link #BLOCK_BYTES}. What was
   * written before ends a block, or the unit.
   */
  public void continueAt(long offset) {
    bytes.continueAt(offset);
  }

  /** Writes the next bytes; blocks. */
  public void write(ByteBuffer source) throws IOException {
    bytes.write(source);
  }

  /** Writes the checksums and closes the file, which gets its name later; blocks. */
  public void close() throws IOException {
    finish();
    release();
  }

  /**
   * Gives the file its name: from now on readers of the unit find it; blocks.
   *
   * @throws IOException if that failed; the caller must abandon the unit
   */
  public void publish(Unit unit) throws IOException {
    if (length() != unit.length()) {
      throw new IllegalStateException(unit + " has " + unit.length() + " bytes, not " + length());
    }
    finish();
    if (open) {
      units.publish(path, file.file(), unit);
      release();
    } else {
      units.publish(path, unit);
    }
  }

  /** Removes the file. Readers that hold it continue. */
  public void abandon() {
    units.discard(path);
    release();
  }

  private void finish() throws IOException {
    if (!whole) {
      bytes.finish();
      whole = true;
    }
  }

  private void release() {
    if (open) {
      open = false;
      file.release();
    }
  }
}
