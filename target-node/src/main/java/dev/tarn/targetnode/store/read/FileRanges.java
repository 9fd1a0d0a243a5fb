package dev.tarn.targetnode.store.read;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a body of file ranges, one for each piece, for the kernel to send. All files stay open
 * until the body is closed, so their number is bounded. An object with more pieces goes through a
 * stream.
 */
final class FileRanges {
  static final int FILES_MAX = 64;

  private FileRanges() {}

  /** Returns an extent's file, held; null if that would wait. */
  @FunctionalInterface
  interface Holding {
    @Nullable OpenFile hold(long extent) throws IOException;
  }

  /**
   * The body; null if there are too many pieces, or if a piece is not an extent, has no channel, or
   * would have to wait.
   *
   * @param failed receives the reason if a send ended early
   */
  static @Nullable OutgoingBody of(
      List<Piece> pieces, Holding holding, Consumer<IOException> failed) throws IOException {
    if (pieces.size() > FILES_MAX) {
      return null;
    }
    List<OutgoingBody.FileRange> ranges = new ArrayList<>(pieces.size());
    boolean whole = false;
    try {
      for (Piece piece : pieces) {
        OutgoingBody.FileRange range =
            piece instanceof Piece.ExtentRange extent ? of(extent, holding, failed) : null;
        if (range == null) {
          return null;
        }
        ranges.add(range);
      }
      whole = true;
      return ranges.size() == 1 ? ranges.getFirst() : new OutgoingBody.FileRanges(ranges);
    } finally {
      if (!whole) {
        ranges.forEach(OutgoingBody.FileRange::close);
      }
    }
  }

  private static OutgoingBody.@Nullable FileRange of(
      Piece.ExtentRange range, Holding holding, Consumer<IOException> failed) throws IOException {
    OpenFile open = holding.hold(range.extent());
    if (open == null) {
      return null;
    }
    OutgoingBody.FileRange body = null;
    try {
      Optional<FileChannel> channel = open.file().channel();
      if (channel.isPresent()) {
        body = of(open, channel.orElseThrow(), range, failed);
      }
      return body;
    } finally {
      if (body == null) {
        open.release();
      }
    }
  }

  private static OutgoingBody.FileRange of(
      OpenFile open, FileChannel channel, Piece.ExtentRange range, Consumer<IOException> failed)
      throws IOException {
    long end = Extents.DATA_OFFSET + range.offset() + range.length();
    if (open.file().length() < end) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          Extents.path(range.extent()) + " is shorter than the record that names it says");
    }
    return new OutgoingBody.FileRange(
        channel, end - range.length(), range.length(), ObjectReader.once(open::release), failed);
  }
}
