package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.control.BucketSettings.Verify;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bucket whose objects are another S3's: what is read, written and believed. */
class CachedBucketTest extends CachedBucketFixture {
  CachedBucketTest(@TempDir Path folder) throws IOException {
    super(folder);
  }

  @Test
  void aHundredReadersOfAColdObjectCostOneReadOfEachUnit() throws Exception {
    byte[] bytes = there("large", 8 * UNIT);
    CRC32C expected = new CRC32C();
    expected.update(bytes);
    List<StreamReader> readers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      readers.add(new StreamReader(open("large")));
    }
    for (StreamReader reader : readers) {
      assertThat(reader.readToEnd()).isEqualTo(bytes.length);
      assertThat(reader.crc32c()).isEqualTo(expected.getValue());
    }

    assertThat(backend.rangesRead())
        .hasSize(8)
        .doesNotHaveDuplicates()
        .allSatisfy(first -> assertThat(first % UNIT).isZero());
  }

  @Test
  void readersThatFindAUnitAtTheSameTimeReadItFromTheDisk() throws Exception {
    int rest = 1 << 20;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int object = 0; object < 8; object++) {
        String key = "object-" + object;
        there(key, UNIT + rest);
        value(calls.get(key, new Selection.Range(0, UNIT - 1)));
        List<OutgoingBody.Stream> streams = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
          streams.add(open(key, new Selection.Range(UNIT - 1, UNIT + rest - 1)));
        }
        // Each stream was opened before the second unit was stored, so each looks it up.
        assertThat(new StreamReader(streams.removeFirst()).readToEnd()).isEqualTo(rest + 1);
        List<Future<Long>> lengths =
            streams.stream()
                .map(stream -> threads.submit(() -> new StreamReader(stream).readToEnd()))
                .toList();
        for (Future<Long> length : lengths) {
          assertThat(length.get()).isEqualTo(rest + 1);
        }
      }
    }

    assertThat(backend.rangesRead()).hasSize(2 * 8);
    assertThat((long) node.cacheMeters().unitsPassed.count()).isZero();
  }

  @Test
  void theFirstByteComesBeforeTheLastIsFetched() throws Exception {
    byte[] bytes = there("large", UNIT);
    CountDownLatch rest = new CountDownLatch(1);
    backend.hold(1 << 20, rest);

    try (StreamReader reader = new StreamReader(open("large"))) {
      assertThat(reader.next()).isEqualTo(bytes[0]);
      rest.countDown();
      assertThat(reader.readToEnd()).isEqualTo(bytes.length);
    }
  }

  @Test
  void aReaderThatLeavesAndOneThatStallsHoldUpNobody() throws Exception {
    byte[] bytes = there("large", 2 * UNIT);
    CountDownLatch rest = new CountDownLatch(1);
    backend.hold(1 << 20, rest);
    StreamReader stalled = new StreamReader(open("large"));
    try (StreamReader leaving = new StreamReader(open("large"))) {
      assertThat(leaving.next()).isEqualTo(bytes[0]);
    }
    rest.countDown();

    assertThat(Arrays.equals(value(calls.get("large")), bytes)).isTrue();
    assertThat(backend.rangesRead()).hasSize(2);
    assertThat(stalled.readToEnd()).isEqualTo(bytes.length);
    stalled.close();
  }

  @Test
  void aRangeOfALargeObjectFetchesItsUnitsOnly() throws Exception {
    byte[] bytes = there("large", 4 * UNIT);

    assertThat(value(calls.get("large", new Selection.Range(2 * UNIT + 5, 3 * UNIT - 1))))
        .isEqualTo(Arrays.copyOfRange(bytes, 2 * UNIT + 5, 3 * UNIT));
    assertThat(value(calls.get("large", new Selection.Suffix(UNIT - 7))))
        .isEqualTo(Arrays.copyOfRange(bytes, 3 * UNIT + 7, bytes.length));

    assertThat(backend.rangesRead()).containsExactly(2L * UNIT, 3L * UNIT);
  }

  @Test
  void missAndHitOfASmallObjectShowTheSameMetadata() {
    freshness = Freshness.IMMUTABLE;
    there("small", 5000);

    ObjectRead miss = value(Calls.await(node.target().call(get("small"))));
    ObjectRead hit = value(Calls.await(node.target().call(get("small"))));

    assertThat(node.cacheMeters().hits()).isOne();
    assertThat(hit.head()).isEqualTo(miss.head());
    assertThat(Calls.read(hit)).isEqualTo(Calls.read(miss));
  }

  @Test
  void aSmallObjectCostsOneReadAndThenNone() throws Exception {
    freshness = Freshness.IMMUTABLE;
    byte[] bytes = there("small", 5000);

    assertThat(value(calls.get("small"))).isEqualTo(bytes);
    assertThat(value(calls.get("small"))).isEqualTo(bytes);

    assertThat(backend.rangesRead()).containsExactly(0L);
    assertThat(node.cacheMeters().misses()).isEqualTo(1);
    assertThat(node.cacheMeters().hits()).isEqualTo(1);
  }

  @Test
  void anEmptyObjectIsRead() throws Exception {
    there("empty", 0);

    assertThat(value(calls.get("empty"))).isEmpty();
    assertThat(value(calls.get("empty"))).isEmpty();
  }

  @Test
  void anObjectThatChangedAtTheBackendIsReadAnew() throws Exception {
    there("key", 1000);
    value(calls.get("key"));
    byte[] changed = there("key", 2 * UNIT);

    assertThat(Arrays.equals(value(calls.get("key")), changed)).isTrue();
  }

  @Test
  void anImmutableBucketAsksNoMore() throws Exception {
    freshness = Freshness.IMMUTABLE;
    byte[] first = there("key", 1000);
    value(calls.get("key"));
    there("key", 2000);

    assertThat(value(calls.get("key"))).isEqualTo(first);
  }

  @Test
  void aSmallObjectIsServedAfterItsTimeToLiveToo() throws Exception {
    freshness = Freshness.ttl(Duration.ofMillis(1));
    byte[] bytes = there("key", 1000);

    for (int i = 0; i < 20; i++) {
      assertThat(value(calls.get("key"))).isEqualTo(bytes);
    }
    assertThat(backend.rangesRead()).hasSize(1);
  }

  @Test
  void readThatHasBegunIsCarriedOutAfterItsDeadline() throws Exception {
    byte[] bytes = there("key", UNIT);
    value(calls.get("key"));
    verify = Verify.ALWAYS;
    Deadline soon = Deadline.in(Duration.ofMillis(250));
    backend.beforeHead(() -> {
      while (!soon.hasPassed()) {
        Thread.onSpinWait();
      }
    });

    var read = value(Calls.await(node.target().call(get("key").at(0, soon))));
    try (StreamReader reader = new StreamReader((OutgoingBody.Stream) read.body())) {
      assertThat(reader.readToEnd()).isEqualTo(bytes.length);
    }
    assertThat(soon.hasPassed()).isTrue();
  }

  @Test
  void aReadThatBeganBeforeAWriteAnswersNoReaderThatCameAfterIt() throws Exception {
    there("key", 1000);
    CountDownLatch rest = new CountDownLatch(1);
    backend.hold(10, rest);
    var slow = node.target().call(get("key"));
    backend.release();
    byte[] written = bytes(2000);
    value(calls.put("key", written));

    assertThat(value(calls.get("key"))).isEqualTo(written);
    rest.countDown();
    value(Calls.await(slow)).body().close();
    assertThat(value(calls.get("key"))).isEqualTo(written);
  }

  @Test
  void anObjectThatIsGoneAtTheBackendIsGone() throws Exception {
    there("key", 1000);
    value(calls.get("key"));
    backend.delete(ObjectKey.of("key"), Optional.empty(), Preconditions.NONE, false);

    assertThat(calls.get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  @Test
  void aDeleteUnderAConditionThatTheBackendCannotCheckIsRefused() throws Exception {
    byte[] bytes = there("key", 1000);
    OptionalLong none = OptionalLong.empty();
    CallScope scope = new CallScope(BUCKET, 0, 0, CallContext.UNNAMED);

    for (Preconditions condition :
        List.of(
            new Preconditions(List.of(), List.of("*"), none, none),
            new Preconditions(List.of(), List.of(), none, none, OptionalLong.of(1000), none),
            new Preconditions(List.of(), List.of(), none, none, none, OptionalLong.of(1000)))) {
      assertThat(
              Calls.await(
                  node.target()
                      .call(
                          new TargetRequest.Delete(
                              scope, ObjectKey.of("key"), Optional.empty(), condition))))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.InvalidRequest.class));
    }
    assertThat(value(calls.get("key"))).isEqualTo(bytes);
  }

  @Test
  void whileTheBackendIsDownWhatIsCachedIsServed() throws Exception {
    byte[] bytes = there("key", UNIT + 5);
    value(calls.get("key"));
    there("other", 10);
    backend.goDown();

    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
    assertThat(calls.get("other"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.BackendFailed.class));
    assertThat((long) node.cacheMeters().servedStale.count()).isPositive();
  }

  @Test
  void aWriteGoesThroughAndIsReadWithoutAskingForBytes() throws Exception {
    byte[] bytes = bytes(UNIT + 1000);
    var written = value(calls.put("key", bytes));

    assertThat(backend.head(ObjectKey.of("key"), Optional.empty()).etag())
        .isEqualTo(written.etag());
    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
    assertThat(backend.rangesRead()).isEmpty();
  }

  @Test
  void anMd5ThatIsDeclaredBehindTheBodyIsVerified() throws Exception {
    byte[] bytes = bytes(1 << 20);
    byte[] damaged = bytes.clone();
    damaged[500_000] ^= 1;
    BodyDigests digests = new BodyDigests(true, Set.of());
    digests.update(ByteBuffer.wrap(bytes));
    DeclaredDigests md5 = new DeclaredDigests(digests.finish().md5Hex(), List.of());
    String upload = value(calls.create("key"));

    assertThat(calls.put("key", TestBody.of(damaged).declaringAtEnd(md5), Preconditions.NONE))
        .isEqualTo(Outcome.failed(new Failure.BadDigest()));
    assertThat(calls.putPart("key", upload, 1, TestBody.of(damaged).declaringAtEnd(md5)))
        .isEqualTo(Outcome.failed(new Failure.BadDigest()));
    assertThat(calls.get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));

    value(calls.putPart("key", upload, 1, TestBody.of(bytes).declaringAtEnd(md5)));
    value(calls.put("key", TestBody.of(bytes).declaringAtEnd(md5), Preconditions.NONE));
    assertThat(value(calls.get("key"))).isEqualTo(bytes);
  }

  @Test
  void theBackendJudgesTheConditionsOfAWrite() throws Exception {
    there("key", 10);
    Preconditions absent =
        new Preconditions(List.of(), List.of("*"), OptionalLong.empty(), OptionalLong.empty());

    assertThat(calls.put("key", bytes(20), absent))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.PreconditionFailed.class));
    assertThat(value(calls.get("key"))).hasSize(10);
  }

  @Test
  void anUploadGoesThroughAndReplacesWhatWasCached() throws Exception {
    there("key", 10);
    value(calls.get("key"));
    byte[] part = bytes(5 << 20);
    String upload = value(calls.create("key"));
    ObjectPart stored = value(calls.putPart("key", upload, 1, part));

    var completed = value(calls.complete("key", upload, List.of(stored)));

    assertThat(completed.etag()).endsWith("-1");
    assertThat(Arrays.equals(value(calls.get("key")), part)).isTrue();
  }

  @Test
  void aDeleteGoesThrough() throws Exception {
    there("key", 10);
    value(calls.get("key"));

    value(calls.delete("key"));

    assertThat(calls.get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  @Test
  void theListingIsTheBackends() throws Exception {
    there("a/1", 1);
    there("a/2", 1);
    there("b", 1);

    assertThat(calls.list("", "/", 1)).containsExactly("a/", "b");
    assertThat(calls.list("a/", "", 10)).containsExactly("a/1", "a/2");
  }

  private OutgoingBody.Stream open(String key) {
    return open(key, Selection.WHOLE);
  }

  private OutgoingBody.Stream open(String key, Selection selection) {
    ObjectRead read = value(Calls.await(node.target().call(get(key, selection, false))));
    return (OutgoingBody.Stream) read.body();
  }
}
