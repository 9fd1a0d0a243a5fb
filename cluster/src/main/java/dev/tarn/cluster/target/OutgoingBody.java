package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * The bytes of an answer, in the cheapest form the owner has them. The receiver closes it exactly
 * once, when it is done with the bytes or does not want them.
 */
public sealed interface OutgoingBody extends AutoCloseable {
  /** The number of bytes. */
  long length();

  @Override
  void close();

  /**
   * Bytes in memory.
   *
   * @param buffer the bytes from position to limit, valid until {@code release} has run
   * @param release gives the buffer back
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
   * A range of an open file, to be sent without passing through user space.
   *
   * @param channel shared with other readers: use positional reads, never close it
   * @param release gives the channel back
   * @param failed is told why a send of the range ended early: the file may be the cause, or the
   *     receiver
   */
  record FileRange(
      FileChannel channel, long offset, long length, Runnable release, Consumer<IOException> failed)
      implements OutgoingBody {
    /** A range of a file whose owner does not ask how sending it went. */
    public FileRange(FileChannel channel, long offset, long length, Runnable release) {
      this(channel, offset, length, release, failure -> {});
    }

    public FileRange {
      requireNonNull(channel, "channel is null");
      requireNonNull(release, "release is null");
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
   * Ranges of open files, one behind the other, to be sent without passing through user space.
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
   * @param publisher one subscriber only; fails if the bytes cannot all be given; cancelled or
   *     completed, it frees what it holds
   * @param cancel frees what the publisher holds when nobody has subscribed; harmless otherwise
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
