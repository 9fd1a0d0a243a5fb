package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.fixtures.s3.Answer;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted of the reads of a cached bucket, and of what leaves its cache. */
class TrafficOfReadsTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final int UNIT = 8 << 20;

  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private final BackedNode bucket;
  private final Calls calls;

  TrafficOfReadsTest(@TempDir Path folder) {
    bucket = new BackedNode(folder, other, "");
    bucket.freshness(Freshness.IMMUTABLE);
    calls = bucket.calls();
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @Test
  void eachRequestForBytesIsAFetch() {
    there("small", 1000);
    there("large", 2 * UNIT);
    value(calls.get("small"));
    value(calls.get("small"));
    value(calls.get("large"));
    bucket.head("small");

    assertThat(count().fetches()).isEqualTo(3);
    assertThat(count().fetchErrors()).isZero();
    assertThat(count().fetchMicros()).isPositive();
    assertThat(count().slowestFetchMicros()).isBetween(1L, count().fetchMicros());
    assertThat(count().hits()).isEqualTo(1);
    assertThat(count().misses()).isEqualTo(2);
  }

  @Test
  void bytesThatAReadFetchedDoNotCountAsHits() {
    there("large", 6 * UNIT);
    value(calls.get("large"));
    assertThat(count().hitBytes()).isZero();
    assertThat(count().fetchedBytes()).isEqualTo(6 * UNIT);

    value(calls.get("large"));
    assertThat(count().hitBytes()).isEqualTo(6 * UNIT);
    assertThat(count().fetchedBytes()).isEqualTo(6 * UNIT);
  }

  @Test
  void failedFetchIsAnErrorAndAMissingObjectIsNone() {
    assertThat(calls.get("missing")).isInstanceOf(Outcome.Failed.class);
    assertThat(count().fetchErrors()).isZero();

    there("key", 1000);
    other.spoil((received, answer) -> Answer.error(403, "AccessDenied"));
    assertThat(calls.get("key")).isInstanceOf(Outcome.Failed.class);

    assertThat(count().fetchErrors()).isEqualTo(1);
  }

  @Test
  void bytesThatLeaveAreCountedAndThoseThatWereNotReadAgain() throws IOException {
    there("once", UNIT);
    value(calls.get("once"));
    value(bucket.call(new Evict(bucket.scope(), "", "", 1000)));

    TargetReport.Left left = requireNonNull(bucket.node().leftOfBuckets().get(BUCKET));
    assertThat(left.dropped()).isGreaterThanOrEqualTo(UNIT).isLessThan(UNIT + 20_000);
    assertThat(left.unread()).isEqualTo(left.dropped());
    assertThat(left.forRoom() + left.forBetter() + left.forShares()).isZero();
  }

  private void there(String key, int length) {
    other.objects().put(key, new byte[length], Map.of());
  }

  private TargetReport.Traffic count() {
    return requireNonNull(bucket.node().cacheMeters().traffic().get(BUCKET)).sinceStart();
  }
}
