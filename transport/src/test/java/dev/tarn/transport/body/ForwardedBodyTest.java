package dev.tarn.transport.body;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.OutgoingBody;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bodies that pass from one target to another. */
final class ForwardedBodyTest {
  private static final int CHUNK_BYTES = 256 << 10;

  private final AtomicInteger tasks = new AtomicInteger();
  private final Executor counting =
      task -> {
        tasks.incrementAndGet();
        task.run();
      };

  @Test
  void bytesInMemoryAreForwardedInSlicesWithoutAThread() {
    byte[] bytes = new byte[2 * CHUNK_BYTES + 5];
    new Random(1).nextBytes(bytes);
    OutgoingBody.Bytes body =
        new OutgoingBody.Bytes(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), () -> {});
    Collecting collected = new Collecting();

    new ForwardedBody(body, DeclaredDigests.NONE, counting).bytes().subscribe(collected);

    assertThat(collected.ended).isCompletedWithValue(null);
    assertThat(collected.sizes).containsExactly(CHUNK_BYTES, CHUNK_BYTES, 5);
    assertThat(collected.bytes).isEqualTo(ByteBuffer.wrap(bytes));
    assertThat(body.buffer().remaining()).isEqualTo(bytes.length);
    assertThat(tasks).hasValue(0);
  }

  @Test
  void bodyWithoutAKnownMd5DeclaresThatOfItsBytesAtItsEnd() throws Exception {
    byte[] bytes = new byte[2 * CHUNK_BYTES + 5];
    new Random(1).nextBytes(bytes);
    ForwardedBody body =
        new ForwardedBody(
            new OutgoingBody.Bytes(ByteBuffer.wrap(bytes), () -> {}),
            DeclaredDigests.NONE,
            counting);

    assertThat(body.declaredDigests()).isEqualTo(DeclaredDigests.NONE);
    body.bytes().subscribe(new Collecting());

    String md5 = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
    assertThat(body.declaredDigests()).isEqualTo(new DeclaredDigests(Optional.of(md5), List.of()));
  }

  @Test
  void knownMd5IsDeclaredWhateverTheBytesAre() {
    DeclaredDigests known = new DeclaredDigests(Optional.of("0".repeat(32)), List.of());
    ForwardedBody body =
        new ForwardedBody(
            new OutgoingBody.Bytes(ByteBuffer.allocate(5), () -> {}), known, counting);

    body.bytes().subscribe(new Collecting());

    assertThat(body.declaredDigests()).isEqualTo(known);
  }

  @Test
  void anEmptyBodyCompletes() {
    Collecting collected = new Collecting();
    new ForwardedBody(
            new OutgoingBody.Bytes(ByteBuffer.allocate(0), () -> {}),
            DeclaredDigests.NONE,
            counting)
        .bytes()
        .subscribe(collected);
    assertThat(collected.ended).isCompletedWithValue(null);
    assertThat(collected.sizes).isEmpty();
  }

  @Test
  void bytesInMemoryEndInTheErrorOfTheirSubscriber() {
    Error error = new StackOverflowError();
    OutgoingBody.Bytes body = new OutgoingBody.Bytes(ByteBuffer.allocate(5), () -> {});
    Collecting collected =
        new Collecting() {
          @Override
          public void onNext(ByteBuffer next) {
            throw error;
          }
        };

    new ForwardedBody(body, DeclaredDigests.NONE, counting).bytes().subscribe(collected);

    assertThat(collected.ended).isCompletedExceptionally();
    assertThat(collected.ended.exceptionNow()).isSameAs(error);
  }

  @Test
  void aSourceThatEndsInAnErrorFailsTheBody() {
    Error error = new StackOverflowError();
    ChunkSource source =
        destination -> {
          throw error;
        };
    Collecting collected = new Collecting();
    new ChunkPublisher(source, 10, new DirectBuffers(1), Thread::startVirtualThread)
        .subscribe(collected);
    assertThat(collected.ended).failsWithin(10, TimeUnit.SECONDS);
    assertThat(collected.ended.exceptionNow()).isSameAs(error);
  }

  @Test
  void aShortBodyIsReadIntoAShortBuffer() {
    List<Integer> lengths = new ArrayList<>();
    List<Integer> capacities = new ArrayList<>();
    ChunkSource source =
        destination -> {
          lengths.add(destination.remaining());
          capacities.add(destination.capacity());
          return false;
        };
    Collecting collected = new Collecting();
    new ChunkPublisher(source, 10, new DirectBuffers(1), Runnable::run).subscribe(collected);
    assertThat(collected.ended).isCompletedWithValue(null);
    assertThat(lengths).containsExactly(10);
    assertThat(capacities).as("the smallest buffers of the pool").containsExactly(4096);
  }

  /** Collects a body, one buffer at a time. */
  private static class Collecting implements Flow.Subscriber<ByteBuffer> {
    final CompletableFuture<Void> ended = new CompletableFuture<>();
    final List<Integer> sizes = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.allocate(0);
    private Flow.@Nullable Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(ByteBuffer next) {
      sizes.add(next.remaining());
      bytes = ByteBuffer.allocate(bytes.remaining() + next.remaining()).put(bytes).put(next).flip();
      requireNonNull(subscription, "not subscribed").request(1);
    }

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      ended.complete(null);
    }
  }
}
