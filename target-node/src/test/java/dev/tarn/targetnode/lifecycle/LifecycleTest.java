package dev.tarn.targetnode.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.LifecycleRule.AfterDays;
import dev.tarn.cluster.control.LifecycleRule.Expiration;
import dev.tarn.cluster.control.LifecycleRule.Filter;
import dev.tarn.cluster.control.LifecycleRule.OfLoneDeleteMarkers;
import dev.tarn.cluster.control.LifecycleRule.OnDate;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TestBody;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.cluster.target.memory.MemoryTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What lifecycle rules do to the objects, versions and uploads of a bucket as days go by. */
class LifecycleTest {
  private static final BucketId ID = new BucketId(7);
  private static final CallScope SCOPE = new CallScope(ID, 1, 0);
  private static final Instant BEGINNING = Instant.parse("2026-03-10T10:30:00Z");

  private Instant now = BEGINNING;
  private BucketConfiguration configuration = BucketConfiguration.NONE;
  private final ObjectTarget target =
      new MemoryTarget(bucket -> configuration.versioning(), () -> now, 1 << 20);
  private final Lifecycle lifecycle =
      new Lifecycle(target, () -> List.of(bucket()), () -> 0, () -> now);

  @AfterEach
  void close() {
    lifecycle.close();
  }

  @Test
  void objectsExpireAtTheMidnightAfterTheirDaysHavePassed() {
    put("old");
    rules(expiring(Filter.ALL, new AfterDays(3)));
    now = Instant.parse("2026-03-13T23:59:59Z");
    lifecycle.round();
    assertThat(versions()).containsExactly("old");

    put("young");
    now = Instant.parse("2026-03-14T00:00:00Z");
    lifecycle.round();
    assertThat(versions()).containsExactly("young");
    assertThat(lifecycle.figures().objectsExpired()).isEqualTo(1);
    assertThat(lifecycle.figures().rounds()).isEqualTo(2);
    assertThat(lifecycle.figures().failures()).isZero();
  }

  @Test
  void objectsExpireFromADateOn() {
    put("a");
    rules(expiring(Filter.ALL, new OnDate(Instant.parse("2026-04-01T00:00:00Z").toEpochMilli())));
    days(21);
    lifecycle.round();
    assertThat(versions()).containsExactly("a");
    days(1);
    lifecycle.round();
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
    lifecycle.round();
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
    lifecycle.round();
    assertThat(versions()).containsExactly("a");
    assertThat(uploads()).containsExactly("open");
  }

  @Test
  void expiredObjectsOfAVersionedBucketStayBehindADeleteMarker() {
    versioning(Versioning.ENABLED);
    put("a");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    lifecycle.round();
    lifecycle.round();
    assertThat(versions()).containsExactly("a deleted", "a");
    assertThat(lifecycle.figures().objectsExpired()).isEqualTo(1);
  }

  @Test
  void noncurrentVersionsGoTheirDaysAfterTheyWereReplacedButTheNewestStay() {
    versioning(Versioning.ENABLED);
    for (int i = 0; i < 4; i++) {
      put("a", Map.of(), "x".repeat(i));
      days(10);
    }
    rules(ofNoncurrent(OptionalInt.of(15), OptionalInt.of(1)));
    lifecycle.round();
    assertThat(sizes()).containsExactly(3L, 2L);
    assertThat(lifecycle.figures().versionsRemoved()).isEqualTo(2);

    rules(ofNoncurrent(OptionalInt.of(11), OptionalInt.empty()));
    days(1);
    lifecycle.round();
    assertThat(sizes()).as("replaced eleven days ago, at half past ten").containsExactly(3L, 2L);
    days(1);
    lifecycle.round();
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
    lifecycle.round();
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
    lifecycle.round();
    assertThat(versions()).containsExactly("hidden deleted", "hidden", "zoo");
    assertThat(lifecycle.figures().markersRemoved()).isEqualTo(1);
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
    lifecycle.round();
    assertThat(uploads()).containsExactly("logs/young", "other");
    assertThat(lifecycle.figures().uploadsAborted()).isEqualTo(1);
  }

  @Test
  void bucketOfManyPagesIsWalkedToItsEnd() {
    for (int i = 0; i < 2500; i++) {
      put("%04d".formatted(i));
    }
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    lifecycle.round();
    assertThat(versions()).isEmpty();
    assertThat(lifecycle.figures().objectsExpired()).isEqualTo(2500);
  }

  private void rules(LifecycleRule... rules) {
    configuration = new BucketChange.SetLifecycle(List.of(rules)).applyTo(configuration);
  }

  private static LifecycleRule expiring(Filter filter, Expiration expiration) {
    return new LifecycleRule(
        "expiring",
        true,
        filter,
        Optional.of(expiration),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  private static LifecycleRule ofNoncurrent(OptionalInt days, OptionalInt newer) {
    return new LifecycleRule(
        "noncurrent", true, Filter.ALL, Optional.empty(), days, newer, OptionalInt.empty());
  }

  private void versioning(Versioning versioning) {
    configuration = new BucketChange.SetVersioning(versioning).applyTo(configuration);
  }

  private void days(int days) {
    now = now.plus(Duration.ofDays(days));
  }

  private Bucket bucket() {
    return new Bucket(ID, "bucket", "owner", 0, 1, BucketSettings.PRIMARY, configuration);
  }

  private void put(String key) {
    put(key, Map.of(), "x");
  }

  private void put(String key, Map<String, String> tags, String content) {
    success(
        target.put(
            new TargetRequest.Put(
                SCOPE,
                ObjectKey.of(key),
                new ObjectAttributes(Map.of(), Map.of(), tags),
                Set.of(),
                Preconditions.NONE),
            TestBody.of(content.getBytes(UTF_8))));
  }

  private void delete(String key) {
    success(
        target.delete(
            new TargetRequest.Delete(
                SCOPE, ObjectKey.of(key), Optional.empty(), Preconditions.NONE)));
  }

  private void createUpload(String key) {
    success(
        target.createUpload(
            new TargetRequest.CreateUpload(
                SCOPE,
                ObjectKey.of(key),
                ObjectAttributes.NONE,
                Optional.empty(),
                Optional.empty())));
  }

  private List<VersionEntry> list() {
    VersionPage page =
        success(target.listVersions(new TargetRequest.ListVersions(SCOPE, "", "", "", "", 1000)));
    return page.entries().stream().map(VersionEntry.class::cast).toList();
  }

  private List<String> versions() {
    return list().stream()
        .map(version -> version.key().text() + (version.deleteMarker() ? " deleted" : ""))
        .toList();
  }

  private List<Long> sizes() {
    return list().stream().map(VersionEntry::sizeBytes).toList();
  }

  private List<String> uploads() {
    UploadPage page =
        success(target.listUploads(new TargetRequest.ListUploads(SCOPE, "", "", "", "", 1000)));
    return page.entries().stream().map(entry -> entry.key().text()).toList();
  }

  private static <T> T success(CompletionStage<Outcome<T>> stage) {
    return switch (stage.toCompletableFuture().join()) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failed<T> failed -> throw new AssertionError(failed.failure().message());
    };
  }
}
