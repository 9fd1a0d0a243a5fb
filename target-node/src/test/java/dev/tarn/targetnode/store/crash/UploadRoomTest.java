package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.targetnode.local.BytesBody;
import dev.tarn.targetnode.local.RacingDisk;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The room that uploads are promised, and give back. */
final class UploadRoomTest {
  private static final int CAPACITY = 4 << 20;

  private final SimulatedDisk disk;

  UploadRoomTest(@TempDir Path folder) {
    disk = new SimulatedDisk(folder);
    disk.setCapacity(CAPACITY);
  }

  @Test
  void bodyOfUnknownLengthTakesWhatItNeedsAndIsRefusedWhenThereIsNoMore() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.reserving(0))) {
      byte[] fits = bytes(CAPACITY / 2);
      value(put(node, "fits", fits));
      assertThat(value(node.calls().get("fits"))).isEqualTo(fits);

      assertThat(put(node, "large", bytes(CAPACITY)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));

      assertThat(node.store().room().promisedBytes()).isZero();
      value(put(node, "small", bytes(100_000)));
    }
  }

  private static Outcome<ObjectMetadata> put(OneDisk node, String key, byte[] bytes) {
    return node.calls()
        .put(key, new BytesBody(bytes, false, DeclaredDigests.NONE), Preconditions.NONE);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void roomThatIsFoundIsUsedAlthoughItWasNotKnown() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.reserving(0))) {
      disk.setCapacity(disk.usedBytes() + 1000);
      node.store().room().measure();
      disk.setCapacity(CAPACITY);

      value(node.calls().put("key", bytes(CAPACITY / 2)));
    }
  }

  @Test
  void uploadThatEndsWhileItsRoomIsLookedForKeepsNone() throws IOException {
    RacingDisk racing = new RacingDisk(disk);
    BrokenBody body = new BrokenBody();
    OneDisk node = new OneDisk(racing, OneDisk.reserving(0));
    try (node) {
      disk.setCapacity(disk.usedBytes() + 1000);
      node.store().room().measure();
      disk.setCapacity(CAPACITY);
      racing.beforeMeasuring(body::fail);

      assertThat(node.calls().put("key", body, Preconditions.NONE))
          .isInstanceOf(Outcome.Failed.class);
    }
    assertThat(node.store().room().promisedBytes()).isZero();
  }

  /** A body whose sender breaks off before it has sent anything. */
  private static final class BrokenBody implements IncomingBody {
    private final AtomicReference<Flow.@Nullable Subscriber<? super ByteBuffer>> reader =
        new AtomicReference<>();

    void fail() {
      Flow.@Nullable Subscriber<? super ByteBuffer> present = reader.getAndSet(null);
      if (present != null) {
        present.onError(new IOException("the connection was closed"));
      }
    }

    @Override
    public long length() {
      return CAPACITY / 2;
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return DeclaredDigests.NONE;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return subscriber -> {
        reader.set(subscriber);
        subscriber.onSubscribe(
            new Flow.Subscription() {
              @Override
              public void request(long count) {}

              @Override
              public void cancel() {}
            });
      };
    }
  }
}
