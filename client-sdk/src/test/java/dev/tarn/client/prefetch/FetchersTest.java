package dev.tarn.client.prefetch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.index.IndexStore;
import dev.tarn.client.prefetch.FetchOptions.GapLimits;
import dev.tarn.client.prefetch.FetchOptions.Head;
import dev.tarn.client.shards.ShardSource;
import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.LocalStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.lang.Thread.State;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How many threads fetch parts of local files. */
@Timeout(60)
final class FetchersTest {
  private static final int CONNECTIONS = 4;
  private static final int FILES = 60;
  private static final int FILE_BYTES = 1000;

  @TempDir Path directory;

  private final Thread consumer = Thread.currentThread();
  private final Set<String> fetchers = ConcurrentHashMap.newKeySet();

  /** The number of the file that the consumer takes. */
  private volatile int wanted = -1;

  /** Reads a file of a number when it may. */
  private final class Disk extends ForwardingStorage {
    private final IntPredicate mayRead;

    Disk(IntPredicate mayRead) {
      super(new LocalStorage());
      this.mayRead = mayRead;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      fetchers.add(Thread.currentThread().getName());
      while (!mayRead.test(Integer.parseInt(url.name()))) {
        Thread.onSpinWait();
      }
      return super.open(url, offset, end, etag);
    }
  }

  /** Takes all files, one part each. */
  private void takeAll(Disk disk, Runnable afterEach) throws IOException {
    StorageUrl folder = StorageUrl.parse(directory.toString());
    for (int i = 0; i < FILES; i++) {
      disk.write(folder.child(String.valueOf(i)), ByteBuffer.allocate(FILE_BYTES));
    }
    try (Prefetch prefetch =
        new Prefetch(
            disk,
            IntStream.range(0, FILES)
                .mapToObj(i -> ShardSource.of(folder.child(String.valueOf(i))))
                .map(Extent::whole)
                .iterator(),
            new IndexStore(disk, 1, Optional.empty()),
            new FetchOptions(false, false, GapLimits.NONE, Head.ONE_SAMPLE),
            PrefetchLimits.of(1 << 20, CONNECTIONS, PrefetchLimits.UNBOUNDED_DEPTH))) {
      for (int number = 0; number < FILES; number++) {
        wanted = number;
        requireNonNull(prefetch.take()).release();
        afterEach.run();
      }
      assertThat(prefetch.take()).isNull();
    }
  }

  /** Until all that can be fetched is. */
  private static void awaitIdleFetchers() {
    while (Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tarn-prefetch-"))
        .anyMatch(thread -> thread.getState() != State.WAITING)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void oneIsEnoughWhereTheConsumerDoesNotWait() throws IOException {
    takeAll(new Disk(number -> true), FetchersTest::awaitIdleFetchers);
    assertThat(fetchers).hasSize(1);
  }

  @Test
  void allThatMayAreThereSoonWhereTheConsumerWaitsForEachPart() throws IOException {
    takeAll(
        new Disk(number ->
            number < wanted || (number == wanted && consumer.getState() == State.WAITING)),
        () -> {});
    assertThat(fetchers).hasSize(CONNECTIONS);
  }
}
