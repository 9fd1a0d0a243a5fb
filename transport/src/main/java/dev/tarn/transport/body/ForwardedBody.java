package dev.tarn.transport.body;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/**
 * Forwards the bytes from one target as a body for another target. The caller closes the source.
 *
 * @param blocking runs the reads of sources that are not streams, each until its end
 */
public record ForwardedBody(OutgoingBody source, Executor blocking) implements IncomingBody {
  @Override
  public long length() {
    return source.length();
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return switch (source) {
      case OutgoingBody.Stream stream -> stream.publisher();
      case OutgoingBody.Bytes bytes -> new ChunkPublisher(memory(bytes.buffer()), blocking);
      case FileRange file -> new ChunkPublisher(new Files(List.of(file)), blocking);
      case OutgoingBody.FileRanges files -> new ChunkPublisher(new Files(files.ranges()), blocking);
    };
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return DeclaredDigests.NONE;
  }

  private static ChunkSource memory(ByteBuffer buffer) {
    ByteBuffer rest = buffer.duplicate();
    return destination -> {
      int size = Math.min(destination.remaining(), rest.remaining());
      destination.put(rest.slice(rest.position(), size));
      rest.position(rest.position() + size);
      return size > 0;
    };
  }

  private static final class Files implements ChunkSource {
    private final Deque<FileRange> rest;
    private long done;

    Files(List<FileRange> ranges) {
      rest = new ArrayDeque<>(ranges);
    }

    @Override
    public boolean read(ByteBuffer destination) throws IOException {
      FileRange file = rest.peek();
      while (file != null && done == file.length()) {
        rest.remove();
        done = 0;
        file = rest.peek();
      }
      if (file == null) {
        return false;
      }
      long missing = file.length() - done;
      if (missing < destination.remaining()) {
        destination.limit(destination.position() + (int) missing);
      }
      int count = file.channel().read(destination, file.offset() + done);
      if (count < 0) {
        throw new EOFException("the file ends before the range that was given of it");
      }
      done += count;
      return true;
    }
  }
}
