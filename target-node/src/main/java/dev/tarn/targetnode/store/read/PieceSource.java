package dev.tarn.targetnode.store.read;

import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.extent.VerifiedExtent;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.transport.body.DirectBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads slices in order, one buffer at a time; blocks. It holds one buffer, the file of one extent,
 * and the files of all units. The other extents are pinned, so that a delete does not remove them.
 * For one thread at a time.
 */
public final class PieceSource implements AutoCloseable {
  private static final int STEP_BYTES = 256 << 10;

  private final DiskStore store;
  private final boolean verify;
  private final DirectBuffers buffers;
  private final ByteBuffer buffer;
  private final Deque<FileSlice> extents = new ArrayDeque<>();
  private final Deque<Open> units = new ArrayDeque<>();
  private Set<Long> pinned = Set.of();
  private @Nullable Open current;
  private long done;
  private int loadedBlock = -1;
  private int loadedBytes;

  /** A slice with its file. */
  private sealed interface Open {
    FileSlice slice();

    void release();

    record Plain(FileSlice slice, OpenFile file) implements Open {
      @Override
      public void release() {
        file.release();
      }
    }

    record Verified(FileSlice slice, VerifiedExtent extent) implements Open {
      @Override
      public void release() {
        extent.close();
      }
    }
  }

  private PieceSource(DiskStore store, boolean verify, DirectBuffers buffers) {
    this.store = store;
    this.verify = verify;
    this.buffers = buffers;
    this.buffer = buffers.take(verify ? VerifiedExtent.BLOCK_BYTES : STEP_BYTES);
  }

  /**
   * Opens the files of the first extent and of all units, and pins the other extents.
   *
   * @param slices all of extents, or all of units; of units at most {@link FileRanges#FILES_MAX},
   *     because their files stay open
   * @param verify whether to verify the checksum of each block before returning its bytes
   */
  public static PieceSource open(
      DiskStore store, List<FileSlice> slices, boolean verify, DirectBuffers buffers)
      throws IOException {
    PieceSource source = new PieceSource(store, verify, buffers);
    boolean done = false;
    try {
      source.pin(slices);
      for (FileSlice slice : slices) {
        switch (slice) {
          case FileSlice.OfExtent extent -> source.extents.add(extent);
          case FileSlice.OfUnit unit -> source.units.add(source.open(unit));
        }
      }
      source.openNext();
      done = true;
      return source;
    } finally {
      if (!done) {
        source.close();
      }
    }
  }

  private void pin(List<FileSlice> slices) throws IOException {
    Set<Long> later = new HashSet<>();
    for (int i = 1; i < slices.size(); i++) {
      if (slices.get(i) instanceof FileSlice.OfExtent(Piece.ExtentRange range)) {
        later.add(range.extent());
      }
    }
    store.extents().pin(later);
    pinned = later;
  }

  private void openNext() throws IOException {
    FileSlice extent = extents.poll();
    current = extent == null ? units.poll() : open(extent);
    done = 0;
    loadedBlock = -1;
  }

  private Open open(FileSlice slice) throws IOException {
    if (!verify) {
      return new Open.Plain(slice, hold(store, slice));
    }
    return new Open.Verified(
        slice,
        switch (slice) {
          case FileSlice.OfExtent(Piece.ExtentRange range) ->
              store.extents().openVerified(range.extent(), range.tableCrc());
          case FileSlice.OfUnit ofUnit -> store.units().openVerified(ofUnit.unit());
        });
  }

  /** A slice's file; the caller releases it. Blocks. */
  static OpenFile hold(DiskStore store, FileSlice slice) throws IOException {
    return switch (slice) {
      case FileSlice.OfExtent(Piece.ExtentRange range) -> store.extents().hold(range.extent());
      case FileSlice.OfUnit ofUnit -> store.units().hold(ofUnit.unit());
    };
  }

  /** The next bytes, at most 256 KiB, valid until the next call; empty at the end. */
  public ByteBuffer next() throws IOException {
    while (current != null && done == current.slice().length()) {
      current.release();
      current = null;
      openNext();
    }
    Open open = current;
    if (open == null) {
      return buffer.clear().limit(0);
    }
    long at = open.slice().offset() + done;
    long rest = open.slice().length() - done;
    switch (open) {
      case Open.Plain plain -> {
        buffer.clear().limit((int) Math.min(STEP_BYTES, rest));
        plain.file().file().read(buffer, Extents.DATA_OFFSET + at);
        buffer.flip();
      }
      case Open.Verified verified -> {
        int block = (int) (at / VerifiedExtent.BLOCK_BYTES);
        if (block != loadedBlock) {
          verified.extent().readBlock(block, buffer);
          loadedBlock = block;
          loadedBytes = buffer.limit();
        }
        int from = (int) (at % VerifiedExtent.BLOCK_BYTES);
        long end = from + Math.min(STEP_BYTES, rest);
        buffer.limit((int) Math.min(loadedBytes, end)).position(from);
      }
    }
    done += buffer.remaining();
    return buffer;
  }

  @Override
  public void close() {
    Open open = current;
    current = null;
    if (open != null) {
      open.release();
    }
    extents.clear();
    units.forEach(Open::release);
    units.clear();
    store.extents().unpin(pinned);
    pinned = Set.of();
    buffers.giveBack(buffer);
  }
}
