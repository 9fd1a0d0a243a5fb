package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.fixtures.s3.Answer;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.backend.S3Backend;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cold reads of a backend that fails in many ways. */
final class BackendFaultsTest {
  private static final int UNIT = 8 << 20;

  /** What is read: each takes its own way through the cache. */
  enum Read {
    SMALL(5000, 0, 4999),
    WHOLE(2 * UNIT + 1000, 0, 2 * UNIT + 999),
    RANGE(2 * UNIT + 1000, UNIT - 100_000, UNIT + 899_999),
    PAGES(2 * UNIT + 1000, UNIT + 1000, UNIT + 5000);

    private final int size;
    private final int first;
    private final int last;

    Read(int size, int first, int last) {
      this.size = size;
      this.first = first;
      this.last = last;
    }

    private Selection selection() {
      return last - first + 1 == size ? Selection.WHOLE : new Selection.Range(first, last);
    }
  }

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final Backend backend =
      S3Backend.open(
          GatedBackend.settings(other),
          new BackendLimits(64, Duration.ofSeconds(5), Duration.ofSeconds(1), 3));
  private final SimulatedDisk disk;
  private CachingNode node;

  BackendFaultsTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    node = open(Freshness.IMMUTABLE);
  }

  private CachingNode open(Freshness freshness) throws IOException {
    return new CachingNode(
        disk,
        StoreSettings.DEFAULT,
        new Backends(any -> backend),
        BucketSettings.PRIMARY
            .with(Durability.OS)
            .withBackend(Optional.of(GatedBackend.settings(other)))
            .with(freshness));
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    backend.close();
    other.close();
  }

  @ParameterizedTest
  @EnumSource
  void readerDoesNotSeeThatEverySecondAnswerIsAFault(Read read) {
    byte[] bytes = there(read);
    AtomicInteger answers = new AtomicInteger();
    other.spoil((request, answer) ->
        answers.getAndIncrement() % 2 == 0 ? Answer.error(503, "SlowDown") : answer);

    assertIsRead(read, bytes);
    assertIsRead(read, bytes);
  }

  @ParameterizedTest
  @EnumSource
  void readerDoesNotSeeThatAnAnswerDoesNotComeInTime(Read read) {
    byte[] bytes = there(read);
    AtomicInteger answers = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    other.spoil((request, answer) -> {
      if (answers.getAndIncrement() == 0) {
        await(never);
      }
      return answer;
    });

    assertIsRead(read, bytes);
    never.countDown();
  }

  @Test
  void partOfAPageIsNotKept() {
    byte[] bytes = there(Read.PAGES);
    other.spoil((request, answer) ->
        new Answer(206, answer.headers(), Arrays.copyOf(answer.body(), 5000), false)
            .with("content-range", "bytes %d-%d/%d".formatted(UNIT, UNIT + 4999, bytes.length)));

    assertThat(node.calls().get("PAGES", Read.PAGES.selection()))
        .isInstanceOf(Outcome.Failed.class);

    other.behave();
    assertIsRead(Read.PAGES, bytes);
    Selection more = new Selection.Range(UNIT + 1000, UNIT + 9000);
    assertThat(value(node.calls().get("PAGES", more)))
        .isEqualTo(Arrays.copyOfRange(bytes, UNIT + 1000, UNIT + 9001));
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 429, 500, 503})
  void statusOfTheBackendIsThatOfTheReadAndNothingIsKept(int status) {
    for (Read read : Read.values()) {
      byte[] bytes = there(read);
      String code = status == 404 ? "NoSuchKey" : "Refused" + status;
      other.spoil((request, answer) -> Answer.error(status, code));

      assertThat(node.calls().get(read.name(), read.selection()))
          .isInstanceOfSatisfying(
              Outcome.Failed.class, failed -> assertIs(failed.failure(), status));
      assertThat(node.store().room().promisedBytes()).isZero();
      other.behave();
      assertIsRead(read, bytes);
    }
  }

  private static void assertIs(Failure failure, int status) {
    if (status == 404) {
      assertThat(failure).isInstanceOf(Failure.NoSuchKey.class);
    } else {
      assertThat(failure)
          .isInstanceOfSatisfying(
              Failure.BackendFailed.class, of -> assertThat(of.httpStatus()).isEqualTo(status));
    }
  }

  @ParameterizedTest
  @EnumSource
  void credentialsThatAreRevokedFailWhatMustBeAskedAndNothingElse(Read read) throws IOException {
    byte[] bytes = there(read);
    assertIsRead(read, bytes);
    node.awaitFetches();
    other.spoil((request, answer) -> Answer.error(403, "AccessDenied"));

    assertIsRead(read, bytes);
    node.close();
    node = open(Freshness.REVALIDATE);
    assertThat(node.calls().get(read.name(), read.selection())).isInstanceOf(Outcome.Failed.class);

    other.behave();
    assertIsRead(read, bytes);
  }

  @ParameterizedTest
  @EnumSource(names = {"SMALL", "PAGES"})
  void manyReadersOfOneColdObjectShareARequest(Read read) throws Exception {
    byte[] bytes = there(read);

    atOnce(10_000, i -> assertIsRead(read, bytes));

    // A reader may come between the entry and its pages.
    assertThat(other.received()).hasSizeLessThanOrEqualTo(2);
    assertThat(node.store().room().promisedBytes()).isZero();
  }

  @Test
  void manyReadersOfAsManyColdObjectsCostOneRequestEachAndFewSecondOnes() throws Exception {
    int objects = 10_000;
    for (int i = 0; i < objects; i++) {
      other.objects().put("key" + i, ("text " + i).getBytes(UTF_8), Map.of());
    }

    atOnce(
        objects,
        i -> assertThat(value(node.calls().get("key" + i))).asString().isEqualTo("text " + i));

    assertThat(other.received()).hasSizeBetween(objects, objects + objects / 100);
  }

  private interface Step {
    void at(int number) throws Exception;
  }

  private static void atOnce(int count, Step step) throws Exception {
    List<Future<?>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        int number = i;
        readers.add(
            threads.submit(() -> {
              step.at(number);
              return true;
            }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private byte[] there(Read read) {
    byte[] bytes = new byte[read.size];
    new Random(read.size).nextBytes(bytes);
    other.objects().put(read.name(), bytes, Map.of());
    return bytes;
  }

  private void assertIsRead(Read read, byte[] bytes) {
    assertThat(
            Arrays.equals(
                value(node.calls().get(read.name(), read.selection())),
                Arrays.copyOfRange(bytes, read.first, read.last + 1)))
        .as("bytes of " + read)
        .isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
