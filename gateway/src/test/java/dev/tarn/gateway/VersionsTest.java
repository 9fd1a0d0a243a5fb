package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteMarkerEntry;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.DeletedObject;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.ObjectVersion;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;

/** Buckets that keep what is overwritten and deleted. */
class VersionsTest {
  private static final String BUCKET = "alices";
  private static final String NEVER_THERE = "0".repeat(40);

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
  void statusIsEmptyAtFirstAndThenWhatWasPut() {
    assertThat(alice.getBucketVersioning(r -> r.bucket(BUCKET)).status()).isNull();
    set(BucketVersioningStatus.ENABLED);
    assertThat(alice.getBucketVersioning(r -> r.bucket(BUCKET)).status())
        .isEqualTo(BucketVersioningStatus.ENABLED);
    set(BucketVersioningStatus.SUSPENDED);
    assertThat(alice.getBucketVersioning(r -> r.bucket(BUCKET)).status())
        .isEqualTo(BucketVersioningStatus.SUSPENDED);
    assertRefused(
        "MalformedXML",
        400,
        () ->
            alice.putBucketVersioning(
                r -> r.bucket(BUCKET).versioningConfiguration(v -> v.status("Off"))));
  }

  @Test
  void unversionedBucketsNameNoVersionInAnswersAndListNullVersions() {
    PutObjectResponse put = put("k", "one");
    assertThat(put.versionId()).isNull();
    assertThat(alice.headObject(r -> r.bucket(BUCKET).key("k")).versionId()).isNull();
    assertThat(versions().versions())
        .singleElement()
        .satisfies(version -> {
          assertThat(version.versionId()).isEqualTo("null");
          assertThat(version.isLatest()).isTrue();
        });
    assertThat(read("k", "null")).isEqualTo("one");
  }

  @Test
  void everyPutMakesAVersionThatCanBeReadCopiedTaggedAndDeletedByItsId() {
    set(BucketVersioningStatus.ENABLED);
    String first = put("k", "one").versionId();
    String second = put("k", "two").versionId();
    assertThat(second).isNotEqualTo(first);
    assertThat(read("k", null)).isEqualTo("two");
    assertThat(read("k", first)).isEqualTo("one");
    assertThat(alice.headObject(r -> r.bucket(BUCKET).key("k").versionId(first)).versionId())
        .isEqualTo(first);

    CopyObjectResponse copy =
        alice.copyObject(r ->
            r.sourceBucket(BUCKET)
                .sourceKey("k")
                .sourceVersionId(first)
                .destinationBucket(BUCKET)
                .destinationKey("k"));
    assertThat(copy.copySourceVersionId()).isEqualTo(first);
    assertThat(read("k", null)).isEqualTo("one");

    alice.putObjectTagging(r ->
        r.bucket(BUCKET)
            .key("k")
            .versionId(second)
            .tagging(t -> t.tagSet(Tag.builder().key("a").value("b").build())));
    assertThat(alice.getObjectTagging(r -> r.bucket(BUCKET).key("k").versionId(second)).tagSet())
        .hasSize(1);
    assertThat(alice.getObjectTagging(r -> r.bucket(BUCKET).key("k")).tagSet()).isEmpty();

    DeleteObjectResponse deleted =
        alice.deleteObject(r -> r.bucket(BUCKET).key("k").versionId(copy.versionId()));
    assertThat(deleted.versionId()).isEqualTo(copy.versionId());
    assertThat(deleted.deleteMarker()).isNull();
    assertThat(read("k", null)).isEqualTo("two");
  }

