package dev.tarn.targetnode.store.read;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
  /** In how many files the bytes of a body may be: 2 GiB of a cached object. */
  static final int FILES_MAX = 256;

  /** A body of no more files always has them. */
  static final int FEW_FILES = 64;

  /** How many files all bodies of more than a few may have open, if the process may open many. */
  private static final int HELD_MAX = 16 * FILES_MAX;

  /** The share of the files that the process may open. */
  private static final int PROCESS_PARTS = 8;

  private final int heldMax;
  private final AtomicInteger held = new AtomicInteger();

  /** Bodies that share the files of this process. */
  FileRanges() {
    this(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? (int) Math.min(HELD_MAX, system.getMaxFileDescriptorCount() / PROCESS_PARTS)
            : HELD_MAX);
  }

  /** Bodies of many files that have no more than this number open together. */
  FileRanges(int heldMax) {
    this.heldMax = heldMax;
  }

  /** Whether a body of so many files may be made now. */
  boolean mayHold(int files) {
    return files <= FEW_FILES || (files <= FILES_MAX && held.get() + files <= heldMax);
  }

  /** Takes files for a body, to be given back when they are closed; false if there are too few. */
  private boolean areTaken(int files) {
    if (files > FILES_MAX) {
      return false;
    }
    boolean taken = held.addAndGet(files) <= heldMax;
    if (!taken) {
      held.addAndGet(-files);
    }
    return taken;
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
    boolean isCounted = slices.size() > FEW_FILES;
    if (isCounted && !areTaken(slices.size())) {
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
        ranges.add(isCounted ? counted(range) : range);
      }
      whole = true;
      return ranges.size() == 1 ? ranges.getFirst() : new OutgoingBody.FileRanges(ranges);
    } finally {
      if (!whole) {
        ranges.forEach(OutgoingBody.FileRange::close);
        held.addAndGet(isCounted ? ranges.size() - slices.size() : 0);
      }
    }
  }

  /** The range, whose file is given back when it is closed. */
  private OutgoingBody.FileRange counted(OutgoingBody.FileRange range) {
    return new OutgoingBody.FileRange(
        range.channel(),
        range.offset(),
        range.length(),
        () -> {
          held.decrementAndGet();
          range.close();
        },
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
        channel, end - slice.length(), slice.length(), open::release, failed);
  }
}
