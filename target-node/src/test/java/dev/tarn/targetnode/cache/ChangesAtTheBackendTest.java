package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage.ObjectEntry;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.fixtures.s3.Answer;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.Received;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that change at the backend behind the back of the cache. */
class ChangesAtTheBackendTest {
  private static final int UNIT = 8 << 20;

  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private final BackedNode bucket;
  private final Calls calls;

  ChangesAtTheBackendTest(@TempDir Path folder) {
    bucket = new BackedNode(folder, other, "");
    calls = bucket.calls();
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 300_000, UNIT + 1})
  void objectPutAgainWithOtherHeadersIsReadWithThem(int size) {
    byte[] bytes = bytes(size);
    other.objects().put("key", bytes, Map.of("content-type", "text/plain", "x-amz-meta-n", "1"));
    value(calls.get("key"));
    other.objects().put("key", bytes, Map.of("content-type", "text/html", "content-encoding", "x"));

    for (int i = 0; i < 2; i++) {
      assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
      ObjectMetadata read = value(calls.begin("key")).head().metadata();
      assertThat(read.attributes().headers())
          .containsOnly(Map.entry("content-type", "text/html"), Map.entry("content-encoding", "x"));
      assertThat(read.attributes().userMetadata()).isEmpty();
      assertThat(value(bucket.head("key")).metadata().attributes()).isEqualTo(read.attributes());
    }
  }

  @Test
  void largeObjectPutAgainWithTheSameBytesIsNotFetchedAgain() {
    byte[] bytes = bytes(2 * UNIT);
    other.objects().put("key", bytes, Map.of("content-type", "text/plain"));
    value(calls.get("key"));
    long fetched = gets();
    other.objects().put("key", bytes, Map.of("content-type", "text/html"));

    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();

    assertThat(gets()).isEqualTo(fetched);
  }

  @ParameterizedTest
  @MethodSource("freshnesses")
  void timeOfAWrittenObjectIsTheBackends(Freshness freshness) {
    bucket.freshness(freshness);
    value(calls.put("key", bytes(10)));
    long modifiedMs = other.objects().find("key", null).orElseThrow().modifiedMs();

    assertThat(value(calls.begin("key")).head().metadata().modifiedMs()).isEqualTo(modifiedMs);
    assertThat(value(bucket.head("key")).metadata().modifiedMs()).isEqualTo(modifiedMs);
    assertThat(value(bucket.list("", "", "", 10)).entries())
        .first()
        .isInstanceOfSatisfying(
            ObjectEntry.class, listed -> assertThat(listed.modifiedMs()).isEqualTo(modifiedMs));
    assertThat(gets()).as("the written bytes are read from the cache").isZero();
  }

  static Stream<Freshness> freshnesses() {
    return Stream.of(Freshness.REVALIDATE, Freshness.IMMUTABLE, Freshness.ttl(Duration.ofHours(1)));
  }

  @Test
  void writtenObjectThatTheBackendHasDescribedIsBelieved() {
    bucket.freshness(Freshness.IMMUTABLE);
    value(calls.put("key", bytes(10)));
    value(calls.get("key"));
    int before = other.received().size();

    assertThat(value(calls.get("key"))).isEqualTo(bytes(10));

    assertThat(other.received()).hasSize(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {12_000, 300 << 10, UNIT + 5})
  void objectPutAgainBetweenCheckAndReadIsReadAsItIsThen(int size) {
    other.objects().put("key", bytes(9), Map.of());
    value(calls.get("key"));
    other.objects().put("key", bytes(size), Map.of());
    byte[] last = bytes(size + 1);
    putBeforeReads(1, last);

    assertThat(Arrays.equals(value(calls.get("key")), last)).isTrue();
    assertThat(Arrays.equals(value(calls.get("key")), last)).isTrue();
  }

  @Test
  void objectPutAgainDuringEachAttemptFailsByName() {
    other.objects().put("key", bytes(9), Map.of());
    value(calls.get("key"));
    other.objects().put("key", bytes(UNIT), Map.of());
    putBeforeReads(Integer.MAX_VALUE, bytes(UNIT + 1));

    assertThat(calls.get("key"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        Failure.BackendFailed.class,
                        failure ->
                            assertThat(failure.message()).contains("changed at the backend")));
  }

  @Test
  void objectDeletedBetweenCheckAndReadIsMissing() {
    other.objects().put("key", bytes(9), Map.of());
    value(calls.get("key"));
    other.objects().put("key", bytes(UNIT), Map.of());
    other.spoil((request, answer) -> {
      if (request.method().equals("GET") && request.isOfObject()) {
        other.objects().delete("key", null);
        return Answer.error(404, "NoSuchKey");
      }
      return answer;
    });

    assertThat(calls.get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  @Test
  void unitOfAReplacedImmutableObjectIsReadFromTheNewOne() {
    bucket.freshness(Freshness.IMMUTABLE);
    other.objects().put("key", bytes(2 * UNIT), Map.of());
    value(calls.get("key", new Selection.Range(0, 10)));
    byte[] second = bytes(2 * UNIT + 1);
    other.objects().put("key", second, Map.of());

    assertThat(value(calls.get("key", new Selection.Range(UNIT, UNIT + 10))))
        .isEqualTo(Arrays.copyOfRange(second, UNIT, UNIT + 11));
    assertThat(Arrays.equals(value(calls.get("key")), second)).isTrue();
  }

  /** Puts an object before each of the next reads of its bytes, which then fails as on AWS. */
  private void putBeforeReads(int times, byte[] bytes) {
    AtomicInteger left = new AtomicInteger(times);
    other.spoil((request, answer) -> {
      if (request.method().equals("GET") && request.isOfObject() && left.getAndDecrement() > 0) {
        byte[] changed = bytes.clone();
        if (times > 1) {
          changed[0] = (byte) left.get();
        }
        other.objects().put("key", changed, Map.of());
        return Answer.error(412, "PreconditionFailed");
      }
      return answer;
    });
  }

  private long gets() {
    return other.received().stream()
        .filter(Received::isOfObject)
        .filter(request -> request.method().equals("GET"))
        .count();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
