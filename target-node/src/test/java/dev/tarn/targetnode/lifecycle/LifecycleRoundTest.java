package dev.tarn.targetnode.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.LifecycleRule.AfterDays;
import dev.tarn.cluster.control.LifecycleRule.Filter;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.lifecycle.LifecycleMeters.Deed;
import dev.tarn.targetnode.upkeep.Upkeep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a round of lifecycle rules looks at, and what it does as things change under it. */
class LifecycleRoundTest extends LifecycleFixture {
  @Test
  void firstRoundDoesNotWaitForThePeriodToPass() {
    put("a");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    beforeNextWrite = () -> begun.complete(null);
    Upkeep upkeep = new Upkeep("test-upkeep", () -> false);
    upkeep.start(lifecycle, Duration.ZERO);
    begun.orTimeout(60, TimeUnit.SECONDS).join();
    upkeep.close();
    assertThat(versions()).isEmpty();
  }

  @Test
  void rulesThatAreTakenAwayEndNothingMore() {
    put("a");
    put("b");
    put("c");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    beforeNextWrite = this::rules;
    round();
    assertThat(versions()).containsExactly("b", "c");
    assertThat(lifecycle.meters().counted(Deed.ROUND)).as("rounds that came to their end").isZero();
    round();
    assertThat(versions()).containsExactly("b", "c");
    assertThat(lifecycle.meters().counted(Deed.ROUND)).isEqualTo(1);
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isZero();
  }

  @Test
  void objectsAreHiddenAndNotRemovedOnceVersioningIsEnabled() {
    put("a");
    put("b");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    beforeNextWrite = () -> versioning(Versioning.ENABLED);
    round();
    assertThat(versions()).containsExactly("b");
    round();
    assertThat(versions()).containsExactly("b deleted", "b");
  }

  @Test
  void changeOfWhatIsNoRuleLeavesTheWalkToGoOn() {
    put("a");
    put("b");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    beforeNextWrite = () -> change(new BucketChange.SetTags(Map.of("k", "v")));
    round();
    assertThat(versions()).isEmpty();
  }

  @Test
  void nothingIsEndedWhileTheControlPlaneIsAway() {
    put("a");
    put("b");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    reachable = false;
    round();
    assertThat(versions()).containsExactly("a", "b");
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isEqualTo(1);

    reachable = true;
    beforeNextWrite = () -> reachable = false;
    round();
    assertThat(versions()).containsExactly("b");

    reachable = true;
    round();
    assertThat(versions()).isEmpty();
    assertThat(lifecycle.meters().counted(Deed.ROUND)).isEqualTo(1);
  }

