package dev.tarn.targetnode;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.SparseUnits;
import dev.tarn.targetnode.store.extent.VerifiedExtent;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.Unit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every object of a disk and verifies its checksums, at a bounded rate. It walks a snapshot
 * of the index. An object that fails is skipped if it has changed since the snapshot.
 */
public final class Scrubber implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);

  private final DiskStore store;
  private final long bytesPerSecond;
  private final BooleanSupplier stop;
  private final IndexCursor cursor;
  private final ByteBuffer block = ByteBuffer.allocateDirect(VerifiedExtent.BLOCK_BYTES);
  private final long startedNanos = System.nanoTime();
  private long read;
  private ScrubReport report = ScrubReport.EMPTY;

  /**
   * Begins at the first object of a disk.
   *
   * @param bytesPerSecond the greatest rate of reads
   * @param stop ends the check of an object early if true; called before every block
   */
  public Scrubber(DiskStore store, long bytesPerSecond, BooleanSupplier stop) throws IOException {
    this.store = store;
    this.bytesPerSecond = bytesPerSecond;
    this.stop = stop;
    this.cursor = store.index().allObjects();
  }

  /** Checks the next object; blocks. Returns false if there is none. */
  public boolean next() throws IOException {
    while (cursor.next()) {
      IndexEntry entry = cursor.entry();
      if (entry.entry() instanceof LogEntry.ObjectStored stored) {
        report = report.plus(check(entry, stored.object()));
        return true;
      }
    }
    return false;
  }

  /** The result so far. */
  public ScrubReport report() {
    return report;
  }

  @Override
  public void close() {
    cursor.close();
  }

  private ScrubReport check(IndexEntry entry, ObjectRecord object) throws IOException {
    long before = read;
    try {
      verify(entry, object);
      return new ScrubReport(1, read - before, 0, List.of());
    } catch (UnreadableFormatException | EOFException | NoSuchFileException e) {
      if (hasChanged(entry, object)) {
        return new ScrubReport(1, read - before, 0, List.of());
      }
      ObjectMetadata metadata = object.metadata();
      return new ScrubReport(
          1,
          read - before,
          1,
          List.of(
              new ScrubReport.Corrupt(
                  metadata.name(),
                  metadata.version(),
                  e instanceof NoSuchFileException
                      ? "a file is missing: " + e.getMessage()
                      : String.valueOf(e.getMessage()))));
    } catch (IOException e) {
      store.health().failureOf(e); // Counts the error; the caller ends the scrub.
      throw e;
    }
  }

  private boolean hasChanged(IndexEntry entry, ObjectRecord object) throws IOException {
    IndexEntry now = store.index().find(object.metadata().name(), object.metadata().version());
    return now == null || !now.location().equals(entry.location());
  }

  private void verify(IndexEntry entry, ObjectRecord object) throws IOException {
    if (object.isInline()) {
      store
          .log()
          .readPayload(
              entry.location(), ByteBuffer.allocateDirect(entry.location().payloadLength()));
      pace(entry.location().payloadLength());
      return;
    }
    for (Piece piece : object.pieces()) {
      switch (piece) {
        case Piece.ExtentRange range -> verify(range);
        case Piece.CachedUnits cached -> verifyUnits(object);
        case Piece.Inline inline -> throw new IllegalStateException("object is inline");
      }
    }
  }

  /**
   * Verifies the units that are on the disk. A damaged one is removed: the backend has its bytes.
   */
  private void verifyUnits(ObjectRecord object) throws IOException {
    IOException damage = null;
    int count = Unit.count(object.metadata().sizeBytes());
    for (int number = 0; number < count; number++) {
      Unit unit = object.unit(number);
      SparseUnits.Verified pages = store.units().sparse().verify(unit);
      pace(pages.bytes());
      if (!pages.whole()) {
        damage =
            new UnreadableFormatException(
                UnreadableFormatException.Reason.DAMAGED, "pages of " + unit + " were damaged");
      }
      try (VerifiedExtent bytes = store.units().openVerified(unit)) {
        verify(bytes, 0, bytes.blocks() - 1);
      } catch (NoSuchFileException e) {
        LOG.trace("{} is absent", unit, e);
      } catch (UnreadableFormatException | EOFException e) {
        store.units().remove(unit);
        damage = e;
      }
    }
    if (damage != null) {
      throw damage;
    }
  }

  private void verify(Piece.ExtentRange range) throws IOException {
    try (VerifiedExtent extent = store.extents().openVerified(range.extent(), range.tableCrc())) {
      long end = range.offset() + range.length();
      if (extent.length() < end) {
        throw new UnreadableFormatException(
            UnreadableFormatException.Reason.DAMAGED,
            "an extent has " + extent.length() + " bytes, " + end + " are named");
      }
      int first = (int) (range.offset() / VerifiedExtent.BLOCK_BYTES);
      int last = (int) ((end - 1) / VerifiedExtent.BLOCK_BYTES);
      verify(extent, first, last);
    }
  }

  private void verify(VerifiedExtent extent, int firstBlock, int lastBlock) throws IOException {
    for (int index = firstBlock; index <= lastBlock && !stop.getAsBoolean(); index++) {
      extent.readBlock(index, block);
      pace(block.remaining());
    }
  }

  private void pace(int bytes) {
    read += bytes;
    long dueNanos = (long) (read * 1e9 / bytesPerSecond);
    long ahead = dueNanos - (System.nanoTime() - startedNanos);
    if (ahead > 0) {
      LockSupport.parkNanos(ahead);
    }
  }
}