  @Test
  void deleteHidesTheObjectBehindAMarkerWhoseRemovalBringsItBack() {
    set(BucketVersioningStatus.ENABLED);
    String version = put("k", "one").versionId();
    DeleteObjectResponse deleted = alice.deleteObject(r -> r.bucket(BUCKET).key("k"));
    assertThat(deleted.deleteMarker()).isTrue();

    assertThatThrownBy(() -> read("k", null))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(404);
              assertThat(header(e, "x-amz-delete-marker")).isEqualTo("true");
              assertThat(header(e, "x-amz-version-id")).isEqualTo(deleted.versionId());
            });
    assertThatThrownBy(() -> read("k", deleted.versionId()))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(405);
              assertThat(header(e, "x-amz-delete-marker")).isEqualTo("true");
              assertThat(header(e, "Last-Modified")).isNotNull();
              assertThat(header(e, "Allow")).isEqualTo("DELETE");
            });
    assertThat(read("k", version)).isEqualTo("one");
    assertThat(alice.listObjectsV2(r -> r.bucket(BUCKET)).contents()).isEmpty();

    DeleteObjectResponse removed =
        alice.deleteObject(r -> r.bucket(BUCKET).key("k").versionId(deleted.versionId()));
    assertThat(removed.deleteMarker()).isTrue();
    assertThat(removed.versionId()).isEqualTo(deleted.versionId());
    assertThat(read("k", null)).isEqualTo("one");
  }

  @Test
  void suspendedBucketsReplaceTheNullVersionAndKeepTheOthers() {
    put("k", "null one");
    set(BucketVersioningStatus.ENABLED);
    String kept = put("k", "kept").versionId();
    set(BucketVersioningStatus.SUSPENDED);
    put("k", "null two");
    assertThat(versions().versions())
        .extracting(ObjectVersion::versionId)
        .containsExactly("null", kept);
    assertThat(read("k", "null")).isEqualTo("null two");

    DeleteObjectResponse deleted = alice.deleteObject(r -> r.bucket(BUCKET).key("k"));
    assertThat(deleted.versionId()).isEqualTo("null");
    assertThat(versions().versions()).extracting(ObjectVersion::versionId).containsExactly(kept);
    assertThat(versions().deleteMarkers())
        .extracting(DeleteMarkerEntry::versionId)
        .containsExactly("null");
  }

  /** Their version is read as `null`, and deleted as `null`, but not made under that name. */
  @Test
  void writesToSuspendedBucketsNameNoVersion() {
    set(BucketVersioningStatus.ENABLED);
    set(BucketVersioningStatus.SUSPENDED);
    assertThat(put("k", "one").versionId()).isNull();
    assertThat(
            alice
                .copyObject(r ->
                    r.sourceBucket(BUCKET)
                        .sourceKey("k")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy"))
                .versionId())
        .isNull();
    assertThat(upload("parts").versionId()).isNull();

    for (String key : List.of("k", "copy", "parts")) {
      assertThat(alice.headObject(r -> r.bucket(BUCKET).key(key)).versionId()).isEqualTo("null");
    }
    DeleteObjectResponse deleted = alice.deleteObject(r -> r.bucket(BUCKET).key("k"));
    assertThat(deleted.versionId()).isEqualTo("null");
    assertThat(deleted.deleteMarker()).isTrue();
  }

  @Test
  void listingIsPagedThroughVersionsOfOneKeyAndGroupsByDelimiter() {
    set(BucketVersioningStatus.ENABLED);
    for (int i = 0; i < 5; i++) {
      put("a", "a" + i);
      put("folder/" + i, "x");
    }
    alice.deleteObject(r -> r.bucket(BUCKET).key("a"));
    List<String> listed =
        alice.listObjectVersionsPaginator(r -> r.bucket(BUCKET).maxKeys(2)).stream()
            .flatMap(page -> {
              assertThat(page.versions().size() + page.deleteMarkers().size())
                  .isLessThanOrEqualTo(2);
              return page.versions().stream();
            })
            .map(version -> version.key() + " " + version.size())
            .toList();
    assertThat(listed)
        .containsExactly(
            "a 2",
            "a 2",
            "a 2",
            "a 2",
            "a 2",
            "folder/0 1",
            "folder/1 1",
            "folder/2 1",
            "folder/3 1",
            "folder/4 1");

    ListObjectVersionsResponse grouped =
        alice.listObjectVersions(r -> r.bucket(BUCKET).delimiter("/").prefix(""));
    assertThat(grouped.commonPrefixes()).extracting(p -> p.prefix()).containsExactly("folder/");
    assertThat(grouped.versions()).hasSize(5).noneMatch(ObjectVersion::isLatest);
    assertThat(grouped.deleteMarkers())
        .singleElement()
        .satisfies(marker -> assertThat(marker.isLatest()).isTrue());
    assertThat(grouped.deleteMarkers().getFirst().owner().id()).isEqualTo("alice-id");
  }

  @Test
  void markersThatCannotBeAreRefused() {
    assertRefused(
        "InvalidArgument",
        400,
        () -> alice.listObjectVersions(r -> r.bucket(BUCKET).versionIdMarker("null")));
    assertRefused(
        "InvalidArgument",
        400,
        () -> alice.listObjectVersions(r -> r.bucket(BUCKET).keyMarker("k").versionIdMarker("x")));
    put("k", "one");
    assertRefused("InvalidArgument", 400, () -> read("k", "not-a-version"));
    assertRefused("NoSuchVersion", 404, () -> read("k", NEVER_THERE));
  }

  @Test
  void deleteObjectsTellsWhichMarkersItMadeAndWhichVersionsItRemoved() {
    set(BucketVersioningStatus.ENABLED);
    String version = put("gone", "one").versionId();
    put("hidden", "two");
    List<DeletedObject> deleted =
        alice
            .deleteObjects(r ->
                r.bucket(BUCKET)
                    .delete(d ->
                        d.objects(
                            ObjectIdentifier.builder().key("gone").versionId(version).build(),
                            ObjectIdentifier.builder().key("hidden").build())))
            .deleted();
    assertThat(deleted.get(0).versionId()).isEqualTo(version);
    assertThat(deleted.get(0).deleteMarker()).isNull();
    assertThat(deleted.get(1).deleteMarker()).isTrue();
    assertThat(deleted.get(1).deleteMarkerVersionId()).isNotNull();
    assertThat(versions().versions()).extracting(ObjectVersion::key).containsExactly("hidden");
  }

  @Test
  void deleteObjectsRefusesWhatCanBeNoVersionAndDeletesTheOthers() {
    set(BucketVersioningStatus.ENABLED);
    String version = put("k", "one").versionId();
    DeleteObjectsResponse answer =
        alice.deleteObjects(r ->
            r.bucket(BUCKET)
                .delete(d ->
                    d.objects(
                        ObjectIdentifier.builder().key("k").versionId("not-a-version").build(),
                        ObjectIdentifier.builder().key("k").versionId(NEVER_THERE).build(),
                        ObjectIdentifier.builder().key("k").versionId(version).build())));
    assertThat(answer.errors())
        .singleElement()
        .satisfies(error -> {
          assertThat(error.code()).isEqualTo("NoSuchVersion");
          assertThat(error.versionId()).isEqualTo("not-a-version");
        });
    assertThat(answer.deleted())
        .extracting(DeletedObject::versionId)
        .containsExactly(NEVER_THERE, version);
    assertThat(versions().versions()).isEmpty();
  }

  @Test
  void multipartUploadsMakeVersionsToo() {
    set(BucketVersioningStatus.ENABLED);
    String before = put("k", "one").versionId();
    String made = upload("k").versionId();
    assertThat(versions().versions())
        .extracting(ObjectVersion::versionId)
        .containsExactly(made, before);
  }

  @Test
  void bucketWithNothingButDeleteMarkersIsNotDeleted() {
    set(BucketVersioningStatus.ENABLED);
    String marker = alice.deleteObject(r -> r.bucket(BUCKET).key("never-there")).versionId();
    assertRefused("BucketNotEmpty", 409, () -> alice.deleteBucket(r -> r.bucket(BUCKET)));
    alice.deleteObject(r -> r.bucket(BUCKET).key("never-there").versionId(marker));
    alice.deleteBucket(r -> r.bucket(BUCKET));
  }

  @Test
  void conditionsAreHeldAgainstTheCurrentVersion() {
    set(BucketVersioningStatus.ENABLED);
    put("k", "one");
    assertRefused(
        "PreconditionFailed",
        412,
        () ->
            alice.putObject(
                r -> r.bucket(BUCKET).key("k").ifNoneMatch("*"), RequestBody.fromString("two")));
    alice.deleteObject(r -> r.bucket(BUCKET).key("k"));
    alice.putObject(r -> r.bucket(BUCKET).key("k").ifNoneMatch("*"), RequestBody.fromString("two"));
    assertThat(read("k", null)).isEqualTo("two");
  }

  private void set(BucketVersioningStatus status) {
    alice.putBucketVersioning(r -> r.bucket(BUCKET).versioningConfiguration(v -> v.status(status)));
  }

  private PutObjectResponse put(String key, String content) {
    return alice.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromString(content));
  }

  private CompleteMultipartUploadResponse upload(String key) {
    String id = alice.createMultipartUpload(r -> r.bucket(BUCKET).key(key)).uploadId();
    String etag =
        alice
            .uploadPart(
                r -> r.bucket(BUCKET).key(key).uploadId(id).partNumber(1),
                RequestBody.fromString("parts"))
            .eTag();
    return alice.completeMultipartUpload(r ->
        r.bucket(BUCKET)
            .key(key)
            .uploadId(id)
            .multipartUpload(
                m -> m.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())));
  }

  private String read(String key, @Nullable String version) {
    return alice.getObjectAsBytes(r -> r.bucket(BUCKET).key(key).versionId(version)).asUtf8String();
  }

  private ListObjectVersionsResponse versions() {
    return alice.listObjectVersions(r -> r.bucket(BUCKET));
  }

  private static @Nullable String header(S3Exception refusal, String name) {
    return Objects.requireNonNull(refusal.awsErrorDetails().sdkHttpResponse())
        .firstMatchingHeader(name)
        .orElse(null);
  }
}
