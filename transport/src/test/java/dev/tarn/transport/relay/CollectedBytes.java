package dev.tarn.transport.relay;

import dev.tarn.cluster.target.OutgoingBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes a body to its end, one buffer at a time. */
final class CollectedBytes implements Flow.Subscriber<ByteBuffer> {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  private CollectedBytes() {}

  /** Reads and closes a body. */
  static byte[] read(OutgoingBody body) {
    try (body) {
      CollectedBytes collected = new CollectedBytes();
      switch (body) {
        case OutgoingBody.Bytes memory -> {
          collected.take(memory.buffer());
          collected.onComplete();
        }
        case OutgoingBody.Stream stream -> stream.publisher().subscribe(collected);
        default -> throw new IllegalArgumentException("no body that comes over a network");
      }
      return collected.whole.join();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(ByteBuffer buffer) {
    take(buffer);
    Flow.Subscription active = subscription;
    if (active != null) {
      active.request(1);
    }
  }

  private void take(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(copy);
    bytes.writeBytes(copy);
  }

  @Override
  public void onError(Throwable failure) {
    whole.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    whole.complete(bytes.toByteArray());
  }
}
