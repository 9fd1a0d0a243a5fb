package dev.tarn.targetnode.store.read;

import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.extent.VerifiedExtent;
import dev.tarn.targetnode.store.memory.DirectBuffers;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads pieces in order, one buffer at a time; blocks. It holds one buffer and the file of one
 * piece. The other pieces' extents are pinned, so that a delete does not remove them. For one
 * thread at a time.
 */
public final class PieceSource implements AutoCloseable {
  private static final int STEP_BYTES = 256 << 10;

  private final Extents extents;
  private final Deque<Piece> pieces;
  private final boolean verify;
  private final DirectBuffers buffers;
  private final ByteBuffer buffer;
  private Set<Long> pinned = Set.of();
  private @Nullable Open current;
  private long done;
  private int loadedBlock = -1;
  private int loadedBytes;

  /** A piece with its file. */
  private sealed interface Open {
    Piece.ExtentRange range();

    void release();

    record Plain(Piece.ExtentRange range, OpenFile file) implements Open {
      @Override
      public void release() {
        file.release();
      }
    }

    record Verified(Piece.ExtentRange range, VerifiedExtent extent) implements Open {
      @Override
      public void release() {
        extent.close();
      }
    }
  }

  private PieceSource(Extents extents, List<Piece> pieces, boolean verify, DirectBuffers buffers) {
    this.extents = extents;
    this.pieces = new ArrayDeque<>(pieces);
    this.verify = verify;
    this.buffers = buffers;
    this.buffer = buffers.take(verify ? VerifiedExtent.BLOCK_BYTES : STEP_BYTES);
  }

  /**
   * Opens the first piece's file and pins the extents of the others; no piece may be inline.
   *
   * @param verify whether to verify the checksum of each block before returning its bytes
   */
  public static PieceSource open(
      DiskStore store, List<Piece> pieces, boolean verify, DirectBuffers buffers)
      throws IOException {
    PieceSource source = new PieceSource(store.extents(), pieces, verify, buffers);
    boolean done = false;
    try {
      if (pieces.size() > 1) {
        source.pin(Piece.extents(pieces.subList(1, pieces.size())));
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

  private void pin(Set<Long> ids) throws IOException {
    extents.pin(ids);
    pinned = ids;
  }

  private void openNext() throws IOException {
    Piece piece = pieces.poll();
    current = piece == null ? null : open(piece);
    done = 0;
    loadedBlock = -1;
  }

  private Open open(Piece piece) throws IOException {
    if (!(piece instanceof Piece.ExtentRange range)) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED, "a piece has no bytes here: " + piece);
    }
    return verify
        ? new Open.Verified(range, extents.openVerified(range.extent(), range.tableCrc()))
        : new Open.Plain(range, extents.hold(range.extent()));
  }

  /** The next bytes, at most 256 KiB, valid until the next call; empty at the end. */
  public ByteBuffer next() throws IOException {
    while (current != null && done == current.range().length()) {
      current.release();
      current = null;
      openNext();
    }
    Open open = current;
    if (open == null) {
      return buffer.clear().limit(0);
    }
    long at = open.range().offset() + done;
    long rest = open.range().length() - done;
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
    pieces.clear();
    if (open != null) {
      open.release();
    }
    extents.unpin(pinned);
    buffers.giveBack(buffer);
  }
}
