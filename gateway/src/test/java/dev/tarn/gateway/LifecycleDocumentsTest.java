package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Transition;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

/** Lifecycle rules as they are put and read. What they do is the target's. */
class LifecycleDocumentsTest {
  private static final String BUCKET = "alices";

  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket(BUCKET));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
  }

  @Test
  void rulesAreReadAsTheyWerePutAndGoneWhenDeleted() {
    assertRefused("NoSuchLifecycleConfiguration", 404, this::rules);
    LifecycleRule byAge =
        rule(
            "by age",
            r ->
                r.filter(f -> f.prefix("logs/"))
                    .expiration(e -> e.days(30))
                    .noncurrentVersionExpiration(
                        n -> n.noncurrentDays(7).newerNoncurrentVersions(2))
                    .abortIncompleteMultipartUpload(a -> a.daysAfterInitiation(3)));
    LifecycleRule byDate =
        rule(
            "by date",
            r ->
                r.filter(f ->
                        f.and(a ->
                            a.prefix("tmp/")
                                .tags(tag("keep", "no"), tag("a&b", ""))
                                .objectSizeGreaterThan(10L)))
                    .expiration(e -> e.date(Instant.parse("2031-05-01T00:00:00Z"))));
    LifecycleRule ofMarkers =
        rule(
            "of markers",
            r ->
                r.filter(f -> f.prefix(""))
                    .status(ExpirationStatus.DISABLED)
                    .expiration(e -> e.expiredObjectDeleteMarker(true)));
    put(byAge, byDate, ofMarkers);
    assertThat(rules()).hasSize(3);
    assertThat(rules().get(0)).isEqualTo(byAge);
    assertThat(rules().get(1).expiration()).isEqualTo(byDate.expiration());
    assertThat(rules().get(1).filter().and().tags())
        .containsExactlyInAnyOrderElementsOf(byDate.filter().and().tags());
    assertThat(rules().get(1).filter().and().objectSizeGreaterThan()).isEqualTo(10L);
    assertThat(rules().get(2)).isEqualTo(ofMarkers);

    alice.deleteBucketLifecycle(r -> r.bucket(BUCKET));
    assertRefused("NoSuchLifecycleConfiguration", 404, this::rules);
  }

  @Test
  void filterOfOneConditionIsReadAsItWasPut() {
    LifecycleRule byTag =
        rule("by tag", r -> r.filter(f -> f.tag(tag("a", "b"))).expiration(e -> e.days(1)));
    LifecycleRule bySize =
        rule(
            "by size",
            r ->
                r.filter(f -> f.objectSizeLessThan(7L))
                    .noncurrentVersionExpiration(n -> n.noncurrentDays(1)));
    put(byTag, bySize);
    assertThat(rules()).containsExactly(byTag, bySize);
  }

  @Test
  @SuppressWarnings("deprecation") // What older tools still send.
  void olderClientsGiveAPrefixInPlaceOfAFilterAndNoId() {
    for (String prefix : List.of("old/", "")) {
      put(
          LifecycleRule.builder()
              .prefix(prefix)
              .status(ExpirationStatus.ENABLED)
              .expiration(e -> e.days(1))
              .build());
      assertThat(rules().getFirst().prefix()).isEqualTo(prefix);
      assertThat(rules().getFirst().filter()).isNull();
      assertThat(rules().getFirst().id()).isNotEmpty();
    }
  }

  @Test
  void severalConditionsOfAFilterStandInAnd() {
    assertRefused(
        "MalformedXML",
        400,
        () ->
            put(
                rule(
                    "several",
                    r ->
                        r.filter(f -> f.prefix("logs/").objectSizeGreaterThan(1L))
                            .expiration(e -> e.days(1)))));
  }

  @Test
  void rulesThatWouldBeHalfCarriedOutAreRefused() {
    assertRefused(
        "NotImplemented",
        501,
        () ->
            put(
                rule(
                    "cold",
                    r ->
                        r.filter(f -> f.prefix(""))
                            .transitions(
                                Transition.builder()
                                    .days(1)
                                    .storageClass(TransitionStorageClass.GLACIER)
                                    .build()))));
    assertRefused("InvalidRequest", 400, () -> put(rule("idle", r -> r.filter(f -> f.prefix("")))));
    assertRefused(
        "InvalidArgument",
        400,
        () -> put(rule("now", r -> r.filter(f -> f.prefix("")).expiration(e -> e.days(0)))));
    assertRefused(
        "InvalidArgument",
        400,
        () ->
            put(
                rule(
                    "noon",
                    r ->
                        r.filter(f -> f.prefix(""))
                            .expiration(e -> e.date(Instant.parse("2031-05-01T12:00:00Z"))))));
    assertRefused(
        "MalformedXML",
        400,
        () ->
            put(
                rule(
                    "both",
                    r ->
                        r.filter(f -> f.prefix(""))
                            .expiration(e -> e.days(1).expiredObjectDeleteMarker(true)))));
    assertRefused(
        "InvalidRequest",
        400,
        () ->
            put(
                rule(
                    "tagged uploads",
                    r ->
                        r.filter(f -> f.tag(tag("a", "b")))
                            .abortIncompleteMultipartUpload(a -> a.daysAfterInitiation(1)))));
    LifecycleRule twice =
        rule("twice", r -> r.filter(f -> f.prefix("")).expiration(e -> e.days(1)));
    assertRefused("InvalidArgument", 400, () -> put(twice, twice));
    assertRefused("NoSuchLifecycleConfiguration", 404, this::rules);
  }

  @Test
  void filterWithMoreTagsThanAnObjectHasIsRefused() {
    List<Tag> eleven =
        IntStream.rangeClosed(1, 11).mapToObj(number -> tag("key" + number, "v")).toList();
    assertRefused(
        "InvalidArgument",
        400,
        () ->
            put(
                rule(
                    "tags",
                    r ->
                        r.filter(f -> f.and(and -> and.tags(eleven))).expiration(e -> e.days(1)))));
    LifecycleRule ten =
        rule(
            "tags",
            r ->
                r.filter(f -> f.and(and -> and.tags(eleven.subList(0, 10))))
                    .expiration(e -> e.days(1)));
    put(ten);
    assertThat(rules().getFirst().filter().and().tags()).hasSize(10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-12026-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "+10000-01-01T00:00:00Z",
        "+1000000000-12-31T00:00:00Z"
      })
  void dateThatNoCalendarOfFourDigitsHasIsRefused(String date) {
    Instant time = Instant.parse(date);
    assertRefused(
        "InvalidArgument",
        400,
        () -> put(rule("far", r -> r.filter(f -> f.prefix("")).expiration(e -> e.date(time)))));
  }

  @Test
  void answersTellWhenTheFirstRuleEndsAnObject() {
    put(
        rule("late", r -> r.filter(f -> f.prefix("")).expiration(e -> e.days(30))),
        rule("soon & sure", r -> r.filter(f -> f.prefix("tmp/")).expiration(e -> e.days(1))));
    assertThat(expiration("tmp/a")).contains("rule-id=\"soon%20%26%20sure\"");
    assertThat(expiration("other")).contains("rule-id=\"late\"").contains("00:00:00 GMT");
    alice.deleteBucketLifecycle(r -> r.bucket(BUCKET));
    assertThat(expiration("other")).isNull();
  }

  private @Nullable String expiration(String key) {
    alice.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromString("x"));
    return alice.headObject(r -> r.bucket(BUCKET).key(key)).expiration();
  }

  private List<LifecycleRule> rules() {
    return alice.getBucketLifecycleConfiguration(r -> r.bucket(BUCKET)).rules();
  }

  private void put(LifecycleRule... rules) {
    alice.putBucketLifecycleConfiguration(
        r -> r.bucket(BUCKET).lifecycleConfiguration(l -> l.rules(rules)));
  }

  private static LifecycleRule rule(String id, Consumer<LifecycleRule.Builder> more) {
    LifecycleRule.Builder rule = LifecycleRule.builder().id(id).status(ExpirationStatus.ENABLED);
    more.accept(rule);
    return rule.build();
  }

  private static Tag tag(String key, String value) {
    return Tag.builder().key(key).value(value).build();
  }
}
