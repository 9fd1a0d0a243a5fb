package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Both listings, page by page. */
class ListingsTest {
  private static final String BUCKET = "listings";
  private static final String BEFORE_SUPPLEMENTARY = "z\uFFFD";
  private static final String SUPPLEMENTARY = "z\uD800\uDC00";

  private static GatewayFixture gateway;
  private static S3Client s3;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(r -> r.bucket(BUCKET));
    for (String key :
        List.of("a", "b/1", "b/2", "c", "foo+1/x", "foo/x", SUPPLEMENTARY, BEFORE_SUPPLEMENTARY)) {
      s3.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromString("x"));
    }
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @Test
  void keysComeInTheOrderOfTheirUtf8Bytes() {
    assertThat(keys(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix("z")).contents()))
        .containsExactly(BEFORE_SUPPLEMENTARY, SUPPLEMENTARY);
    assertThat(prefixes(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix("foo").delimiter("/"))))
        .containsExactly("foo+1/", "foo/");
  }

  @Test
  void urlEncodingGivesTheSameKeysAlsoWithControlCharacters() {
    s3.createBucket(r -> r.bucket("control"));
    s3.putObject(r -> r.bucket("control").key("ctl\u0001"), RequestBody.fromString("x"));

    ListObjectsV2Response page =
        s3.listObjectsV2(r -> r.bucket("control").encodingType(EncodingType.URL));

    assertThat(keys(page.contents())).containsExactly("ctl\u0001");
  }

  @Test
  void pagesOfOneGiveEveryEntryOnce() {
    List<String> entries = new ArrayList<>();
    String token = null;
    do {
      String present = token;
      ListObjectsV2Response page =
          s3.listObjectsV2(
              r -> r.bucket(BUCKET).delimiter("/").maxKeys(1).continuationToken(present));
      assertThat(page.keyCount()).isEqualTo(1);
      assertThat(page.continuationToken()).isEqualTo(present);
      entries.addAll(keys(page.contents()));
      entries.addAll(prefixes(page));
      token = page.nextContinuationToken();
      assertThat(page.isTruncated()).isEqualTo(token != null);
    } while (token != null);

    assertThat(entries)
        .containsExactly("a", "b/", "c", "foo+1/", "foo/", BEFORE_SUPPLEMENTARY, SUPPLEMENTARY);
  }

  @Test
  void tokenBeatsStartAfter() {
    String token = s3.listObjectsV2(r -> r.bucket(BUCKET).maxKeys(1)).nextContinuationToken();

    ListObjectsV2Response page =
        s3.listObjectsV2(r -> r.bucket(BUCKET).maxKeys(1).continuationToken(token).startAfter("z"));

    assertThat(keys(page.contents())).containsExactly("b/1");
  }

  @Test
  void firstVersionGivesTheNextMarkerOnlyWithADelimiter() {
    ListObjectsResponse plain = s3.listObjects(r -> r.bucket(BUCKET).maxKeys(2));
    ListObjectsResponse grouped = s3.listObjects(r -> r.bucket(BUCKET).maxKeys(2).delimiter("/"));
    ListObjectsResponse next =
        s3.listObjects(
            r -> r.bucket(BUCKET).maxKeys(1).delimiter("/").marker(grouped.nextMarker()));

    assertThat(plain.isTruncated()).isTrue();
    assertThat(plain.nextMarker()).isNull();
    assertThat(grouped.nextMarker()).isEqualTo("b/");
    assertThat(keys(next.contents())).containsExactly("c");
  }

  @Test
  void noKeysAskedForIsAnEmptyPageThatIsNotTruncated() {
    ListObjectsV2Response page = s3.listObjectsV2(r -> r.bucket(BUCKET).maxKeys(0));

    assertThat(page.contents()).isEmpty();
    assertThat(page.isTruncated()).isFalse();
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).maxKeys(5000)).maxKeys()).isEqualTo(1000);
  }

  /** The SDK decodes what says that it is encoded, so that nothing may be left out. */
  @Test
  void versionsAndUploadsAreEncodedWhereThatIsAskedForToo() {
    s3.createBucket(r -> r.bucket("encoded"));
    for (String key : List.of("a+b/%2F", "a+b/\u00e9 x")) {
      s3.putObject(r -> r.bucket("encoded").key(key), RequestBody.fromString("x"));
      s3.createMultipartUpload(r -> r.bucket("encoded").key(key));
    }

    ListObjectVersionsResponse versions =
        s3.listObjectVersions(r ->
            r.bucket("encoded")
                .encodingType(EncodingType.URL)
                .prefix("a+")
                .keyMarker("a+")
                .maxKeys(1));
    ListMultipartUploadsResponse uploads =
        s3.listMultipartUploads(r ->
            r.bucket("encoded")
                .encodingType(EncodingType.URL)
                .prefix("a+")
                .keyMarker("a+")
                .maxUploads(1));
    ListObjectVersionsResponse groups =
        s3.listObjectVersions(
            r -> r.bucket("encoded").encodingType(EncodingType.URL).delimiter("+"));

    assertThat(versions.versions()).singleElement().extracting("key").isEqualTo("a+b/%2F");
    assertThat(versions.prefix()).isEqualTo("a+");
    assertThat(versions.keyMarker()).isEqualTo("a+");
    assertThat(versions.nextKeyMarker()).isEqualTo("a+b/%2F");
    assertThat(uploads.uploads()).singleElement().extracting("key").isEqualTo("a+b/%2F");
    assertThat(uploads.prefix()).isEqualTo("a+");
    assertThat(uploads.keyMarker()).isEqualTo("a+");
    assertThat(uploads.nextKeyMarker()).isEqualTo("a+b/%2F");
    assertThat(groups.delimiter()).isEqualTo("+");
    assertThat(groups.commonPrefixes()).singleElement().extracting("prefix").isEqualTo("a+");
  }

  @Test
  void firstVersionGivesAnEmptyPageForNoKeysToo() {
    ListObjectsResponse page = s3.listObjects(r -> r.bucket(BUCKET).maxKeys(0));

    assertThat(page.contents()).isEmpty();
    assertThat(page.isTruncated()).isFalse();
  }

  @Test
  void pageHasAThousandKeysAtMostHoweverManyAreAskedFor() {
    s3.createBucket(r -> r.bucket("many"));
    for (int number = 0; number <= 1000; number++) {
      String key = "%04d".formatted(number);
      s3.putObject(r -> r.bucket("many").key(key), RequestBody.empty());
    }

    ListObjectsV2Response second = s3.listObjectsV2(r -> r.bucket("many").maxKeys(5000));
    ListObjectsResponse first = s3.listObjects(r -> r.bucket("many").maxKeys(5000));

    assertThat(second.contents()).hasSize(1000);
    assertThat(second.keyCount()).isEqualTo(1000);
    assertThat(second.isTruncated()).isTrue();
    assertThat(first.contents()).hasSize(1000);
    assertThat(first.isTruncated()).isTrue();
    assertThat(
            keys(
                s3.listObjectsV2(
                        r -> r.bucket("many").continuationToken(second.nextContinuationToken()))
                    .contents()))
        .containsExactly("1000");
  }

  /** What lies before the marker in a group is given already; what lies behind it is not. */
  @Test
  void groupIsRepeatedOnlyForAMarkerInsideIt() {
    assertThat(prefixesAfter("b/")).containsExactly("foo+1/", "foo/");
    assertThat(prefixesAfter("b/1")).containsExactly("b/", "foo+1/", "foo/");
    assertThat(prefixesAfter("b/2")).containsExactly("foo+1/", "foo/");
    assertThat(prefixesAfter("foo/")).isEmpty();
  }

  private static List<String> prefixesAfter(String key) {
    List<String> second =
        prefixes(s3.listObjectsV2(r -> r.bucket(BUCKET).delimiter("/").startAfter(key)));
    List<String> first =
        s3.listObjects(r -> r.bucket(BUCKET).delimiter("/").marker(key)).commonPrefixes().stream()
            .map(CommonPrefix::prefix)
            .toList();
    assertThat(first).isEqualTo(second);
    return second;
  }

  @Test
  void ownerIsShownOnlyWhenAskedFor() {
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET)).contents().getFirst().owner()).isNull();
    assertThat(
            s3.listObjectsV2(r -> r.bucket(BUCKET).fetchOwner(true))
                .contents()
                .getFirst()
                .owner()
                .displayName())
        .isEqualTo("alice");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -1000})
  void negativePageSizeIsInvalid(int maxKeys) {
    assertThatThrownBy(() -> s3.listObjectsV2(r -> r.bucket(BUCKET).maxKeys(maxKeys)))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidArgument"));
  }

  @Test
  void tokenThatIsNotOursIsInvalid() {
    assertThatThrownBy(() -> s3.listObjectsV2(r -> r.bucket(BUCKET).continuationToken("forged")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidArgument"));
  }

  private static List<String> keys(List<S3Object> objects) {
    return objects.stream().map(S3Object::key).toList();
  }

  private static List<String> prefixes(ListObjectsV2Response page) {
    return page.commonPrefixes().stream().map(CommonPrefix::prefix).toList();
  }
}
