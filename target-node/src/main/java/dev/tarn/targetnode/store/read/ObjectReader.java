package dev.tarn.targetnode.store.read;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.extent.SparseUnits;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.transport.body.DirectBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the body of an answer from an object's pieces.
 *
 * <p>Bytes of the log are read whole into a pooled buffer and verified. A short range of an extent
 * is also read into a pooled buffer, because one write then carries head and body. The kernel sends
 * a long range from the files of extents or units, without copying the bytes through this process.
 * Ranges that must be verified, and ranges in very many files, become streams.
 */
public final class ObjectReader {
  /** Ranges of an extent up to this length are copied; the kernel sends longer ones. */
  public static final int COPIED_BYTES_MAX = 128 << 10;

  private final DirectBuffers buffers;
  private final Executor workers;
  private final FileRanges files = new FileRanges();

  /** A reader that runs streams on these workers. */
  public ObjectReader(DirectBuffers buffers, Executor workers) {
    this.buffers = buffers;
    this.workers = workers;
  }

  /** The pool that bodies are read into. */
  public DirectBuffers buffers() {
    return buffers;
  }

  /** Whether the kernel may send a body from so many files now. */
  public boolean maySendFrom(int count) {
    return files.mayHold(count);
  }

  /** The body, if it can be made without waiting for the device; null if not. */
  public @Nullable OutgoingBody readNow(
      DiskStore store,
      ObjectRecord object,
      RecordLocation at,
      long offset,
      long length,
      boolean verify)
      throws IOException {
    if (length == 0) {
      return empty();
    }
    if (object.isInline()) {
      ByteBuffer buffer = buffers.take(at.payloadLength());
      try {
        if (store.log().readPayloadNow(at, buffer)) {
          return bytes(buffer, offset, length);
        }
      } catch (IOException | RuntimeException e) {
        buffers.giveBack(buffer);
        throw e;
      }
      buffers.giveBack(buffer);
      return null;
    }
    if (verify) {
      return null;
    }
    List<FileSlice> slices = FileSlice.of(object, offset, length);
    if (length > COPIED_BYTES_MAX) {
      return files.of(slices, slice -> holdNow(store, slice), store.health()::noteTransfer);
    }
    if (slices.size() != 1) {
      return null;
    }
    FileSlice slice = slices.getFirst();
    OpenFile open = holdNow(store, slice);
    if (open == null) {
      return slice instanceof FileSlice.OfUnit ofUnit ? pagesNow(store, ofUnit) : null;
    }
    try {
      return copiedNow(
          (int) slice.length(),
          buffer -> open.file().readNow(buffer, Extents.DATA_OFFSET + slice.offset()));
    } finally {
      open.release();
    }
  }

  /** A range of a unit of which some pages are here. */
  private @Nullable OutgoingBody pagesNow(DiskStore store, FileSlice.OfUnit slice)
      throws IOException {
    SparseUnits units = store.units().sparse();
    return units.hasNow(slice.unit(), slice.offset(), slice.length())
        ? copiedNow(
            (int) slice.length(), buffer -> units.readNow(slice.unit(), buffer, slice.offset()))
        : null;
  }

  private static @Nullable OpenFile holdNow(DiskStore store, FileSlice slice) {
    return switch (slice) {
      case FileSlice.OfExtent(Piece.ExtentRange range) -> store.extents().holdNow(range.extent());
      case FileSlice.OfUnit ofUnit -> store.units().holdNow(ofUnit.unit());
    };
  }

  /** Fills a buffer; false if it cannot. */
  private interface Filling {
    boolean fill(ByteBuffer buffer) throws IOException;
  }

  private @Nullable OutgoingBody copiedNow(int length, Filling filling) throws IOException {
    ByteBuffer buffer = buffers.take(length);
    boolean read = false;
    try {
      buffer.limit(length);
      read = filling.fill(buffer);
    } finally {
      if (!read) {
        buffers.giveBack(buffer);
      }
    }
    return read ? bytes(buffer.flip(), 0, length) : null;
  }

  /** The body; blocks. */
  public OutgoingBody read(
      DiskStore store,
      ObjectRecord object,
      RecordLocation at,
      long offset,
      long length,
      boolean verify)
      throws IOException {
    if (length == 0) {
      return empty();
    }
    if (object.isInline()) {
      ByteBuffer buffer = buffers.take(at.payloadLength());
      try {
        store.log().readPayload(at, buffer);
        return bytes(buffer, offset, length);
      } catch (IOException | RuntimeException e) {
        buffers.giveBack(buffer);
        throw e;
      }
    }
    List<FileSlice> slices = FileSlice.of(object, offset, length);
    if (!verify && length > COPIED_BYTES_MAX) {
      OutgoingBody sent =
          files.of(slices, slice -> PieceSource.hold(store, slice), store.health()::noteTransfer);
      if (sent != null) {
        return sent;
      }
      if (object.isInUnits() && slices.size() > FileRanges.FEW_FILES) {
        throw new NoSuchFileException(
            object.metadata().name().toString(),
            null,
            "a stream would have as many files open: the backend has the bytes, too");
      }
    }
    if (!verify
        && slices.size() == 1
        && slices.getFirst() instanceof FileSlice.OfUnit slice
        && length <= COPIED_BYTES_MAX) {
      OutgoingBody pages = copiedNow((int) length, buffer -> isReadFromPages(store, slice, buffer));
      if (pages != null) {
        return pages;
      }
    }
    PieceSource source = PieceSource.open(store, slices, verify, buffers);
    return length <= COPIED_BYTES_MAX
        ? copied(source, (int) length)
        : PieceStream.body(object.metadata().name(), source, length, workers, store.health());
  }

  private static boolean isReadFromPages(DiskStore store, FileSlice.OfUnit slice, ByteBuffer buffer)
      throws IOException {
    boolean isRead =
        store.units().sparse().read(slice.unit(), buffer, slice.offset(), false).isEmpty();
    buffer.position(buffer.limit());
    return isRead;
  }

  private OutgoingBody copied(PieceSource source, int length) throws IOException {
    ByteBuffer buffer = buffers.take(length);
    try (source) {
      while (buffer.position() < length) {
        buffer.put(source.next());
      }
    } catch (IOException | RuntimeException e) {
      buffers.giveBack(buffer);
      throw e;
    }
    return bytes(buffer.flip(), 0, length);
  }

  private OutgoingBody bytes(ByteBuffer buffer, long offset, long length) {
    ByteBuffer view = buffer.duplicate();
    int start = view.position() + (int) offset;
    view.limit(start + (int) length).position(start);
    return new OutgoingBody.Bytes(view, OutgoingBody.once(() -> buffers.giveBack(buffer)));
  }

  private static OutgoingBody empty() {
    return new OutgoingBody.Bytes(ByteBuffer.allocate(0), () -> {});
  }
}
