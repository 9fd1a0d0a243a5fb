package dev.tarn.cluster.target;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Reads the bytes of an answer, in whichever form they come, and closes it. */
public final class BodyBytes {
  private BodyBytes() {}

  /** All bytes. */
  public static byte[] read(OutgoingBody body) {
    try (body) {
      if (body instanceof OutgoingBody.Bytes inMemory) {
        byte[] bytes = new byte[inMemory.buffer().remaining()];
        inMemory.buffer().duplicate().get(bytes);
        return bytes;
      }
      if (body instanceof OutgoingBody.FileRange file) {
        return readFile(file);
      }
      if (body instanceof OutgoingBody.FileRanges files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        files.ranges().forEach(file -> bytes.writeBytes(readFile(file)));
        return bytes.toByteArray();
      }
      Collector collector = new Collector();
      ((OutgoingBody.Stream) body).publisher().subscribe(collector);
      return collector.bytes.join();
    }
  }

  private static byte[] readFile(OutgoingBody.FileRange file) {
    ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
    try {
      while (bytes.hasRemaining()) {
        if (file.channel().read(bytes, file.offset() + bytes.position()) < 0) {
          throw new IllegalStateException("file ends after " + bytes.position() + " bytes");
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return bytes.array();
  }

  private static final class Collector implements Flow.Subscriber<ByteBuffer> {
    private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription.complete(newSubscription);
      newSubscription.request(1);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      gathered.writeBytes(copy);
      subscription.join().request(1);
    }

    @Override
    public void onError(Throwable failure) {
      bytes.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      bytes.complete(gathered.toByteArray());
    }
  }
}
