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

/**
 * Reads pieces in order, a buffer at a time; blocks. It holds one buffer and the files of all the
 * pieces, so that a delete meanwhile takes nothing away. For one thread at a time.
 */
public final class PieceSource implements AutoCloseable {
  private static final int STEP_BYTES = 256 << 10;

  private final Deque<Open> pieces = new ArrayDeque<>();
  private final DirectBuffers buffers;
  private final ByteBuffer buffer;
  private long done;

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

  private PieceSource(DirectBuffers buffers, boolean verify) {
    this.buffers = buffers;
    this.buffer = buffers.take(verify ? VerifiedExtent.BLOCK_BYTES : STEP_BYTES);
  }

  /**
   * Opens the files of all pieces, none of which is inline.
   *
   * @param verify whether to give out only what its checksum confirms
   */
  public static PieceSource open(
      DiskStore store, List<Piece> pieces, boolean verify, DirectBuffers buffers)
      throws IOException {
    PieceSource source = new PieceSource(buffers, verify);
    try {
      for (Piece piece : pieces) {
        source.pieces.add(source.open(store.extents(), piece, verify));
      }
      return source;
    } catch (IOException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private Open open(Extents extents, Piece piece, boolean verify) throws IOException {
    if (!(piece instanceof Piece.ExtentRange range)) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED, "a piece has no bytes here: " + piece);
    }
    return verify
        ? new Open.Verified(range, extents.openVerified(range.extent()))
        : new Open.Plain(range, extents.hold(range.extent()));
  }

  /** The next bytes, valid until the next call; none at the end. */
  public ByteBuffer next() throws IOException {
    Open open = pieces.peek();
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
        verified.extent().readBlock((int) (at / VerifiedExtent.BLOCK_BYTES), buffer);
        buffer.position((int) (at % VerifiedExtent.BLOCK_BYTES));
        buffer.limit((int) Math.min(buffer.limit(), buffer.position() + rest));
      }
    }
    done += buffer.remaining();
    if (done == open.range().length()) {
      pieces.remove();
      open.release();
      done = 0;
    }
    return buffer;
  }

  @Override
  public void close() {
    pieces.forEach(Open::release);
    pieces.clear();
    buffers.giveBack(buffer);
  }
}
