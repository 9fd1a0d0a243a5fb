package dev.tarn.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.OutgoingBody.FileRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilePublisherTest {
  @TempDir private Path directory;

  @Test
  void rangesAreGivenOneBehindTheOther() throws IOException {
    byte[] bytes = new byte[600_000];
    new Random(3).nextBytes(bytes);
    try (FileChannel file = FileChannel.open(Files.write(directory.resolve("bytes"), bytes))) {
      List<FileRange> ranges =
          List.of(
              new FileRange(file, 10, 300_000, () -> {}),
              new FileRange(file, 5, 0, () -> {}),
              new FileRange(file, 300_010, 299_990, () -> {}));

      Collector given = new Collector();
      new FilePublisher(ranges, new ReadMemory()).subscribe(given);

      assertThat(given.whole.join()).isEqualTo(Arrays.copyOfRange(bytes, 10, 600_000));
    }
  }

  @Test
  void readersThatTakeNothingHoldABoundedAmountTogetherAndHoldUpNobody() throws IOException {
    byte[] bytes = new byte[300_000];
    ReadMemory memory = new ReadMemory();
    int readers = 2000;
    try (FileChannel file = FileChannel.open(Files.write(directory.resolve("bytes"), bytes))) {
      long held = 0;
      List<FilePublisher> stalled = new ArrayList<>();
      for (int reader = 0; reader < readers; reader++) {
        FilePublisher publisher =
            new FilePublisher(List.of(new FileRange(file, 0, bytes.length, () -> {})), memory);
        CompletableFuture<Integer> first = new CompletableFuture<>();
        publisher.subscribe(new First(first));
        held += first.join();
        stalled.add(publisher);
      }

      assertThat(held).isLessThan((48 << 20) + readers * 16L * 1024);
      stalled.forEach(FilePublisher::giveBack);
      assertThat(memory.take(1 << 20)).isEqualTo(128 << 10);
    }
  }

  /** Takes one buffer, and asks for no other. */
  private record First(CompletableFuture<Integer> bytes) implements Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(Flow.Subscription given) {
      given.request(1);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      bytes.complete(buffer.remaining());
    }

    @Override
    public void onError(Throwable cause) {
      bytes.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {}
  }

  /** Asks for one buffer at a time, as a response does. */
  private static final class Collector implements Flow.Subscriber<ByteBuffer> {
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
      given.request(1);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      bytes.writeBytes(copy);
      subscription.join().request(1);
    }

    @Override
    public void onError(Throwable cause) {
      whole.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      whole.complete(bytes.toByteArray());
    }
  }
}