  @Test
  void nothingIsEndedByATargetThatServesNoObjects() {
    put("a");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    refusal = Optional.of(new Failure.Unavailable("The map does not list this target."));
    round();
    assertThat(lifecycle.interval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(versions()).containsExactly("a");
    refusal = Optional.empty();
    round();
    assertThat(lifecycle.interval()).isEqualTo(PERIOD);
    assertThat(versions()).isEmpty();
  }

  @Test
  void whatWasOverwrittenMeanwhileStaysAndIsNotCounted() {
    put("a");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    beforeNextWrite = () -> put("a", Map.of(), "newer");
    round();
    assertThat(sizes()).containsExactly(5L);
    assertThat(lifecycle.meters().counted(Deed.OBJECT_EXPIRED)).isZero();
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isZero();
  }

  @Test
  void objectThatWasDeletedMeanwhileGetsNoSecondDeleteMarker() {
    versioning(Versioning.ENABLED);
    put("a");
    put("b");
    rules(expiring(Filter.ALL, new AfterDays(1)));
    days(2);
    beforeNextWrite = () -> delete("b");
    round();
    assertThat(versions()).containsExactly("a deleted", "a", "b deleted", "b");
    assertThat(lifecycle.meters().counted(Deed.OBJECT_EXPIRED)).isEqualTo(1);
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isZero();
  }

  @Test
  void versionThatIsCurrentAgainStays() {
    versioning(Versioning.ENABLED);
    for (String key : List.of("a", "like", "unlike")) {
      put(key, Map.of(), "same");
      days(1);
      put(key, Map.of(), key.equals("like") ? "same" : "another");
    }
    rules(ofNoncurrent(OptionalInt.of(1), OptionalInt.empty()));
    days(3);
    beforeNextWrite =
        () -> {
          removeCurrent("like");
          removeCurrent("unlike");
        };
    round();
    assertThat(versions()).containsExactly("a", "like", "unlike");
    assertThat(lifecycle.meters().counted(Deed.VERSION_REMOVED)).isEqualTo(1);
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isZero();
  }

  @Test
  void lockedVersionStays() {
    versioning(Versioning.ENABLED);
    for (String key : List.of("free", "held")) {
      put(key);
      hold(key, key.equals("held"));
      days(1);
      put(key);
    }
    rules(ofNoncurrent(OptionalInt.of(1), OptionalInt.empty()));
    days(3);

    round();

    assertThat(versions()).containsExactly("free", "held", "held");
    assertThat(lifecycle.meters().counted(Deed.VERSION_REMOVED)).isEqualTo(1);
    assertThat(lifecycle.meters().counted(Deed.FAILURE)).isZero();
  }

  @Test
  void versionGoesThoughTheCurrentOneHasTheSameBytes() {
    versioning(Versioning.ENABLED);
    put("at once", Map.of(), "same");
    put("at once", Map.of(), "same");
    put("later", Map.of(), "same");
    days(1);
    put("later", Map.of(), "same");
    rules(ofNoncurrent(OptionalInt.of(1), OptionalInt.empty()));
    days(3);
    round();
    assertThat(versions()).containsExactly("at once", "later");
  }

  @Test
  void loneDeleteMarkersAreOfNoSizeThatARuleForLargeObjectsMeans() {
    versioning(Versioning.ENABLED);
    delete("lone");
    Filter large = new Filter("", Map.of(), OptionalLong.of(0), OptionalLong.empty());
    rules(expiring(large, new AfterDays(1)));
    days(3);
    round();
    assertThat(versions()).containsExactly("lone deleted");
  }

  @Test
  void onlyWhatRulesAreAboutIsLookedAt() {
    put("a/1");
    put("logs/1", Map.of("keep", "no"), "x");
    put("logs/2", Map.of(), "large");
    put("tmp/1");
    Map<String, String> tag = Map.of("keep", "no");
    rules(
        expiring(
            new Filter("logs/", Map.of("keep", "short"), OptionalLong.empty(), OptionalLong.of(3)),
            new AfterDays(1)),
        expiring(
            new Filter("logs/", tag, OptionalLong.empty(), OptionalLong.of(2)), new AfterDays(1)),
        expiring(
            new Filter("logs/x", Map.of(), OptionalLong.empty(), OptionalLong.empty()),
            new AfterDays(1)),
        expiring(
            new Filter("tmp/", Map.of(), OptionalLong.empty(), OptionalLong.empty()),
            new AfterDays(30)));
    days(2);
    asked.clear();
    round();
    assertThat(asked)
        .hasSize(4)
        .satisfiesExactlyInAnyOrder(
            list -> assertThat(list).matches(r -> prefix(r).equals("logs/")),
            list -> assertThat(list).matches(r -> prefix(r).equals("tmp/")),
            head -> assertThat(head).isInstanceOf(TargetRequest.Head.class),
            delete -> assertThat(delete).isInstanceOf(TargetRequest.Delete.class));
    assertThat(versions()).containsExactly("a/1", "logs/2", "tmp/1");
  }

  private static String prefix(TargetRequest<?> request) {
    return request instanceof ListRequest.ListVersions list ? list.prefix() : "no listing";
  }
}
