package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.metrics.EpochMetrics;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Epochs of a machine that has no more threads to give, whichever of them is the first to lack. */
@Timeout(60)
final class ThreadShortageTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SAMPLES = 60;
  private static final int CONNECTIONS = 3;
  private static final int MAPPERS = 2;

  /** Every new thread is told of, and may be refused, where it is made. */
  private static final class Shortage extends InheritableThreadLocal<Integer> {
    private int left;

    @Override
    protected Integer childValue(Integer value) {
      if (left == 0) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      left--;
      return value;
    }
  }

  private final MemoryStorage storage = new MemoryStorage();
  private final Shortage shortage = new Shortage();
  private final List<EpochMetrics> underWay = new ArrayList<>();

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 2, SAMPLES / 2, 1000);
  }

  @AfterEach
  void end() {
    shortage.remove();
  }

  private ShardDataset dataset() throws IOException {
    EpochListener listener =
        new EpochListener() {
          @Override
          public void begun(EpochMetrics epoch) {
            underWay.add(epoch);
          }

          @Override
          public void ended(EpochMetrics epoch) {
            underWay.remove(epoch);
          }
        };
    return ShardDataset.builder()
        .storage(storage)
        .rank(0, 1)
        .manifest(FOLDER.toString())
        .shuffle(Shuffle.blocks(20_000))
        .connections(CONNECTIONS)
        .listener(listener)
        .build();
  }

  /** Begins an epoch with so many threads; whether there were enough. */
  private boolean begins(Loader<Integer> loader, int threads) {
    shortage.left = threads;
    shortage.set(0);
    try (ResumableIterator<Integer> batches = loader.iterate()) {
      shortage.remove();
      int samples = 0;
      while (batches.hasNext()) {
        samples += batches.next();
      }
      assertThat(samples).isEqualTo(SAMPLES);
      return true;
    } catch (OutOfMemoryError e) {
      assertThat(e).hasMessage("unable to create native thread");
      return false;
    } finally {
      shortage.remove();
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tarn-"))
        .toList();
  }

  @Test
  void whatWasBegunEndsWhereAThreadCannotBeStarted() throws IOException {
    try (ShardDataset dataset = dataset()) {
      Loader<Integer> loader =
          dataset
              .loader()
              .map(MAPPERS, MapOrder.ORDERED, Sample::key)
              .batch(7, LastBatch.KEEP, List::size)
              .prefetch(2);
      int threads = 0;
      while (!begins(loader, threads)) {
        assertThat(threads()).as("with %d threads", threads).isEmpty();
        assertThat(underWay).as("with %d threads", threads).isEmpty();
        threads++;
      }
      // Those that fetch, one that gathers blocks, those that map, one that works ahead.
      assertThat(threads).isEqualTo(CONNECTIONS + 1 + MAPPERS + 1);
    }
  }
}
