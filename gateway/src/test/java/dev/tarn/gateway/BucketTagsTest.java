package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.LocationType;
import software.amazon.awssdk.services.s3.model.Tag;

/** The tags of buckets. */
class BucketTagsTest {
  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket("alices"));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
  }

  @Test
  void tagsAreReplacedAndDeletedAsAWhole() {
    put(tag("team", "maps"), tag("cost centre", "42 + more"));
    assertThat(tags()).isEqualTo(Map.of("team", "maps", "cost centre", "42 + more"));

    put(tag("team", ""));
    assertThat(tags()).isEqualTo(Map.of("team", ""));

    alice.deleteBucketTagging(r -> r.bucket("alices"));
    Refusals.assertRefused("NoSuchTagSet", 404, this::tags);
    alice.deleteBucketTagging(r -> r.bucket("alices"));
  }

  @Test
  void fiftyTagsAreTakenAndFiftyOneAreNot() {
    put(numbered(50));
    Refusals.assertRefused("InvalidTag", 400, () -> put(numbered(51)));
    assertThat(tags()).hasSize(50);
  }

  @Test
  void tagsThatAreNoTagsAreRefused() {
    Refusals.assertRefused("InvalidTag", 400, () -> put(tag("aws:made", "x")));
    Refusals.assertRefused("InvalidTag", 400, () -> put(tag("same", "1"), tag("same", "2")));
    Refusals.assertRefused("InvalidTag", 400, () -> put(tag("k".repeat(129), "")));
    Refusals.assertRefused("InvalidTag", 400, () -> put(tag("k", "v".repeat(257))));
  }

  @Test
  void bucketMadeAnewHasNoTags() {
    put(tag("team", "maps"));
    alice.deleteBucket(r -> r.bucket("alices"));
    alice.createBucket(r -> r.bucket("alices"));

    Refusals.assertRefused("NoSuchTagSet", 404, this::tags);
  }

  @Test
  void bucketIsCreatedWithItsTags() {
    alice.createBucket(
        r -> r.bucket("tagged").createBucketConfiguration(c -> c.tags(tag("team", "maps"))));

    assertThat(alice.getBucketTagging(r -> r.bucket("tagged")).tagSet())
        .containsExactly(tag("team", "maps"));
    Refusals.assertRefused(
        "InvalidTag",
        400,
        () ->
            alice.createBucket(
                r -> r.bucket("odd").createBucketConfiguration(c -> c.tags(tag("a&b", "c")))));
    Refusals.assertRefused("NoSuchBucket", 404, () -> alice.headBucket(r -> r.bucket("odd")));
  }

  @Test
  void creationWithWhatWouldBeIgnoredIsRefused() {
    Refusals.assertRefused(
        "NotImplemented",
        501,
        () ->
            alice.createBucket(r ->
                r.bucket("zonal")
                    .createBucketConfiguration(c ->
                        c.location(l -> l.type(LocationType.AVAILABILITY_ZONE).name("use1-az4")))));
  }

  @Test
  void tagsAreTheOwnersToSeeAndToSet() {
    put(tag("team", "maps"));
    try (S3Client bob = gateway.client(GatewayFixture.BOB)) {
      Refusals.assertRefused(
          "AccessDenied", 403, () -> bob.getBucketTagging(r -> r.bucket("alices")));
      Refusals.assertRefused(
          "AccessDenied", 403, () -> bob.deleteBucketTagging(r -> r.bucket("alices")));
      Refusals.assertRefused(
          "AccessDenied",
          403,
          () ->
              bob.putBucketTagging(
                  r -> r.bucket("alices").tagging(t -> t.tagSet(tag("team", "bobs")))));
    }
    assertThat(tags()).isEqualTo(Map.of("team", "maps"));
  }

  private void put(Tag... tags) {
    alice.putBucketTagging(r -> r.bucket("alices").tagging(t -> t.tagSet(List.of(tags))));
  }

  private Map<String, String> tags() {
    return alice.getBucketTagging(r -> r.bucket("alices")).tagSet().stream()
        .collect(Collectors.toMap(Tag::key, Tag::value));
  }

  private static Tag[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> tag("k" + i, "v" + i)).toArray(Tag[]::new);
  }

  private static Tag tag(String key, String value) {
    return Tag.builder().key(key).value(value).build();
  }
}
