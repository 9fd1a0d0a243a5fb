package dev.tarn.targetnode.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.memory.Chunks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
import org.junit.jupiter.params.provider.EnumSource;

/** Uploads that pause hold no memory that other uploads need. */
class SlowUploadsTest {
  private static final int CHUNKS = 2;
  private static final int SLOW_UPLOADS = 8 * CHUNKS;
  private static final int LENGTH = 3_000_000;

  private final Random random = new Random(19);
  private TargetNode node;
  private Calls calls;

  @BeforeEach
  void open(@TempDir Path folder) throws IOException {
    TargetNodeConfig defaults = TargetNodeConfig.of(folder);
    TargetNodeConfig fewChunks =
        new TargetNodeConfig(
            defaults.dataDirectory(),
            defaults.disks(),
            defaults.store(),
            defaults.workerThreads(),
            defaults.workerQueueMax(),
            CHUNKS,
            defaults.outgoingBytesKept(),
            defaults.scrubBytesPerSecond());
    node =
        TargetNode.open(
            fewChunks,
            new FixedView(
                0,
                0,
                bucket -> FixedView.bucket(bucket, BucketSettings.PRIMARY, Versioning.OFF, 0)));
    calls = new Calls(node.target(), new BucketId(1));
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  @Test
  void uploadsThatHaveSentNothingDoNotHoldUpAnother() {
    assertThat(begin(0)).hasSize(SLOW_UPLOADS);

    assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void uploadsThatPauseInTheirFirstBytesDoNotHoldUpAnother() {
    assertThat(begin(1)).hasSize(SLOW_UPLOADS);

    assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void uploadsThatPauseWithinAChunkDoNotHoldUpAnother() {
    assertThat(begin(600_000)).hasSize(SLOW_UPLOADS);

    assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void uploadsThatPauseBetweenChunksDoNotHoldUpAnother() {
    assertThat(begin(1_100_000)).hasSize(SLOW_UPLOADS);

    assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void uploadsThatPausedKeepEveryByte() {
    List<SlowUpload> uploads = new ArrayList<>();
    for (int pauseAt : new int[] {0, 1, 20_000, 300_000, 1_048_576, 2_999_999}) {
      uploads.addAll(begin(pauseAt));
    }
    assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);

    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      uploads.forEach(upload -> senders.execute(upload.body()::finish));
    }

    for (SlowUpload upload : uploads) {
      assertThat(Calls.await(upload.stored())).isInstanceOf(Outcome.Success.class);
      assertThat(Calls.value(calls.get(upload.key()))).isEqualTo(upload.body().bytes);
    }
  }

  @Test
  void uploadsThatBreakOffWhilePausedLeaveTheirMemoryToOthers() {
    List<SlowUpload> uploads = new ArrayList<>(begin(20_000));
    uploads.addAll(begin(600_000));

    uploads.forEach(upload -> upload.body().breakOff());

    for (SlowUpload upload : uploads) {
      assertThat(Calls.await(upload.stored()))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.IncompleteBody.class));
    }
    for (int next = 0; next < SLOW_UPLOADS; next++) {
      assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void uploadsThatWereAskedTooLateToWriteEarlyDoNotHoldUpAnother(Asked asked) {
    for (int number = 0; number < SLOW_UPLOADS; number++) {
      AskedLateBody body = new AskedLateBody(bytes(AskedLateBody.LENGTH), asked);
      String key = "late-" + number;
      assertThat(Calls.await(put(key, body))).isInstanceOf(Outcome.Success.class);
      assertThat(Calls.value(calls.get(key))).isEqualTo(body.bytes);
    }
    assertThat(begin(600_000)).hasSize(SLOW_UPLOADS);

    assertThat(calls.put("honest", bytes(LENGTH))).isInstanceOf(Outcome.Success.class);
  }

  private record SlowUpload(
      String key, SlowBody body, CompletionStage<Outcome<ObjectMetadata>> stored) {}

  /** Begins uploads of different lengths, known and unknown, each of which pauses. */
  private List<SlowUpload> begin(int pauseAt) {
    List<SlowUpload> begun = new ArrayList<>();
    for (int number = 0; number < SLOW_UPLOADS; number++) {
      SlowBody body =
          new SlowBody(bytes(Math.max(pauseAt, LENGTH - number)), pauseAt, number % 2 == 0);
      String key = "slow-" + pauseAt + "-" + number;
      begun.add(new SlowUpload(key, body, put(key, body)));
    }
    return begun;
  }

  private CompletionStage<Outcome<ObjectMetadata>> put(String key, IncomingBody body) {
    TargetRequest.Put put =
        new TargetRequest.Put(
            new CallScope(calls.bucket(), 0, 0, CallContext.UNNAMED),
            ObjectKey.of(key),
            ObjectAttributes.NONE,
            Set.of(),
            Preconditions.NONE);
    return node.target().call(put, body);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A body whose sender pauses once. */
  private static final class SlowBody implements IncomingBody, Flow.Subscription {
    private static final int STEP = 100_000;

    private final byte[] bytes;
    private final boolean knownLength;
    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
    private int at;
    private int sent;
    private long requested;
    private boolean feeding;
    private boolean ended;

    SlowBody(byte[] bytes, int pauseAt, boolean knownLength) {
      this.bytes = bytes;
      this.sent = pauseAt;
      this.knownLength = knownLength;
    }

    @Override
    public long length() {
      return knownLength ? bytes.length : UNKNOWN_LENGTH;
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return DeclaredDigests.NONE;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return newSubscriber -> {
        subscriber = newSubscriber;
        newSubscriber.onSubscribe(this);
      };
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

    /** Sends the rest. */
    synchronized void finish() {
      sent = bytes.length;
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
      while (!ended && at < sent && requested > 0) {
        int length = Math.min(STEP, sent - at);
        ByteBuffer step = ByteBuffer.allocate(length).put(bytes, at, length).flip();
        at += length;
        requested--;
        requireNonNull(subscriber).onNext(step);
        step.clear().put(new byte[length]); // A buffer is valid only until onNext returns.
      }
      feeding = false;
      if (!ended && at == bytes.length) {
        ended = true;
        requireNonNull(subscriber).onComplete();
      }
    }
  }

  /** When the pool asks the upload to write early. */
  enum Asked {
    WHILE_IT_FILLS_ITS_CHUNK,
    WITH_THE_NEXT_CHUNK
  }

  /** A body that fills a chunk at once, and whose receiver is asked to write early then. */
  private static final class AskedLateBody implements IncomingBody, Flow.Subscription {
    static final int LENGTH = Chunks.FULL_BYTES + 1000;

    private final byte[] bytes;
    private final Asked asked;
    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
    private boolean sent;

    AskedLateBody(byte[] bytes, Asked asked) {
      this.bytes = bytes;
      this.asked = asked;
    }

    @Override
    public long length() {
      return LENGTH;
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return DeclaredDigests.NONE;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return newSubscriber -> {
        subscriber = newSubscriber;
        newSubscriber.onSubscribe(this);
      };
    }

    @Override
    public void cancel() {}

    @Override
    public synchronized void request(long count) {
      if (sent) {
        return;
      }
      sent = true;
      Flow.Subscriber<? super ByteBuffer> receiver = requireNonNull(subscriber);
      askIf(Asked.WHILE_IT_FILLS_ITS_CHUNK);
      receiver.onNext(ByteBuffer.wrap(bytes));
      askIf(Asked.WITH_THE_NEXT_CHUNK);
      receiver.onComplete();
    }

    private void askIf(Asked now) {
      if (asked == now) {
        ((Chunks.Filler) requireNonNull(subscriber)).writeEarly();
      }
    }
  }
}
