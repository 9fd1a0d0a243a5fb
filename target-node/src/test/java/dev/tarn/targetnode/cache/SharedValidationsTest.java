package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to ask the backend at every read, which is what buckets do by default. */
final class SharedValidationsTest extends CachedBucketFixture {
  private static final int SMALL = 5000;

  SharedValidationsTest(@TempDir Path folder) throws IOException {
    super(folder);
  }

  @Test
  void readersAtTheSameTimeShareQuestions() throws Exception {
    byte[] bytes = there("key", SMALL);
    value(calls.get("key"));
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    backend.beforeHead(() -> {
      asked.countDown();
      await(latch);
    });

    List<Future<byte[]>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 64; i++) {
        readers.add(threads.submit(() -> value(calls.get("key"))));
      }
      await(asked);
      while (node.cacheMeters().revalidations.count() < 64) {
        Thread.onSpinWait();
      }
      latch.countDown();
      for (Future<byte[]> reader : readers) {
        assertThat(reader.get()).isEqualTo(bytes);
      }
    }

    assertThat(backend.heads()).isLessThan(8);
  }

  @Test
  void readerDoesNotShareAnAnswerThatMayBeOlderThanWhatItMustSee() throws Exception {
    there("key", SMALL);
    value(calls.get("key"));
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    backend.afterHead(() -> {
      if (isFirst.getAndSet(false)) {
        answered.countDown();
        await(latch);
      }
    });

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<byte[]> before = threads.submit(() -> value(calls.get("key")));
      await(answered);
      byte[] changed = there("key", SMALL + 1);
      double asked = node.cacheMeters().revalidations.count();
      Future<byte[]> after = threads.submit(() -> value(calls.get("key")));
      while (node.cacheMeters().revalidations.count() == asked) {
        Thread.onSpinWait();
      }
      latch.countDown();

      assertThat(before.get()).hasSizeBetween(SMALL, SMALL + 1);
      assertThat(after.get()).isEqualTo(changed);
    }
  }

  @Test
  void requestForBytesThatAreNotHereIsTheQuestion() {
    byte[] bytes = there("large", 3 * UNIT);
    value(calls.get("large", new Selection.Range(0, UNIT - 1)));
    assertThat(backend.heads()).isZero();

    Selection second = new Selection.Range(UNIT, 2L * UNIT - 1);
    assertThat(Arrays.equals(value(calls.get("large", second)), part(bytes, UNIT, UNIT))).isTrue();
    Selection small = new Selection.Range(2L * UNIT + 10, 2L * UNIT + 19);
    assertThat(value(calls.get("large", small))).isEqualTo(part(bytes, 2 * UNIT + 10, 10));

    assertThat(backend.heads()).isZero();
    assertThat(backend.rangesRead()).containsExactly(0L, (long) UNIT, 2L * UNIT);
  }

  @Test
  void changeIsSeenByTheRequestForBytesThatAreNotHere() {
    there("large", 3 * UNIT);
    value(calls.get("large", new Selection.Range(0, UNIT - 1)));
    Selection second = new Selection.Range(UNIT, 2L * UNIT - 1);
    Selection pages = new Selection.Range(2L * UNIT + 10, 2L * UNIT + 19);

    byte[] other = there("large", 3 * UNIT + 1);
    assertThat(Arrays.equals(value(calls.get("large", second)), part(other, UNIT, UNIT))).isTrue();
    byte[] third = there("large", 3 * UNIT + 2);
    assertThat(value(calls.get("large", pages))).isEqualTo(part(third, 2 * UNIT + 10, 10));
    byte[] shrunk = there("large", 2 * UNIT);
    assertThat(calls.get("large", pages)).isInstanceOf(Outcome.Failed.class);
    assertThat(Arrays.equals(value(calls.get("large", second)), part(shrunk, UNIT, UNIT))).isTrue();
    byte[] small = there("large", SMALL);
    assertThat(value(calls.get("large"))).isEqualTo(small);
  }

  private static byte[] part(byte[] bytes, int offset, int length) {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
