package dev.tarn.targetnode.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.write.BodyReceiver;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.targetnode.store.write.ReceivedBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first bytes of all uploads together have a limit. */
class GatheredBytesTest {
  private static final int CHUNKS = 2;
  private static final int GATHERED_MAX = CHUNKS * Chunks.GATHERED_BYTES_PER_CHUNK;
  private static final int PAUSED_AT = 16_000;
  private static final int UPLOADS = 4 * GATHERED_MAX / PAUSED_AT;

  private final Chunks chunks = new Chunks(CHUNKS);
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final BodyWriting writing = new BodyWriting(chunks, workers);
  private DiskStore store;

  @BeforeEach
  void open(@TempDir Path index) throws IOException {
    store =
        DiskStore.open(new SimulatedDisk(index), StoreSettings.DEFAULT, Clock.systemUTC(), () -> 0);
  }

  @AfterEach
  void close() throws IOException {
    workers.close();
    store.close();
  }

  private record Upload(PausedBody body, CompletionStage<Outcome<ReceivedBody>> received) {}

  private Upload begin(int length) {
    PausedBody body = new PausedBody(length);
    var placing = new BodyReceiver.Placing(store.settings().inlineBytesMax(), false);
    return new Upload(body, writing.receive(store, body, placing, Set.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 3_000_000})
  void uploadsThatPauseGatherNoMoreThanTheLimitAndHoldUpNoOther(int length) {
    List<Upload> paused = new ArrayList<>();
    for (int i = 0; i < UPLOADS; i++) {
      paused.add(begin(length));
      assertThat(chunks.gatheredBytes()).isLessThan(GATHERED_MAX + 4 * PAUSED_AT);
    }

    Upload honest = begin(length);
    honest.body().finish();
    assertWhole(honest);

    paused.forEach(upload -> upload.body().finish());
    paused.forEach(this::assertWhole);
    assertThat(chunks.gatheredBytes()).isZero();
  }

  @Test
  void uploadsThatBreakOffLeaveTheirMemory() {
    List<Upload> paused = new ArrayList<>();
    for (int i = 0; i < UPLOADS; i++) {
      paused.add(begin(100_000));
    }
    paused.forEach(upload -> upload.body().breakOff());
    paused.forEach(
        upload -> assertThat(Calls.await(upload.received())).isInstanceOf(Outcome.Failed.class));
    assertThat(chunks.gatheredBytes()).isZero();
  }

  private void assertWhole(Upload upload) {
    ReceivedBody body = Calls.value(Calls.await(upload.received()));
    assertThat(body.length()).isEqualTo(upload.body().length());
    body.extent().ifPresent(extent -> extent.abandon());
  }

  /** A body whose sender pauses after its first bytes. */
  private static final class PausedBody implements IncomingBody, Flow.Subscription {
    private final int length;
    private int sent;
    private boolean resumed;
    private boolean ended;
    private boolean feeding;
    private long requested;
    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

    PausedBody(int length) {
      this.length = length;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return receiver -> {
        subscriber = receiver;
        receiver.onSubscribe(this);
      };
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return DeclaredDigests.NONE;
    }

    @Override
    public synchronized void request(long count) {
      requested += count;
      feed();
    }

    @Override
    public synchronized void cancel() {
      ended = true;
    }

    synchronized void finish() {
      resumed = true;
      feed();
    }

    synchronized void breakOff() {
      ended = true;
      requireNonNull(subscriber).onError(new IOException("the sender is gone"));
    }

    private void feed() {
      if (feeding) {
        return;
      }
      feeding = true;
      while (!ended && requested > 0 && sent < (resumed ? length : PAUSED_AT)) {
        byte[] bytes = new byte[Math.min(PAUSED_AT, length - sent)];
        Arrays.fill(bytes, (byte) sent);
        sent += bytes.length;
        requested--;
        requireNonNull(subscriber).onNext(ByteBuffer.wrap(bytes));
      }
      feeding = false;
      if (!ended && sent == length) {
        ended = true;
        requireNonNull(subscriber).onComplete();
      }
    }
  }
}
