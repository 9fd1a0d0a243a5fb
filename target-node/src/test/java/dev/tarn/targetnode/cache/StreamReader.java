package dev.tarn.targetnode.cache;

import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.local.Calls;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/** Takes a stream buffer by buffer. */
final class StreamReader implements Flow.Subscriber<ByteBuffer>, AutoCloseable {
  private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
  private final CompletableFuture<Byte> first = new CompletableFuture<>();
  private final CompletableFuture<Long> whole = new CompletableFuture<>();
  private final CRC32C crc = new CRC32C();
  private final AtomicLong count = new AtomicLong();

  StreamReader(OutgoingBody.Stream stream) {
    stream.publisher().subscribe(this);
  }

  /** Begins to read a selection of an object that is answered as a stream. */
  static StreamReader of(Calls calls, String key, Selection selection) throws Exception {
    TargetRequest.Get get = CachedBucketFixture.get(key, selection, false);
    ObjectRead begun = Calls.value(Calls.await(calls.target().call(get)));
    return new StreamReader((OutgoingBody.Stream) begun.body());
  }

  byte next() throws Exception {
    subscription.get(10, TimeUnit.SECONDS).request(1);
    return first.get(10, TimeUnit.SECONDS);
  }

  /** Asks for another buffer. */
  void ask() throws Exception {
    subscription.get(10, TimeUnit.SECONDS).request(1);
  }

  /** The number of bytes that were taken. */
  long count() {
    return count.get();
  }

  long crc32c() {
    return crc.getValue();
  }

  long readToEnd() throws Exception {
    subscription.get(10, TimeUnit.SECONDS).request(Long.MAX_VALUE);
    return whole.get(60, TimeUnit.SECONDS);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription.complete(given);
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    first.complete(bytes.get(bytes.position()));
    count.addAndGet(bytes.remaining());
    crc.update(bytes.duplicate());
  }

  @Override
  public void onError(Throwable cause) {
    first.completeExceptionally(cause);
    whole.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    whole.complete(count.get());
  }

  @Override
  public void close() {
    subscription.join().cancel();
  }
}
