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
