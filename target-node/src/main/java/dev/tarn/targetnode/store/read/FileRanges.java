package dev.tarn.targetnode.store.read;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a body of file ranges, one for each slice, for the kernel to send. All files stay open
 * until the body is closed, so their number is bounded: for one body, and for all bodies of many
 * files together. Other bytes go through a stream.
 */
final class FileRanges {
  /** In how many files the bytes of a body may be: 8 GiB of a cached object. */
  static final int FILES_MAX = 1024;

  /** A body of no more files always has them. */
  static final int FEW_FILES = 64;

  /** How many files all bodies of more than a few have open. */
  static final int HELD_MAX = 8 * FILES_MAX;

  private final AtomicInteger held = new AtomicInteger();

  /** Whether a body of so many files may be made now. */
  boolean mayHold(int files) {
    return files <= FEW_FILES || (files <= FILES_MAX && held.get() + files <= HELD_MAX);
  }

  /** Returns a slice's file, held; null if that would wait. */
  @FunctionalInterface
  interface Holding {
    @Nullable OpenFile hold(FileSlice slice) throws IOException;
  }

  /**
   * The body; null if there are too many slices now, or if a file has no channel, or would have to
   * wait.
   *
   * @param failed receives the reason if a send ended early
   */
  @Nullable OutgoingBody of(List<FileSlice> slices, Holding holding, Consumer<IOException> failed)
      throws IOException {
    if (!mayHold(slices.size())) {
      return null;
    }
    List<OutgoingBody.FileRange> ranges = new ArrayList<>(slices.size());
    boolean whole = false;
    try {
      for (FileSlice slice : slices) {
        OutgoingBody.FileRange range = of(slice, holding, failed);
        if (range == null) {
          return null;
        }
        ranges.add(slices.size() > FEW_FILES ? counted(range) : range);
      }
      whole = true;
      return ranges.size() == 1 ? ranges.getFirst() : new OutgoingBody.FileRanges(ranges);
    } finally {
      if (!whole) {
        ranges.forEach(OutgoingBody.FileRange::close);
      }
    }
  }

  /** Counts the file until its range is closed. */
  private OutgoingBody.FileRange counted(OutgoingBody.FileRange range) {
    held.incrementAndGet();
    return new OutgoingBody.FileRange(
        range.channel(),
        range.offset(),
        range.length(),
        ObjectReader.once(() -> {
          held.decrementAndGet();
          range.close();
        }),
        range.failed());
  }

  private static OutgoingBody.@Nullable FileRange of(
      FileSlice slice, Holding holding, Consumer<IOException> failed) throws IOException {
    OpenFile open = holding.hold(slice);
    if (open == null) {
      return null;
    }
    OutgoingBody.FileRange body = null;
    try {
      Optional<FileChannel> channel = open.file().channel();
      if (channel.isPresent()) {
        body = of(open, channel.orElseThrow(), slice, failed);
      }
      return body;
    } finally {
      if (body == null) {
        open.release();
      }
    }
  }

  private static OutgoingBody.FileRange of(
      OpenFile open, FileChannel channel, FileSlice slice, Consumer<IOException> failed)
      throws IOException {
    long end = Extents.DATA_OFFSET + slice.offset() + slice.length();
    if (open.file().length() < end) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          "a file is shorter than what names it says: " + slice);
    }
    return new OutgoingBody.FileRange(
        channel, end - slice.length(), slice.length(), ObjectReader.once(open::release), failed);
  }
}
