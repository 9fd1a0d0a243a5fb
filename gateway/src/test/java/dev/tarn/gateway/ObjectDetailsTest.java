package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the contract says of objects, to the letter of headers and documents. */
class ObjectDetailsTest {
  @AutoClose private static WireFixture wire;
  private static String etag;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
    wire.store("empty", "");
    wire.store("a b/é+c", "odd");
    wire.store("日本", "far");
    etag = "\"" + WireFixture.md5("content") + "\"";
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-9"})
  void noRangeOfAnEmptyObjectIsSatisfiable(String range) throws IOException {
    RawResponse refused = send("GET", "/wire/empty", Map.of("range", range), "");

    assertThat(refused.status()).isEqualTo(416);
    assertThat(refused.body()).contains("<Code>InvalidRange</Code>");
    assertThat(refused.header("Content-Range")).isEqualTo("bytes */0");
  }

  @Test
  void objectOfOnePieceHasOnePart() throws IOException {
    RawResponse first = send("GET", "/wire/object?partNumber=1", Map.of(), "");
    RawResponse second = send("GET", "/wire/object?partNumber=2", Map.of(), "");

    assertThat(first.status()).isEqualTo(206);
    assertThat(first.body()).isEqualTo("content");
    assertThat(first.header("Content-Range")).isEqualTo("bytes 0-6/7");
    assertThat(first.headers()).doesNotContainKey("x-amz-mp-parts-count");
    assertThat(second.status()).isEqualTo(416);
    assertThat(second.body()).contains("<Code>InvalidPartNumber</Code>");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=99999999999999999999-, 416",
    "bytes=0-99999999999999999999, 206",
    "bytes=-99999999999999999999, 206",
  })
  void rangeBeyondAllNumbersIsBeyondTheEnd(String range, int status) throws IOException {
    RawResponse answer = send("GET", "/wire/object", Map.of("range", range), "");

    assertThat(answer.status()).isEqualTo(status);
    if (status == 206) {
      assertThat(answer.body()).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SAME, 206",
    "'\"other\"', 200",
    "W/SAME, 200",
    "'Thu, 01 Jan 2099 00:00:00 GMT', 206",
    "'Thu, 01 Jan 2015 00:00:00 GMT', 200",
  })
  void rangeOfAnObjectThatHasChangedIsAnsweredWithAllOfIt(String ifRange, int status)
      throws IOException {
    String validator = ifRange.replace("SAME", etag);
    RawResponse part =
        send("GET", "/wire/object", Map.of("if-range", validator, "range", "bytes=-3"), "");
    RawResponse whole = send("GET", "/wire/object", Map.of("if-range", validator), "");
    RawResponse missing =
        send("GET", "/wire/none", Map.of("if-range", validator, "range", "bytes=-3"), "");
    RawResponse past =
        send("GET", "/wire/object", Map.of("if-range", validator, "range", "bytes=9-"), "");

    assertThat(part.status()).isEqualTo(status);
    assertThat(part.body()).isEqualTo(status == 206 ? "ent" : "content");
    assertThat(whole.body()).isEqualTo("content");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(past.status()).isEqualTo(status == 206 ? 416 : 200);
  }

  @Test
  void otherConditionsHoldBesideTheOneOfARange() throws IOException {
    Map<String, String> headers =
        Map.of("if-range", etag, "range", "bytes=-3", "if-match", "\"other\"");

    assertThat(send("GET", "/wire/object", headers, "").status()).isEqualTo(412);
  }

  @Test
  void answerThatNothingWasModifiedCarriesTheETagAndNoBody() throws IOException {
    for (String method : new String[] {"GET", "HEAD"}) {
      RawResponse same = send(method, "/wire/object", Map.of("if-none-match", etag), "");

      assertThat(same.status()).isEqualTo(304);
      assertThat(same.header("ETag")).isEqualTo(etag);
      assertThat(same.header("Last-Modified")).endsWith(" GMT");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "if-match, SAME, if-unmodified-since, 'Thu, 01 Jan 2015 00:00:00 GMT', 200",
    "if-match, other, if-unmodified-since, 'Thu, 01 Jan 2099 00:00:00 GMT', 412",
    "if-none-match, SAME, if-modified-since, 'Thu, 01 Jan 2015 00:00:00 GMT', 304",
    "if-none-match, other, if-modified-since, 'Thu, 01 Jan 2099 00:00:00 GMT', 200",
    "if-match, other, if-none-match, SAME, 412",
    "if-match, SAME, if-none-match, SAME, 304",
    "if-unmodified-since, 'Thu, 01 Jan 2015 00:00:00 GMT', if-none-match, SAME, 412",
    "if-match, *, if-none-match, other, 200",
    "if-modified-since, nonsense, if-unmodified-since, nonsense, 200",
  })
  void conditionsAreJudgedInTheirOrder(
      String one, String value, String other, String otherValue, int status) throws IOException {
    Map<String, String> conditions =
        Map.of(one, value.replace("SAME", etag), other, otherValue.replace("SAME", etag));

    assertThat(send("GET", "/wire/object", conditions, "").status()).isEqualTo(status);
    assertThat(send("HEAD", "/wire/object", conditions, "").status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "/wire/object, content",
    "wire/object, content",
    "wire%2Fobject, content",
    "/wire/object?versionId=null, content",
    "/wire/a%20b/%C3%A9%2Bc, odd",
    "/wire/a+b/%C3%A9%2Bc, odd",
    "/wire/a+b/é%2Bc, odd",
    "/wire/日本, far",
  })
  void sourceOfACopyIsReadHoweverItIsWritten(String source, String content) throws IOException {
    RawResponse copied = send("PUT", "/wire/copy", Map.of("x-amz-copy-source", source), "");

    assertThat(copied.status()).as(copied.body()).isEqualTo(200);
    assertThat(copied.body()).contains("<ETag>&quot;");
    assertThat(wire.contentOf("copy")).isEqualTo(content);
  }

  @Test
  void plusInTheSourceOfAPartIsASpaceToo() throws IOException {
    String upload = wire.s3().createMultipartUpload(r -> r.bucket("wire").key("part")).uploadId();
    String part = "/wire/part?partNumber=1&uploadId=" + upload;

    RawResponse copied = send("PUT", part, Map.of("x-amz-copy-source", "/wire/a+b/%C3%A9%2Bc"), "");
    RawResponse missing =
        send("PUT", part, Map.of("x-amz-copy-source", "/wire/a%20b/%C3%A9+c"), "");

    assertThat(copied.status()).as(copied.body()).isEqualTo(200);
    assertThat(copied.body()).contains(WireFixture.md5("odd"));
    assertThat(missing.body()).contains("<Code>NoSuchKey</Code>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"k=%C3%A9%E6%97%A5", "k=é日"})
  void tagsAreReadWhetherOrNotTheyAreEscaped(String tags) throws IOException {
    RawResponse put = send("PUT", "/wire/tagged", Map.of("x-amz-tagging", tags), "content");

    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(
            wire.s3()
                .getObjectTagging(r -> r.bucket("wire").key("tagged"))
                .tagSet()
                .getFirst()
                .value())
        .isEqualTo("é日");
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-copy-source-if-match, SAME, 200",
    "x-amz-copy-source-if-match, other, 412",
    "x-amz-copy-source-if-none-match, SAME, 412",
    "x-amz-copy-source-if-none-match, other, 200",
    "x-amz-copy-source-if-modified-since, 'Thu, 01 Jan 2015 00:00:00 GMT', 200",
    "x-amz-copy-source-if-unmodified-since, 'Thu, 01 Jan 2015 00:00:00 GMT', 412",
  })
  void copyIsMadeUnderTheConditionsOnItsSource(String condition, String value, int status)
      throws IOException {
    Map<String, String> headers =
        Map.of("x-amz-copy-source", "/wire/object", condition, value.replace("SAME", etag));

    assertThat(send("PUT", "/wire/conditional", headers, "").status()).isEqualTo(status);
    assertThat(wire.contentOf("conditional")).isEqualTo(status == 200 ? "content" : "404");
    wire.s3().deleteObject(r -> r.bucket("wire").key("conditional"));
  }

  @Test
  void deleteIsMadeUnderItsCondition() throws IOException {
    wire.store("deleted", "content");

    assertThat(send("DELETE", "/wire/deleted", Map.of("if-match", "\"other\""), "").status())
        .isEqualTo(412);
    assertThat(wire.contentOf("deleted")).isEqualTo("content");
    assertThat(send("DELETE", "/wire/deleted", Map.of("if-match", etag), "").status())
        .isEqualTo(204);
    assertThat(wire.contentOf("deleted")).isEqualTo("404");
  }

  @Test
  void completionIsMadeUnderItsCondition() throws IOException {
    String id = wire.s3().createMultipartUpload(r -> r.bucket("wire").key("object")).uploadId();
    String upload = "uploadId=" + id;
    String part =
        send("PUT", "/wire/object?partNumber=3&" + upload, Map.of(), "content").header("ETag");
    // Neither quotes nor the first number are needed.
    String document =
        "<CompleteMultipartUpload><Part><PartNumber>3</PartNumber><ETag>"
            + part.replace("\"", "")
            + "</ETag></Part></CompleteMultipartUpload>";

    assertThat(
            send("POST", "/wire/object?" + upload, Map.of("if-none-match", "*"), document).status())
        .isEqualTo(412);
    assertThat(
            send("POST", "/wire/object?" + upload, Map.of("if-match", "\"other\""), document)
                .status())
        .isEqualTo(412);
    RawResponse completed =
        send("POST", "/wire/object?" + upload, Map.of("if-match", etag), document);
    assertThat(completed.status()).isEqualTo(200);
    assertThat(completed.body()).contains("-1&quot;</ETag>");
    wire.store("object", "content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""})
  void listOfKeysToDeleteMayNameTheNullVersionAndFailForOneKeyAlone(String namespace)
      throws IOException {
    wire.store("one", "x");
    String document =
        "<Delete"
            + namespace
            + "><Object><Key>one</Key><VersionId>null</VersionId></Object>"
            + "<Object><Key>"
            + "k".repeat(1025)
            + "</Key></Object><Object><Key>object</Key><ETag>other</ETag></Object></Delete>";
    RawResponse deleted =
        send(
            "POST",
            "/wire?delete=",
            Map.of("x-amz-checksum-crc32", WireFixture.crc32(document)),
            document);

    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.body()).contains("<Deleted><Key>one</Key>");
    assertThat(deleted.body()).contains("<Code>KeyTooLongError</Code>");
    assertThat(deleted.body()).contains("<Error><Key>object</Key><Code>PreconditionFailed</Code>");
    assertThat(wire.contentOf("one")).isEqualTo("404");
    assertThat(wire.contentOf("object")).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "-1", "1.5", "99999999999", "0x10"})
  void pageSizeThatIsNoNumberIsRefused(String size) throws IOException {
    for (String target : new String[] {"/wire?list-type=2&max-keys=", "/wire?max-keys="}) {
      RawResponse refused = send("GET", target + size, Map.of(), "");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("<Code>InvalidArgument</Code>");
    }
  }

  @Test
  void everythingThatAListingEchoesIsEncodedWhereThatIsAskedFor() throws IOException {
    String second =
        send(
                "GET",
                "/wire?delimiter=%2B&encoding-type=url&list-type=2&prefix=a%20b&start-after=a%20",
                Map.of(),
                "")
            .body();
    String first =
        send("GET", "/wire?delimiter=%2B&encoding-type=url&marker=a%20&max-keys=1", Map.of(), "")
            .body();

    assertThat(second)
        .contains("<Delimiter>%2B</Delimiter>", "<EncodingType>url</EncodingType>")
        .containsAnyOf("<StartAfter>a+</StartAfter>", "<StartAfter>a%20</StartAfter>")
        .containsAnyOf("<Prefix>a+b</Prefix>", "<Prefix>a%20b</Prefix>")
        .contains("/%C3%A9%2B</Prefix>");
    assertThat(first)
        .containsAnyOf("<Marker>a+</Marker>", "<Marker>a%20</Marker>")
        .contains("/%C3%A9%2B</NextMarker>");
  }

  @ParameterizedTest
  @EnumSource
  void checksumOfEachAlgorithmIsVerifiedKeptAndShown(ChecksumAlgorithm algorithm)
      throws IOException {
    String header = algorithm.headerName();
    RawResponse wrong =
        send("PUT", "/wire/sum", Map.of(header, checksum(algorithm, "other")), "content");
    assertThat(wrong.body()).contains("<Code>BadDigest</Code>");
    RawResponse malformed = send("PUT", "/wire/sum", Map.of(header, "AAA"), "content");
    assertThat(malformed.body()).contains("<Code>InvalidRequest</Code>");
    assertThat(wire.contentOf("sum")).isEqualTo("404");

    String right = checksum(algorithm, "content");
    RawResponse stored = send("PUT", "/wire/sum", Map.of(header, right), "content");
    assertThat(stored.header(header)).isEqualTo(right);
    for (String mode : new String[] {"ENABLED", "enabled", "Enabled"}) {
      RawResponse read = send("GET", "/wire/sum", Map.of("x-amz-checksum-mode", mode), "");
      assertThat(read.header(header)).isEqualTo(right);
      assertThat(read.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
    }
    RawResponse part =
        send(
            "GET", "/wire/sum", Map.of("x-amz-checksum-mode", "ENABLED", "range", "bytes=0-1"), "");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.headers()).doesNotContainKeys(header, "x-amz-checksum-type");
    wire.s3().deleteObject(r -> r.bucket("wire").key("sum"));
  }

  @ParameterizedTest
  @CsvSource({
    "CRC32, '', COMPOSITE",
    "CRC32, FULL_OBJECT, FULL_OBJECT",
    "CRC32C, '', COMPOSITE",
    "CRC32C, FULL_OBJECT, FULL_OBJECT",
    "CRC64NVME, '', FULL_OBJECT",
    "SHA1, '', COMPOSITE",
    "SHA256, COMPOSITE, COMPOSITE",
  })
  void uploadHasTheTypeOfChecksumThatItsAlgorithmAllows(
      ChecksumAlgorithm algorithm, String asked, String type) throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("x-amz-checksum-algorithm", algorithm.name());
    if (!asked.isEmpty()) {
      headers.put("x-amz-checksum-type", asked);
    }
    RawResponse begun = send("POST", "/wire/typed?uploads=", headers, "");
    assertThat(begun.header("x-amz-checksum-type")).isEqualTo(type);
    String upload =
        "uploadId=" + begun.body().replaceFirst("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
    RawResponse part =
        send(
            "PUT",
            "/wire/typed?partNumber=1&" + upload,
            Map.of(algorithm.headerName(), checksum(algorithm, "content")),
            "content");
    String document =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"
            + part.header("ETag")
            + "</ETag><Checksum"
            + algorithm
            + ">"
            + checksum(algorithm, "content")
            + "</Checksum"
            + algorithm
            + "></Part></CompleteMultipartUpload>";
    RawResponse completed = send("POST", "/wire/typed?" + upload, Map.of(), document);
    assertThat(completed.body()).contains("<ChecksumType>" + type + "</ChecksumType>");

    String shown =
        send("HEAD", "/wire/typed", Map.of("x-amz-checksum-mode", "ENABLED"), "")
            .header(algorithm.headerName());
    if (type.equals("FULL_OBJECT")) {
      assertThat(shown).isEqualTo(checksum(algorithm, "content"));
    } else {
      assertThat(shown).endsWith("-1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CRC64NVME, COMPOSITE",
    "SHA1, FULL_OBJECT",
    "SHA256, FULL_OBJECT",
    "MD5, ''",
    "XXHASH64, ''",
    "CRC32, HALF",
  })
  void uploadWithAChecksumThatCannotBeIsRefused(String algorithm, String type) throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("x-amz-checksum-algorithm", algorithm);
    if (!type.isEmpty()) {
      headers.put("x-amz-checksum-type", type);
    }
    RawResponse refused = send("POST", "/wire/refused?uploads=", headers, "");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidRequest</Code>");
  }

  @Test
  void attributesOfAnObjectTellItsPartsPageByPage() throws IOException {
    String id =
        wire.s3()
            .createMultipartUpload(r ->
                r.bucket("wire").key("paged").checksumAlgorithm("CRC32").checksumType("COMPOSITE"))
            .uploadId();
    String body = "x".repeat(5 << 20);
    StringBuilder parts = new StringBuilder();
    for (int number = 1; number <= 3; number++) {
      String part =
          send("PUT", "/wire/paged?partNumber=" + number + "&uploadId=" + id, Map.of(), body)
              .header("ETag");
      parts.append("<Part><PartNumber>").append(number).append("</PartNumber><ETag>");
      parts.append(part).append("</ETag></Part>");
    }
    String document = "<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>";
    assertThat(send("POST", "/wire/paged?uploadId=" + id, Map.of(), document).status())
        .isEqualTo(200);

    Map<String, String> wanted =
        Map.of(
            "x-amz-object-attributes", "ObjectParts,ObjectSize,ETag,StorageClass",
            "x-amz-max-parts", "2");
    String first = send("GET", "/wire/paged?attributes=", wanted, "").body();
    Map<String, String> more = new HashMap<>(wanted);
    more.put("x-amz-part-number-marker", "2");
    String second = send("GET", "/wire/paged?attributes=", more, "").body();

    assertThat(first)
        .contains("<PartsCount>3</PartsCount>", "<NextPartNumberMarker>2</NextPartNumberMarker>")
        .contains("<IsTruncated>true</IsTruncated>", "<ObjectSize>" + 3 * (5 << 20));
    assertThat(second)
        .contains("<PartNumber>3</PartNumber>", "<IsTruncated>false</IsTruncated>")
        .doesNotContain("<PartNumber>2</PartNumber>");
  }

  private static String checksum(ChecksumAlgorithm algorithm, String text) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(text.getBytes(UTF_8)));
    return ChecksumValues.ofBytes(algorithm, digest.finish()).value();
  }

  private static RawResponse send(
      String method, String target, Map<String, String> headers, String body) throws IOException {
    Signed request =
        wire.signer().sign(method, target, HandSigner.sha256(body.getBytes(UTF_8)), headers);
    try (RawConnection connection = wire.connect()) {
      return connection
          .send(request.with("Content-Length: " + body.length() + "\r\n").getBytes(UTF_8))
          .send(body)
          .receive(method.equals("HEAD"));
    }
  }
}
