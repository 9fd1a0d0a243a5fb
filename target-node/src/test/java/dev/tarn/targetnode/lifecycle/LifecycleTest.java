package dev.tarn.targetnode.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.LifecycleRule.AfterDays;
import dev.tarn.cluster.control.LifecycleRule.Filter;
import dev.tarn.cluster.control.LifecycleRule.OfLoneDeleteMarkers;
import dev.tarn.cluster.control.LifecycleRule.OnDate;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.targetnode.lifecycle.LifecycleMeters.Deed;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What lifecycle rules do to the objects, versions and uploads of a bucket as days go by. */
class LifecycleTest extends LifecycleFixture {
  @Test
  void objectsExpireAtTheMidnightAfterTheirDaysHavePassed() {
    put("old");
    rules(expiring(Filter.ALL, new AfterDays(3)));
    now = Instant.parse("2026-03-13T23:59:59Z");
    round();
    assertThat(versions()).containsExactly("old");

    put("young");
    now = Instant.parse("2026-03-14T00:00:00Z");
    round();
    assertThat(versions()).containsExactly("young");
    assertThat(lifecycle.meters().counted(Deed.OBJECT_EXPIRED)).isEqualTo(1);
    assertThat(lifecycle.meters().counted(Deed.ROUND)).isEqualTo(2);
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isZero();
  }

  @Test
  void objectsExpireFromADateOn() {
    put("a");
    rules(expiring(Filter.ALL, new OnDate(Instant.parse("2026-04-01T00:00:00Z").toEpochMilli())));
    days(21);
    round();
    assertThat(versions()).containsExactly("a");
    days(1);
    round();
    assertThat(versions()).isEmpty();
  }

  @Test
  void rulesLookAtPrefixTagsAndSize() {
    put("logs/a");
    put("other");
    put("logs/kept", Map.of("keep", "yes"), "x");
    put("tagged", Map.of("keep", "no", "more", "tags"), "x");
    put("large", Map.of(), "0123456789");
    rules(
        expiring(
            new Filter("logs/", Map.of(), OptionalLong.empty(), OptionalLong.of(1)),
            new AfterDays(1)),
        expiring(
            new Filter("", Map.of("keep", "no"), OptionalLong.empty(), OptionalLong.empty()),
            new AfterDays(1)),
        expiring(
            new Filter("", Map.of(), OptionalLong.of(9), OptionalLong.empty()), new AfterDays(1)));
    put("logs/empty", Map.of(), "");
    days(2);
    round();
    assertThat(versions()).containsExactly("logs/a", "logs/kept", "other");
  }

  @Test
  void disabledRulesDoNothing() {
    put("a");
    LifecycleRule rule = expiring(Filter.ALL, new AfterDays(1));
    rules(
        new LifecycleRule(
            rule.id(),
            false,
            rule.filter(),
            rule.expiration(),
            rule.noncurrentDays(),
            rule.newerNoncurrentVersions(),
            OptionalInt.of(1)));
    createUpload("open");
    days(30);
    round();
    assertThat(versions()).containsExactly("a");
    assertThat(uploads()).containsExactly("open");
  }

  @Test
  void expiredObjectsOfAVersionedBucketStayBehindADeleteMarker() {
    versioning(Versioning.ENABLED);
    put("a");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    round();
    round();
    assertThat(versions()).containsExactly("a deleted", "a");
    assertThat(lifecycle.meters().counted(Deed.OBJECT_EXPIRED)).isEqualTo(1);
  }

  @Test
  void noncurrentVersionsGoTheirDaysAfterTheyWereReplacedButTheNewestStay() {
    versioning(Versioning.ENABLED);
    for (int i = 0; i < 4; i++) {
      put("a", Map.of(), "x".repeat(i));
      days(10);
    }
    rules(ofNoncurrent(OptionalInt.of(15), OptionalInt.of(1)));
    round();
    assertThat(sizes()).containsExactly(3L, 2L);
    assertThat(lifecycle.meters().counted(Deed.VERSION_REMOVED)).isEqualTo(2);

    rules(ofNoncurrent(OptionalInt.of(11), OptionalInt.empty()));
    days(1);
    round();
    assertThat(sizes()).as("replaced eleven days ago, at half past ten").containsExactly(3L, 2L);
    days(1);
    round();
    assertThat(sizes()).containsExactly(3L);
  }

  @Test
  void nullVersionThatIsNotCurrentAnyMoreGoesLikeAnyOther() {
    put("a", Map.of(), "null");
    versioning(Versioning.ENABLED);
    days(1);
    put("a", Map.of(), "newer");
    rules(ofNoncurrent(OptionalInt.of(1), OptionalInt.empty()));
    days(3);
    round();
    assertThat(sizes()).containsExactly(5L);
  }

  @Test
  void deleteMarkersGoWhenNothingIsLeftBehindThem() {
    versioning(Versioning.ENABLED);
    put("hidden");
    delete("hidden");
    delete("lone");
    put("zoo");
    rules(
        new LifecycleRule(
            "markers",
            true,
            Filter.ALL,
            Optional.of(new OfLoneDeleteMarkers()),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()));
    round();
    assertThat(versions()).containsExactly("hidden deleted", "hidden", "zoo");
    assertThat(lifecycle.meters().counted(Deed.MARKER_REMOVED)).isEqualTo(1);
  }

  @Test
  void staleUploadsAreAborted() {
    createUpload("logs/a");
    createUpload("other");
    days(5);
    createUpload("logs/young");
    rules(
        new LifecycleRule(
            "uploads",
            true,
            new Filter("logs/", Map.of(), OptionalLong.empty(), OptionalLong.empty()),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.of(4)));
    round();
    assertThat(uploads()).containsExactly("logs/young", "other");
    assertThat(lifecycle.meters().counted(Deed.UPLOAD_ABORTED)).isEqualTo(1);
  }

  @Test
  void bucketOfManyPagesIsWalkedToItsEnd() {
    for (int i = 0; i < 2500; i++) {
      put("%04d".formatted(i));
    }
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    round();
    assertThat(versions()).isEmpty();
    assertThat(lifecycle.meters().counted(Deed.OBJECT_EXPIRED)).isEqualTo(2500);
  }
}
