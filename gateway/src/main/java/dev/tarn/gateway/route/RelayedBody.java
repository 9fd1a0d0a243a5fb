package dev.tarn.gateway.route;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.OutgoingBody;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/** What one target gave, to be stored by another. Whoever relays it closes the given body. */
record RelayedBody(OutgoingBody source, Executor blocking) implements IncomingBody {
  private static final int BUFFER_BYTES = 256 << 10;

  @Override
  public long length() {
    return source.length();
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return switch (source) {
      case OutgoingBody.Stream stream -> stream.publisher();
      case OutgoingBody.Bytes bytes ->
          subscriber ->
              new PulledBody(subscriber, bytes.length(), blocking, memory(bytes.buffer())).start();
      case OutgoingBody.FileRange file -> subscriber -> files(subscriber, List.of(file));
      case OutgoingBody.FileRanges files -> subscriber -> files(subscriber, files.ranges());
    };
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return DeclaredDigests.NONE;
  }

  private static PulledBody.Source memory(ByteBuffer buffer) {
    return position ->
        buffer.slice(
            buffer.position() + Math.toIntExact(position),
            Math.min(BUFFER_BYTES, buffer.remaining() - Math.toIntExact(position)));
  }

  private void files(
      Flow.Subscriber<? super ByteBuffer> subscriber, List<OutgoingBody.FileRange> ranges) {
    new PulledBody(subscriber, source.length(), blocking, position -> read(ranges, position))
        .start();
  }

  private static ByteBuffer read(List<OutgoingBody.FileRange> ranges, long position)
      throws IOException {
    long start = 0;
    for (OutgoingBody.FileRange range : ranges) {
      if (position < start + range.length()) {
        return read(range, position - start);
      }
      start += range.length();
    }
    throw new EOFException("the ranges end before byte " + position);
  }

  private static ByteBuffer read(OutgoingBody.FileRange file, long position) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, file.length() - position));
    while (buffer.hasRemaining()) {
      if (file.channel().read(buffer, file.offset() + position + buffer.position()) < 0) {
        throw new EOFException("the file ends before the range that was given of it");
      }
    }
    return buffer.flip();
  }
}
