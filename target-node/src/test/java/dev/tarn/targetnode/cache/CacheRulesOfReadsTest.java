package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.Received;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.index.BucketUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects whose keys begin with a prefix that bypasses the cache, or has a freshness of its own.
 */
class CacheRulesOfReadsTest {
  private static final int UNIT = 8 << 20;

  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private final BackedNode bucket;
  private final Calls calls;

  CacheRulesOfReadsTest(@TempDir Path folder) {
    bucket = new BackedNode(folder, other, "");
    calls = bucket.calls();
    bucket.rules(CacheRules.parse("bypass:tmp/ normal=immutable:tmp/fixed/ normal=15m:labels/"));
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, UNIT + 5})
  void eachReadOfABypassedObjectIsOneRequest(int length) throws IOException {
    byte[] bytes = there("tmp/a", length);

    for (int i = 1; i <= 3; i++) {
      assertThat(Arrays.equals(value(calls.get("tmp/a")), bytes)).isTrue();
      assertThat(requests()).isEqualTo(i);
    }
    assertThat(value(calls.get("tmp/a", new Selection.Range(length - 1, length + 10))))
        .containsExactly(bytes[length - 1]);
    assertThat(requests()).isEqualTo(4);
    assertThat(cachedBytes()).isZero();
  }

  @Test
  void allSelectionsOfABypassedObjectAreRead() {
    byte[] bytes = there("tmp/a", 3000);

    assertThat(value(calls.get("tmp/a", new Selection.Suffix(10))))
        .isEqualTo(Arrays.copyOfRange(bytes, 2990, 3000));
    assertThat(value(bucket.head("tmp/a")).metadata().sizeBytes()).isEqualTo(3000);
    assertThat(calls.get("tmp/a", new Selection.Range(3000, 3001)))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.RangeNotSatisfiable.class));
    assertThat(calls.get("tmp/missing"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.NoSuchKey.class));
    there("tmp/empty", 0);
    assertThat(value(calls.get("tmp/empty"))).isEmpty();
  }

  @Test
  void conditionsOfABypassedReadAreJudged() {
    byte[] bytes = there("tmp/a", 3000);
    String etag = value(bucket.head("tmp/a")).metadata().etag();

    assertThat(conditional(List.of(), List.of(etag)))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.NotModified.class));
    assertThat(conditional(List.of("another"), List.of()))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.PreconditionFailed.class));
    assertThat(Calls.read(value(conditional(List.of(etag), List.of())))).isEqualTo(bytes);
    assertThat(value(calls.get("tmp/a", new Selection.Part(1)))).isEqualTo(bytes);
  }

  private Outcome<ObjectRead> conditional(List<String> ifMatch, List<String> ifNoneMatch) {
    return bucket.call(
        new TargetRequest.Get(
            bucket.scope(),
            ObjectKey.of("tmp/a"),
            Optional.empty(),
            Selection.WHOLE,
            new Preconditions(ifMatch, ifNoneMatch, OptionalLong.empty(), OptionalLong.empty()),
            false));
  }

  @Test
  void whatIsWrittenPastTheCacheIsNotKept() throws IOException {
    value(calls.put("tmp/a", new byte[1000]));
    value(calls.put("tmp/b", new byte[UNIT]));

    assertThat(cachedBytes()).isZero();
    assertThat(value(calls.get("tmp/a"))).hasSize(1000);
  }

  @Test
  void whatWasCachedBeforeIsNotServedBypassed() {
    bucket.rules(CacheRules.NONE);
    bucket.freshness(Freshness.IMMUTABLE);
    there("tmp/a", 1000);
    value(calls.get("tmp/a"));
    bucket.rules(CacheRules.parse("bypass:tmp/"));
    byte[] changed = there("tmp/a", 999);

    assertThat(value(calls.get("tmp/a"))).isEqualTo(changed);
    assertThat(value(bucket.head("tmp/a")).metadata().sizeBytes()).isEqualTo(999);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tmp/fixed/a", "labels/a"})
  void freshnessOfAPrefixHolds(String key) {
    byte[] bytes = there(key, 1000);
    value(calls.get(key));
    there(key, 999);
    long before = requests();

    assertThat(value(calls.get(key))).isEqualTo(bytes);
    assertThat(value(bucket.head(key)).metadata().sizeBytes()).isEqualTo(1000);
    assertThat(requests()).isEqualTo(before);
  }

  @Test
  void otherKeysHaveTheFreshnessOfTheBucket() {
    there("train/a", 1000);
    value(calls.get("train/a"));
    byte[] changed = there("train/a", 999);

    assertThat(value(calls.get("train/a"))).isEqualTo(changed);
  }

  private byte[] there(String key, int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    other.objects().put(key, bytes, Map.of());
    return bytes;
  }

  private long requests() {
    return other.received().stream().filter(Received::isOfObject).count();
  }

  private long cachedBytes() throws IOException {
    BucketUsage usage = bucket.node().usage().get(new BucketId(1));
    return usage == null ? 0 : usage.bytes();
  }
}
