package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Iterators that are closed, or whose threads are interrupted, before they come to their end. */
@Timeout(60)
final class ClosingTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SAMPLES = 60;

  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 2, SAMPLES / 2, 1000);
  }

  private static ShardDataset dataset(Storage from, Shuffle shuffle) throws IOException {
    return ShardDataset.builder()
        .storage(from)
        .rank(0, 1)
        .manifest(FOLDER.toString())
        .shuffle(shuffle)
        .connections(1)
        .build();
  }

  static List<Shuffle> shuffles() {
    return List.of(Shuffle.NONE, Shuffle.blocks(200_000), Shuffle.FULL);
  }

  private static List<ResumableIterator<?>> iterators(ShardDataset dataset) {
    Loader<String> mapped = dataset.loader().map(2, MapOrder.ORDERED, Sample::key);
    return List.of(dataset.iterate(0), mapped.iterate(0), mapped.prefetch(2).iterate(0));
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void closedIteratorDeliversNothingMore(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset = dataset(storage, shuffle)) {
      for (ResumableIterator<?> iterator : iterators(dataset)) {
        for (int i = 0; i < 3; i++) {
          assertThat(iterator.next()).isNotNull();
        }
        assertThat(iterator.hasNext()).isTrue();
        iterator.close();

        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(iterator::hasNext)
              .isInstanceOf(IllegalStateException.class)
              .hasMessage("the iterator is closed");
          assertThatThrownBy(iterator::next).isInstanceOf(IllegalStateException.class);
        }
        assertThat(iterator.checkpoint().remaining()).isEqualTo(SAMPLES - 3);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void iteratorThatIsClosedAtItsEndHasNoMore(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset = dataset(storage, shuffle)) {
      for (ResumableIterator<?> iterator : iterators(dataset)) {
        iterator.forEachRemaining(value -> {});
        iterator.close();
        assertThat(iterator.hasNext()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedDatasetStartsNothing(boolean isLocal, @TempDir Path directory) throws IOException {
    Storage from = isLocal ? Storage.open() : storage;
    StorageUrl folder = isLocal ? StorageUrl.parse(directory.toString()) : FOLDER;
    Shards.dataset(from, folder, 2, SAMPLES / 2, 1000);
    DatasetBuilder builder = ShardDataset.builder().rank(0, 1).manifest(folder.toString());
    ShardDataset dataset = isLocal ? builder.build() : builder.storage(from).build();
    Loader<String> loader = dataset.loader().map(2, MapOrder.ORDERED, Sample::key);
    SampleIterator open = dataset.iterate(0);
    open.next();
    Checkpoint checkpoint = open.checkpoint();
    open.close();
    dataset.close();

    List<ThrowingCallable> calls =
        List.of(
            dataset::iterate,
            () -> dataset.iterate(1),
            () -> dataset.resume(checkpoint),
            dataset::stream,
            dataset::loader,
            loader::iterate,
            () -> loader.resume(checkpoint),
            loader::stream,
            () -> dataset.get(0),
            () -> dataset.get(Shards.key(0, 0)));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "the dataset is closed: ShardDataset[2 shards, 60 samples], the first shard %s",
              folder.child("shard-000000.tar"));
    }
    dataset.close();
    assertThat(dataset.sampleCount()).hasValue(SAMPLES);
  }

  @Test
  void closedDatasetWithoutAManifestStartsNothing() throws IOException {
    String spec = FOLDER + "/shard-00000{0..1}.tar";
    ShardDataset dataset = ShardDataset.builder().storage(storage).rank(0, 1).shards(spec).build();
    dataset.close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(dataset::iterate, () -> dataset.get(0))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("the dataset is closed: ShardDataset[2 shards]");
    }
  }

  @Test
  void closeCutsTheFetchOfAnIndex() throws Exception {
    StalledStorage stalled = new StalledStorage(storage, ".tarnidx");
    try (ShardDataset dataset = dataset(stalled, Shuffle.NONE)) {
      SampleIterator samples = dataset.iterate(0);
      stalled.reading.await();
      samples.close();
      assertThat(stalled.cut.getCount()).isZero();
    }
  }

  @Test
  void closeCutsARequestThatNobodyAnswers() throws Exception {
    StorageOptions options = StorageOptions.builder().idleTimeout(Duration.ofMinutes(10)).build();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ShardDataset dataset =
            ShardDataset.builder()
                .storageOptions(options)
                .rank(0, 1)
                .shards("http://127.0.0.1:%d/a.tar".formatted(server.getLocalPort()))
                .connections(1)
                .build()) {
      SampleIterator samples = dataset.iterate(0);
      try (Socket connection = server.accept()) {
        assertThat(connection.getInputStream().read()).isEqualTo('G');
        samples.close();

        assertThat(prefetchThreads()).isEmpty();
        awaitEnd(connection);
      }
    }
  }

  private static List<String> prefetchThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tarn-prefetch"))
        .toList();
  }

  private static void awaitEnd(Socket connection) throws IOException {
    try {
      connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketException e) {
      // Cut rather than closed.
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void interruptionIsToldAsSuchAndKept(Shuffle shuffle) throws IOException {
    StalledStorage stalled = new StalledStorage(storage, ".tar");
    try (ShardDataset dataset = dataset(stalled, shuffle)) {
      for (ResumableIterator<?> iterator : iterators(dataset)) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(iterator::next)
            .isInstanceOf(UncheckedIOException.class)
            .hasCauseInstanceOf(InterruptedIOException.class)
            .hasMessageContaining("the thread was interrupted while it waited");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(iterator.hasNext()).isFalse();
        assertThat(iterator.checkpoint().remaining()).isEqualTo(SAMPLES);
      }
    }
  }

  /** Of objects whose names end so no byte ever comes, until their streams are closed. */
  private static final class StalledStorage extends ForwardingStorage {
    private final String suffix;
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch cut = new CountDownLatch(1);

    StalledStorage(Storage storage, String suffix) {
      super(storage);
      this.suffix = suffix;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      ObjectStream stream = super.open(url, offset, end, etag);
      return url.toString().endsWith(suffix) ? new Stalled(stream) : stream;
    }

    private final class Stalled extends ObjectStream {
      private final ObjectStream stream;
      private final CountDownLatch closed = new CountDownLatch(1);

      Stalled(ObjectStream stream) {
        this.stream = stream;
      }

      @Override
      public StoredObject object() {
        return stream.object();
      }

      @Override
      public long position() {
        return stream.position();
      }

      @Override
      public long end() {
        return stream.end();
      }

      @Override
      public boolean isOpen() {
        return closed.getCount() > 0;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        reading.countDown();
        boolean interrupted = false;
        while (isOpen()) {
          try {
            closed.await();
          } catch (InterruptedException e) {
            // As a read of a socket, which no interrupt ends.
            interrupted = true;
          }
        }
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        throw new IOException("closed");
      }

      @Override
      public void close() throws IOException {
        closed.countDown();
        cut.countDown();
        stream.close();
      }
    }
  }
}
