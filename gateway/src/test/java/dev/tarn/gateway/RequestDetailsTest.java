package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;

/** Parameters and headers as AWS takes them, where other servers were found to differ. */
class RequestDetailsTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("first", "content");
    wire.store("second", "content");
  }

  @ParameterizedTest
  @CsvSource({
    "=?UTF-8?B?YWJj?=, abc",
    "=?utf-8?q?=C3=84pfel_2?=, =?UTF-8?Q?=C3=84pfel_2?=",
    "plain =?UTF-8?B?YWJj?= text, plain abc text",
    "=?UTF-8?B?not closed, =?UTF-8?B?not closed",
  })
  void metadataEncodedByRfc2047IsDecoded(String sent, String told) throws IOException {
    wire.send("PUT", "/wire/encoded", Map.of("x-amz-meta-said", sent), "");

    assertThat(wire.send("HEAD", "/wire/encoded", Map.of(), "").header("x-amz-meta-said"))
        .isEqualTo(told);
  }

  @Test
  void encodedMetadataMustNotHaveControlCharacters() throws IOException {
    Map<String, String> lines = Map.of("x-amz-meta-said", "=?UTF-8?B?YQ0KYg==?=");

    assertRefused("InvalidArgument", wire.send("PUT", "/wire/lines", lines, ""));
  }

  @Test
  void firstListTypeIsThePlainListing() throws IOException {
    assertThat(wire.send("GET", "/wire?list-type=1&max-keys=1", Map.of(), "").body())
        .contains("<Marker>", "<Key>")
        .doesNotContain("KeyCount");
    assertRefused("InvalidArgument", wire.send("GET", "/wire?list-type=3", Map.of(), ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?encoding-type=&list-type=2",
        "?encoding-type=base64",
        "/first?versionId=",
      })
  void emptyOrUnknownValueIsRefused(String target) throws IOException {
    assertRefused("InvalidArgument", wire.send("GET", "/wire" + target, Map.of(), ""));
  }

  @Test
  void emptyVersionOfACopySourceIsRefused() throws IOException {
    Map<String, String> source = Map.of("x-amz-copy-source", "/wire/first?versionId=");

    assertRefused("InvalidArgument", wire.send("PUT", "/wire/copied", source, ""));
  }

  @Test
  void startAfterIsNotToldBesideAToken() throws IOException {
    String first =
        wire.send("GET", "/wire?list-type=2&max-keys=1&start-after=a", Map.of(), "").body();
    assertThat(first).contains("<StartAfter>a</StartAfter>");
    String token = first.replaceAll("(?s).*<NextContinuationToken>(.*)</NextCont.*", "$1");

    String next = "/wire?continuation-token=" + token + "&list-type=2&max-keys=1&start-after=a";
    assertThat(wire.send("GET", next, Map.of(), "").body())
        .contains("<ContinuationToken>")
        .doesNotContain("StartAfter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"k=1&k=2", "a=1,b=2", "a=%26", "a%23=1"})
  void tagsOfAHeaderAreOfPermittedCharactersAndEachKeyStandsOnce(String tags) throws IOException {
    assertRefused(
        "InvalidArgument", wire.send("PUT", "/wire/tagged", Map.of("x-amz-tagging", tags), ""));
  }

  @Test
  void tagsMayHaveTheSymbolsOfS3AndLettersOfAnyScript() throws IOException {
    Map<String, String> tags =
        Map.of("x-amz-tagging", "a%2B-%3D._%3A%2F%40+z=%E6%97%A5%E0%A4%B9%E0%A4%BF");

    assertThat(wire.send("PUT", "/wire/tagged", tags, "").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a&amp;b", "a,b", "a&#x1;"})
  void tagsOfADocumentAreOfPermittedCharacters(String key) throws IOException {
    String document =
        "<Tagging><TagSet><Tag><Key>" + key + "</Key><Value>v</Value></Tag></TagSet></Tagging>";

    assertRefused("InvalidTag", wire.send("PUT", "/wire/first?tagging=", Map.of(), document));
  }

  @Test
  void redirectIsAUrlOrAPath() throws IOException {
    for (String location : new String[] {"/other", "http://x.example/", "https://x.example/"}) {
      Map<String, String> headers = Map.of("x-amz-website-redirect-location", location);
      assertThat(wire.send("PUT", "/wire/moved", headers, "").status()).isEqualTo(200);
    }
    assertRefused(
        "InvalidRedirectLocation",
        wire.send("PUT", "/wire/moved", Map.of("x-amz-website-redirect-location", "other"), ""));
  }

  @Test
  void copyHasTheClassAndTheRedirectOfItsRequest() {
    wire.s3()
        .putObject(
            r ->
                r.bucket("wire")
                    .key("cold")
                    .storageClass("GLACIER_IR")
                    .websiteRedirectLocation("/there")
                    .contentType("x/y"),
            RequestBody.fromString("x"));
    for (MetadataDirective directive :
        new MetadataDirective[] {MetadataDirective.COPY, MetadataDirective.REPLACE}) {
      wire.s3()
          .copyObject(r ->
              r.sourceBucket("wire")
                  .sourceKey("cold")
                  .destinationBucket("wire")
                  .destinationKey("plain")
                  .metadataDirective(directive));
      HeadObjectResponse plain = wire.s3().headObject(r -> r.bucket("wire").key("plain"));
      assertThat(plain.storageClassAsString()).isNull();
      assertThat(plain.websiteRedirectLocation()).isNull();
      wire.s3()
          .copyObject(r ->
              r.sourceBucket("wire")
                  .sourceKey("plain")
                  .destinationBucket("wire")
                  .destinationKey("plain")
                  .metadataDirective(directive)
                  .storageClass("STANDARD_IA")
                  .websiteRedirectLocation("/here"));
      HeadObjectResponse changed = wire.s3().headObject(r -> r.bucket("wire").key("plain"));
      assertThat(changed.storageClassAsString()).isEqualTo("STANDARD_IA");
      assertThat(changed.websiteRedirectLocation()).isEqualTo("/here");
    }
  }

  @Test
  void listingsTellTheClassAndTheTypeOfTheChecksum() throws IOException {
    Map<String, String> headers =
        Map.of("x-amz-storage-class", "GLACIER_IR", "x-amz-checksum-crc32", WireFixture.crc32("x"));
    wire.send("PUT", "/wire/listed", headers, "x");

    for (String query :
        new String[] {"?list-type=2&prefix=listed", "?prefix=listed", "?prefix=listed&versions="}) {
      assertThat(wire.send("GET", "/wire" + query, Map.of(), "").body())
          .contains(
              "<ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType>")
          .contains("<StorageClass>GLACIER_IR</StorageClass>");
    }
  }

  private static void assertRefused(String code, RawResponse answer) {
    assertThat(answer.body()).contains("<Code>" + code + "</Code>");
    assertThat(answer.status()).isEqualTo(400);
  }
}
