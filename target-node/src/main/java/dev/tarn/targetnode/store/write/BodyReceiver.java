package dev.tarn.targetnode.store.write;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.memory.Chunks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives one body.
 *
 * <p>A body that is known to be small goes into memory of its own size. Any other body is copied
 * into chunks, because the publisher needs its buffers back at once. A worker computes the digests
 * of a full chunk and writes it while the next one fills. With two chunks in progress, no more
 * bytes are requested. A body therefore holds at most three chunks, however fast it comes. A body
 * of unknown length that ends in its first chunk is treated as small.
 *
 * <p>The publisher's signals come one at a time and own the fields. Only the chunk being filled is
 * guarded by the lock, because a worker whose write failed may take it away.
 */
public final class BodyReceiver implements Flow.Subscriber<ByteBuffer> {
  /** The digests of a body up to this length are computed on the publisher's thread. */
  private static final int DIGESTED_AT_ONCE_BYTES = 64 << 10;

  private final BodyWriting writing;
  private final DiskStore store;
  private final IncomingBody body;
  private final Placing placing;
  private final BodyDigests digests;
  private final CompletableFuture<Outcome<ReceivedBody>> received = new CompletableFuture<>();
  private final ExtentSink sink;
  private Flow.@Nullable Subscription subscription;
  private @Nullable ByteBuffer small;
  private @Nullable ByteBuffer chunk;
  private long length;
  private boolean stopped;

  /**
   * Where the bytes go.
   *
   * @param inlineBytesMax the greatest length that goes into the record; 0 to always use an extent
   * @param durable whether an extent must be on the device before the body counts as received
   */
  public record Placing(int inlineBytesMax, boolean durable) {}

  private BodyReceiver(
      BodyWriting writing,
      DiskStore store,
      IncomingBody body,
      Placing placing,
      Set<ChecksumAlgorithm> algorithms) {
    this.writing = writing;
    this.store = store;
    this.body = body;
    this.placing = placing;
    Set<ChecksumAlgorithm> all = EnumSet.noneOf(ChecksumAlgorithm.class);
    all.addAll(algorithms);
    body.declaredDigests().checksums().forEach(checksum -> all.add(checksum.algorithm()));
    this.digests = new BodyDigests(true, all);
    this.sink = new ExtentSink(store, writing, digests);
  }

  /**
   * Begins to receive a body.
   *
   * @param algorithms to compute besides the MD5 and the declared ones
   */
  static CompletionStage<Outcome<ReceivedBody>> receive(
      BodyWriting writing,
      DiskStore store,
      IncomingBody body,
      Placing placing,
      Set<ChecksumAlgorithm> algorithms) {
    BodyReceiver receiver = new BodyReceiver(writing, store, body, placing, algorithms);
    body.bytes().subscribe(receiver);
    return receiver.received;
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    long declared = body.length();
    Optional<Failure> refusal = refusal(declared);
    if (refusal.isPresent()) {
      newSubscription.cancel();
      end(Outcome.failed(refusal.orElseThrow()));
    } else if (declared >= 0 && declared <= placing.inlineBytesMax()) {
      small = ByteBuffer.allocate((int) declared);
      newSubscription.request(1);
    } else {
      writing.chunks().take(this::begin);
    }
  }

  private Optional<Failure> refusal(long declared) {
    try {
      return store.refuseBytes(Math.max(declared, 0));
    } catch (IOException e) {
      return Optional.of(store.health().failureOf(e));
    }
  }

  private void begin(ByteBuffer taken) {
    if (keep(taken)) {
      request();
    } else {
      writing.chunks().giveBack(taken);
    }
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    length += bytes.remaining();
    if (body.length() >= 0 && length > body.length()) {
      cancel();
      fail(wrongLength("more than " + body.length()));
      return;
    }
    ByteBuffer inMemory = small;
    ByteBuffer filling = takeChunk();
    if (inMemory != null) {
      inMemory.put(bytes);
      request();
    } else if (filling != null) {
      filling.put(bytes);
      if (filling.position() < Chunks.FULL_BYTES) {
        begin(filling);
      } else {
        sink.write(filling, this::refill, this::failWriting);
      }
    }
  }

  /** Called when another chunk may be filled. */
  private void refill() {
    writing.chunks().take(this::begin);
  }

  @Override
  public void onError(Throwable cause) {
    String message = cause.getMessage();
    fail(new Failure.IncompleteBody(message == null ? cause.getClass().getSimpleName() : message));
  }

  @Override
  public void onComplete() {
    ByteBuffer last = takeChunk();
    if (body.length() >= 0 && length != body.length()) {
      giveBack(last);
      fail(wrongLength(Long.toString(length)));
      return;
    }
    stop();
    if (!sink.started() && length <= placing.inlineBytesMax()) {
      finishSmall(last);
    } else {
      sink.finish(
          last,
          placing.durable(),
          extent ->
              conclude(() ->
                  new ReceivedBody(
                      length, digests.finish(), ByteBuffer.allocate(0), Optional.of(extent))),
          this::failWriting);
    }
  }

  private void finishSmall(@Nullable ByteBuffer last) {
    ByteBuffer bytes = small;
    if (bytes == null) {
      bytes = ByteBuffer.allocate((int) length);
      if (last != null) {
        bytes.put(last.flip());
      }
    }
    giveBack(last);
    ByteBuffer inline = bytes.flip().asReadOnlyBuffer();
    ByteBuffer digested = bytes.duplicate();
    Runnable conclusion =
        () -> {
          digests.update(digested);
          conclude(() -> new ReceivedBody(length, digests.finish(), inline, Optional.empty()));
        };
    if (length <= DIGESTED_AT_ONCE_BYTES) {
      conclusion.run();
    } else {
      writing.workers().execute(conclusion);
    }
  }

  private void conclude(Supplier<ReceivedBody> whole) {
    ReceivedBody result = whole.get();
    Optional<Failure> contradiction = result.digests().contradiction(body.declaredDigests());
    if (contradiction.isPresent()) {
      sink.abandon();
      end(Outcome.failed(contradiction.orElseThrow()));
    } else {
      end(Outcome.success(result));
    }
  }

  private void failWriting(IOException e) {
    cancel();
    fail(store.health().failureOf(e));
  }

  private Failure wrongLength(String actual) {
    return new Failure.IncompleteBody(
        "The body has " + actual + " bytes, " + body.length() + " were declared.");
  }

  private void fail(Failure failure) {
    stop();
    giveBack(takeChunk());
    sink.abandon();
    end(Outcome.failed(failure));
  }

  private void end(Outcome<ReceivedBody> outcome) {
    stop();
    received.complete(outcome);
  }

  private void giveBack(@Nullable ByteBuffer unused) {
    if (unused != null) {
      writing.chunks().giveBack(unused);
    }
  }

  /** Keeps a chunk to be filled; false if the receiver has stopped. */
  private synchronized boolean keep(ByteBuffer taken) {
    if (!stopped) {
      chunk = taken;
    }
    return !stopped;
  }

  private synchronized @Nullable ByteBuffer takeChunk() {
    ByteBuffer taken = chunk;
    chunk = null;
    return taken;
  }

  private synchronized void stop() {
    stopped = true;
  }

  private void request() {
    Flow.Subscription active = subscription;
    if (active != null) {
      active.request(1);
    }
  }

  private void cancel() {
    Flow.Subscription active = subscription;
    if (active != null) {
      active.cancel();
    }
  }
}
