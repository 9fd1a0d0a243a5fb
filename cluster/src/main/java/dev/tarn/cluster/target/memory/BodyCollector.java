package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Gathers a body up to a bound, one buffer at a time. */
final class BodyCollector implements Flow.Subscriber<ByteBuffer> {
  private final long lengthDeclared;
  private final long bytesMax;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<Outcome<byte[]>> collected = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  private BodyCollector(long lengthDeclared, long bytesMax) {
    this.lengthDeclared = lengthDeclared;
    this.bytesMax = bytesMax;
  }

  static CompletionStage<Outcome<byte[]>> collect(IncomingBody body, long bytesMax) {
    BodyCollector collector = new BodyCollector(body.length(), bytesMax);
    body.bytes().subscribe(collector);
    return collector.collected;
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    newSubscription.request(1);
  }

  @Override
  public void onNext(ByteBuffer buffer) {
    Flow.Subscription active = subscription;
    if (active == null || collected.isDone()) {
      return;
    }
    long size = (long) bytes.size() + buffer.remaining();
    if (size > bytesMax) {
      active.cancel();
      fail(MemoryState.FULL);
    } else if (lengthDeclared >= 0 && size > lengthDeclared) {
      active.cancel();
      fail(wrongLength("more than " + lengthDeclared));
    } else {
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      bytes.writeBytes(copy);
      active.request(1);
    }
  }

  @Override
  public void onError(Throwable cause) {
    String message = cause.getMessage();
    fail(new Failure.IncompleteBody(message == null ? cause.getClass().getSimpleName() : message));
  }

  @Override
  public void onComplete() {
    if (lengthDeclared >= 0 && bytes.size() != lengthDeclared) {
      fail(wrongLength(Integer.toString(bytes.size())));
    } else {
      collected.complete(Outcome.success(bytes.toByteArray()));
    }
  }

  private Failure wrongLength(String actual) {
    return new Failure.IncompleteBody(
        "The body has " + actual + " bytes, " + lengthDeclared + " were declared.");
  }

  private void fail(Failure failure) {
    collected.complete(Outcome.failed(failure));
  }
}
