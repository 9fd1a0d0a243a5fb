package dev.tarn.gateway.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tarn.gateway.http.EndedExchange;
import dev.tarn.gateway.http.ExchangeRecord;
import dev.tarn.gateway.profile.LoadReport.BucketLoad;
import dev.tarn.gateway.profile.LoadReport.Point;
import dev.tarn.gateway.profile.LoadReport.PrefixLoad;
import dev.tarn.gateway.profile.LoadReport.Span;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class IoProfileTest {
  private static final long START_MS = 1_800_000_000_000L;
  private static final long MS = 1_000_000;

  private final AtomicLong now = new AtomicLong(START_MS);
  private final IoProfile profile = new IoProfile(() -> Instant.ofEpochMilli(now.get()));

  private static ExchangeRecord get(String bucket, String key, long ms, long bytes) {
    return EndedExchange.of("GetObject", bucket, key, 200, ms * MS, 0, bytes);
  }

  private void pass(long seconds) {
    now.addAndGet(seconds * 1000);
  }

  private Span span(String name) {
    return span(Optional.empty(), name);
  }

  private Span span(Optional<String> bucket, String name) {
    return profile.totals(bucket).report().spans().stream()
        .filter(span -> span.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void requestsAreCountedByKindBytesAndOutcome() {
    profile.record(get("data", "a", 2, 4096));
    profile.record(EndedExchange.of("UploadPart", "data", "b", 200, 9 * MS, 100, 0));
    profile.record(EndedExchange.of("HeadObject", "data", "c", 404, MS, 0, 0));
    profile.record(EndedExchange.of("DeleteObjects", "data", null, 503, MS, 10, 20));
    pass(10);

    Span last = span("5m");
    assertThat(last.kinds()).containsExactly(1L, 1L, 1L, 1L);
    assertThat(last.clientErrors()).isEqualTo(1);
    assertThat(last.serverErrors()).isEqualTo(1);
    assertThat(last.received()).isEqualTo(110);
    assertThat(last.sent()).isEqualTo(4116);
    assertThat(last.rates().requests()).isCloseTo(4 / 300.0, within(1e-9));
    assertThat(last.sizes().get(7)).as("64 to 127 bytes").isEqualTo(1);
    assertThat(last.sizes().get(13)).as("4 to 8 KiB").isEqualTo(1);
  }

  @Test
  void objectsThatWereReadAreCountedByTheirWholeSize() {
    ExchangeRecord range = get("data", "a", 1, 100);
    range.objectBytes(1 << 20);
    profile.record(range);
    ExchangeRecord head = EndedExchange.of("HeadObject", "data", "a", 200, MS, 0, 0);
    head.objectBytes(1 << 20);
    profile.record(head);
    profile.record(get("data", "gone", 1, 200));
    pass(10);

    assertThat(span("1h").objectSizes().get(21)).as("1 to 2 MiB").isEqualTo(1);
    assertThat(span("1h").objectSizes().stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
  }

  @Test
  void maximumIsThatOfTheBusiestTenSeconds() {
    for (int i = 0; i < 100; i++) {
      profile.record(get("data", "a", 1, 1000));
    }
    pass(10);
    profile.record(get("data", "a", 1, 1000));
    pass(50);

    Span hour = span("1h");
    assertThat(hour.rates().requestsMax()).isEqualTo(10);
    assertThat(hour.rates().requests()).isCloseTo(101 / 3600.0, within(1e-9));
    assertThat(hour.rates().bytesMax()).isEqualTo(10_000);
    Point busy =
        profile.totals(Optional.empty()).report().day().stream()
            .filter(point -> point.rates().requests() > 0)
            .findFirst()
            .orElseThrow();
    assertThat(busy.rates().requestsMax()).isEqualTo(10);
  }

  @Test
  void quantilesAreTheBoundsOfBinsAndTheGreatestTimeIsExact() {
    for (int i = 0; i < 99; i++) {
      profile.record(get("data", "a", 3, 1));
    }
    profile.record(get("data", "a", 777, 1));
    pass(10);

    assertThat(span("5m").reads().p50()).isBetween(3.0, 3 * 1.42);
    assertThat(span("5m").reads().p99()).isBetween(3.0, 3 * 1.42);
    assertThat(span("5m").reads().max()).isEqualTo(777);
    assertThat(span("5m").writes().max()).isZero();
  }

  @Test
  void eachTimeIsInTheBinWhoseBoundIsTheNextGreater() {
    for (long nanos = 1; nanos < 50_000 * MS; nanos = nanos * 21 / 20 + 1) {
      int bin = Bins.ofTime(nanos);
      assertThat(nanos / 1e6).isLessThanOrEqualTo(Bins.timeBoundMs(bin) * 1.0001);
      if (bin > 0) {
        assertThat(nanos / 1e6).isGreaterThanOrEqualTo(Bins.timeBoundMs(bin - 1) * 0.9999);
      }
    }
    for (long bytes : List.of(0L, 1L, 2L, 3L, 4096L, 1L << 31)) {
      int bin = Bins.ofSize(bytes);
      assertThat(bytes).isLessThanOrEqualTo(Bins.sizeBound(bin));
      assertThat(bytes).isGreaterThan(bin == 0 ? -1 : Bins.sizeBound(bin - 1));
    }
  }

  @Test
  void anHourIsKeptByTenSecondsAndADayByFiveMinutes() {
    profile.record(get("old", "a", 1, 1));
    pass(10);
    assertThat(span(Optional.of("old"), "1h").kinds()).containsExactly(1L, 0L, 0L, 0L);
    pass(3600);
    assertThat(span(Optional.of("old"), "1h").kinds()).containsExactly(0L, 0L, 0L, 0L);
    assertThat(span(Optional.of("old"), "24h").kinds()).containsExactly(1L, 0L, 0L, 0L);
    assertThat(profile.totals(Optional.empty()).report().day()).hasSize(288);
    assertThat(profile.totals(Optional.empty()).report().minutes()).hasSize(60);
    pass(24 * 3600);
    assertThat(span("24h").kinds()).containsExactly(0L, 0L, 0L, 0L);
  }

  @Test
  void bucketThatCausesTheLoadComesFirst() {
    for (int i = 0; i < 10; i++) {
      profile.record(get("busy", "train/" + i, 1, 100));
    }
    profile.record(get("calm", "a", 1, 100));
    profile.record(EndedExchange.of("GetObject", "calm", "gone", 404, MS, 0, 0));
    pass(10);

    assertThat(profile.totals(Optional.empty()).report().buckets())
        .containsExactly(new BucketLoad("busy", 10, 1000, 0), new BucketLoad("calm", 2, 100, 1));
  }

  @Test
  void namesOfBucketsThatAreGuessedTakeNoPlace() {
    for (int i = 0; i < 1000; i++) {
      profile.record(EndedExchange.of("GetObject", "guess-" + i, "a", 403, MS, 0, 0));
    }
    profile.record(get("real", "a", 1, 100));
    pass(10);

    assertThat(profile.totals(Optional.empty()).report().buckets())
        .containsExactly(new BucketLoad("real", 1, 100, 0));
    assertThat(span("5m").kinds().getFirst()).isEqualTo(1001);
  }

  @Test
  void prefixWithTheMostRequestsIsFoundAmongMany() {
    for (int i = 0; i < 40_000; i++) {
      profile.record(get("data", i % 4 == 0 ? "hot/" + i : "cold/" + i % 2000 + "/x", 1, 1));
    }
    pass(10);

    PrefixLoad first = profile.totals(Optional.of("data")).report().prefixes().getFirst();
    assertThat(first.prefix()).isEqualTo("hot/");
    assertThat(first.requests()).isBetween(9_000L, 13_000L);
    assertThat(profile.totals(Optional.of("other")).report().prefixes()).isEmpty();
  }

  @Test
  void requestsOfManyThreadsAreAllCounted() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        all.add(
            threads.submit(() -> {
              for (int i = 0; i < 10_000; i++) {
                profile.record(get("data", "a", 1, 1));
                now.addAndGet(1);
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    pass(10);
    assertThat(span("1h").kinds()).containsExactly(80_000L, 0L, 0L, 0L);
    assertThat(span(Optional.of("data"), "24h").kinds()).containsExactly(80_000L, 0L, 0L, 0L);
  }
}
