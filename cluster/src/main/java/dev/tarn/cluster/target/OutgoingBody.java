package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The bytes of an answer, in the cheapest form that the owner has. The receiver closes it exactly
 * once, when it has sent the bytes or does not need them.
 */
public sealed interface OutgoingBody extends AutoCloseable {
  /** The number of bytes. */
  long length();

  @Override
  void close();

  /** Runs the release only once: a buffer with two owners is worse than a leak. */
  static Runnable once(Runnable release) {
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (released.compareAndSet(false, true)) {
        release.run();
      }
    };
  }

  /**
   * Bytes in memory.
   *
   * @param buffer the bytes from position to limit, valid until {@code release} has run
   * @param release returns the buffer
   */
  record Bytes(ByteBuffer buffer, Runnable release) implements OutgoingBody {
    public Bytes {
      requireNonNull(buffer, "buffer is null");
      requireNonNull(release, "release is null");
    }

    @Override
    public long length() {
      return buffer.remaining();
    }

    @Override
    public void close() {
      release.run();
    }
  }

  /**
   * A range of an open file, sent without passing through user space.
   *
   * @param channel shared with other readers: use positional reads, never close it
   * @param release returns the channel; runs once, however often the range is closed
   * @param failed receives the reason if a send of the range ended early; the cause may be the file
   *     or the receiver
   */
  record FileRange(
      FileChannel channel, long offset, long length, Runnable release, Consumer<IOException> failed)
      implements OutgoingBody {
    /** A range of a file whose owner does not need the reasons of failed sends. */
    public FileRange(FileChannel channel, long offset, long length, Runnable release) {
      this(channel, offset, length, release, failure -> {});
    }

    public FileRange {
      requireNonNull(channel, "channel is null");
      release = once(requireNonNull(release, "release is null"));
      requireNonNull(failed, "failed is null");
      if (offset < 0 || length < 0) {
        throw new IllegalArgumentException("file range is " + offset + "+" + length);
      }
    }

    @Override
    public void close() {
      release.run();
    }
  }

  /**
   * Ranges of open files, one after the other, sent without passing through user space.
   *
   * @param ranges in the order of their bytes; closing this closes each
   */
  record FileRanges(List<FileRange> ranges) implements OutgoingBody {
    public FileRanges {
      ranges = List.copyOf(ranges);
    }

    @Override
    public long length() {
      return ranges.stream().mapToLong(FileRange::length).sum();
    }

    @Override
    public void close() {
      ranges.forEach(FileRange::close);
    }
  }

  /**
   * Bytes that arrive over time. A published buffer is valid only until {@code onNext} returns.
   *
   * @param publisher for one subscriber; fails if it cannot deliver all bytes; frees its resources
   *     when it completes or is cancelled
   * @param cancel frees the publisher's resources if nobody has subscribed; otherwise does nothing
   */
  record Stream(Flow.Publisher<ByteBuffer> publisher, long length, Runnable cancel)
      implements OutgoingBody {
    public Stream {
      requireNonNull(publisher, "publisher is null");
      requireNonNull(cancel, "cancel is null");
      if (length < 0) {
        throw new IllegalArgumentException("stream has length " + length);
      }
    }

    @Override
    public void close() {
      cancel.run();
    }
  }
}
