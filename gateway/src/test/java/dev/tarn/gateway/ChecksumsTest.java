package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The five checksums of S3: of whole objects, of parts, and of objects made of parts. */
class ChecksumsTest {
  private static final String FIRST = "a".repeat(5 << 20);
  private static final String LAST = "the last part";
  private static final Map<String, String> SHOWN = Map.of("x-amz-checksum-mode", "ENABLED");

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
  }

  @ParameterizedTest
  @EnumSource
  void trailerOfEachAlgorithmIsVerifiedKeptAndShown(ChecksumAlgorithm algorithm)
      throws IOException {
    String header = algorithm.headerName();
    for (String mode : List.of(AwsChunkedBody.UNSIGNED_TRAILER, AwsChunkedBody.SIGNED_TRAILER)) {
      RawResponse wrong = sendTrailing("/wire/trailed", mode, algorithm, value(algorithm, "other"));
      assertThat(wrong.body()).contains("<Code>BadDigest</Code>");
      assertThat(wire.contentOf("trailed")).isEqualTo("404");

      RawResponse stored = sendTrailing("/wire/trailed", mode, algorithm, value(algorithm, LAST));
      assertThat(stored.status()).as(stored.body()).isEqualTo(200);
      assertThat(stored.header(header)).isEqualTo(value(algorithm, LAST));
      assertThat(send("HEAD", "/wire/trailed", SHOWN, "").header(header))
          .isEqualTo(value(algorithm, LAST));
      wire.s3().deleteObject(r -> r.bucket("wire").key("trailed"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void trailerOfAPartIsVerifiedAndShown(ChecksumAlgorithm algorithm) throws IOException {
    String upload = begin("part", Map.of());
    String target = "/wire/part?partNumber=1&" + upload;
    String mode = AwsChunkedBody.UNSIGNED_TRAILER;

    assertThat(sendTrailing(target, mode, algorithm, value(algorithm, "other")).body())
        .contains("<Code>BadDigest</Code>");
    assertThat(send("GET", "/wire/part?" + upload, Map.of(), "").body()).doesNotContain("<Part>");
    assertThat(
            sendTrailing(target, mode, algorithm, value(algorithm, LAST))
                .header(algorithm.headerName()))
        .isEqualTo(value(algorithm, LAST));
    assertThat(send("GET", "/wire/part?" + upload, Map.of(), "").body())
        .contains("<Checksum" + algorithm + ">" + value(algorithm, LAST));
  }

  @ParameterizedTest
  @EnumSource(names = {"CRC32", "CRC32C", "CRC64NVME"})
  void crcOfTheWholeIsCombinedFromThoseOfTheParts(ChecksumAlgorithm algorithm) throws IOException {
    String header = algorithm.headerName();
    String whole = value(algorithm, FIRST + LAST);
    String upload =
        begin(
            "whole",
            Map.of(
                "x-amz-checksum-algorithm",
                algorithm.name(),
                "x-amz-checksum-type",
                "FULL_OBJECT"));
    String parts = putParts("whole", upload, algorithm);

    Map<String, String> wrong =
        Map.of(header, value(algorithm, "other"), "x-amz-checksum-type", "FULL_OBJECT");
    assertThat(send("POST", "/wire/whole?" + upload, wrong, parts).body())
        .contains("<Code>BadDigest</Code>");
    assertThat(wire.contentOf("whole")).isEqualTo("404");

    Map<String, String> right = Map.of(header, whole, "x-amz-checksum-type", "FULL_OBJECT");
    assertThat(send("POST", "/wire/whole?" + upload, right, parts).body())
        .contains("<Checksum" + algorithm + ">" + whole + "</Checksum" + algorithm + ">")
        .contains("<ChecksumType>FULL_OBJECT</ChecksumType>");
    assertThat(send("HEAD", "/wire/whole", SHOWN, "").header(header)).isEqualTo(whole);
    assertThat(send("GET", "/wire/whole?attributes=", attributes("Checksum"), "").body())
        .contains("<Checksum" + algorithm + ">" + whole + "</Checksum" + algorithm + ">")
        .contains("<ChecksumType>FULL_OBJECT</ChecksumType>");
    RawResponse part = send("GET", "/wire/whole?partNumber=2", SHOWN, "");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.headers()).doesNotContainKeys(header, "x-amz-checksum-type");
    wire.s3().deleteObject(r -> r.bucket("wire").key("whole"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attributesOnlyCountThePartsOfAnObjectWhoseChecksumIsNotMadeOfTheirs(boolean fullObject)
      throws IOException {
    String upload =
        begin(
            "counted",
            fullObject
                ? Map.of("x-amz-checksum-algorithm", "CRC32", "x-amz-checksum-type", "FULL_OBJECT")
                : Map.of());
    String part =
        send("PUT", "/wire/counted?partNumber=1&" + upload, Map.of(), LAST).header("ETag");
    String document =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"
            + part
            + "</ETag></Part></CompleteMultipartUpload>";
    assertThat(send("POST", "/wire/counted?" + upload, Map.of(), document).status()).isEqualTo(200);

    assertThat(send("GET", "/wire/counted?attributes=", attributes("ObjectParts"), "").body())
        .contains("<ObjectParts><PartsCount>1</PartsCount></ObjectParts>");
  }

  @ParameterizedTest
  @EnumSource(names = {"CRC32", "CRC32C", "SHA1", "SHA256"})
  void compositeIsTheChecksumOfThePartsChecksumsAndTheirNumber(ChecksumAlgorithm algorithm)
      throws IOException {
    String header = algorithm.headerName();
    String bare = compositeOfParts(algorithm);
    String upload = begin("composite", Map.of("x-amz-checksum-algorithm", algorithm.name()));
    String parts = putParts("composite", upload, algorithm);

    assertThat(send("POST", "/wire/composite?" + upload, Map.of(), parts).body())
        .contains("<Checksum" + algorithm + ">" + bare + "-2</Checksum" + algorithm + ">")
        .contains("<ChecksumType>COMPOSITE</ChecksumType>");
    RawResponse head = send("HEAD", "/wire/composite", SHOWN, "");
    assertThat(head.header(header)).isEqualTo(bare + "-2");
    assertThat(head.header("x-amz-checksum-type")).isEqualTo("COMPOSITE");
    wire.s3().deleteObject(r -> r.bucket("wire").key("composite"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CRC32", "CRC32C", "SHA1", "SHA256"})
  void completionMayNameACompositeWithOrWithoutTheNumberOfParts(ChecksumAlgorithm algorithm)
      throws IOException {
    String bare = compositeOfParts(algorithm);
    for (String accepted : List.of(bare, bare + "-2")) {
      String upload = begin("named", Map.of("x-amz-checksum-algorithm", algorithm.name()));
      String parts = putParts("named", upload, algorithm);

      for (String wrong : List.of(value(algorithm, "other"), bare + "-3", bare + "-")) {
        assertThat(complete("named", upload, algorithm, wrong, parts).body())
            .contains("<Code>BadDigest</Code>");
      }
      assertThat(complete("named", upload, algorithm, accepted, parts).body())
          .contains("<Checksum" + algorithm + ">" + bare + "-2</Checksum" + algorithm + ">");
      wire.s3().deleteObject(r -> r.bucket("wire").key("named"));
    }
  }

  private static RawResponse complete(
      String key, String upload, ChecksumAlgorithm algorithm, String checksum, String parts)
      throws IOException {
    Map<String, String> headers = Map.of(algorithm.headerName(), checksum);
    return send("POST", "/wire/" + key + "?" + upload, headers, parts);
  }

  /** AWS writes the number of parts in headers and in the answer to Complete, but not here. */
  @Test
  void attributesTellACompositeWithoutTheNumberOfParts() throws IOException {
    ChecksumAlgorithm algorithm = ChecksumAlgorithm.SHA256;
    String upload = begin("attributes", Map.of("x-amz-checksum-algorithm", "SHA256"));
    String parts = putParts("attributes", upload, algorithm);
    assertThat(send("POST", "/wire/attributes?" + upload, Map.of(), parts).status()).isEqualTo(200);

    String body =
        send("GET", "/wire/attributes?attributes=", attributes("Checksum,ObjectParts,ETag"), "")
            .body();

    assertThat(body)
        .contains("<ChecksumSHA256>" + compositeOfParts(algorithm) + "</ChecksumSHA256>")
        .contains("<ChecksumType>COMPOSITE</ChecksumType>", "<PartsCount>2</PartsCount>")
        .contains("<ChecksumSHA256>" + value(algorithm, LAST) + "</ChecksumSHA256>")
        .containsPattern("<ETag>[0-9a-f]{32}-2</ETag>");
  }

  /** The value is that of the bytes in the answer: clients compare it. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void partThatIsReadAloneHasItsOwnChecksumWhereThatOfTheObjectIsComposite(String method)
      throws IOException {
    ChecksumAlgorithm algorithm = ChecksumAlgorithm.CRC32;
    String upload = begin("alone", Map.of("x-amz-checksum-algorithm", "CRC32"));
    String parts = putParts("alone", upload, algorithm);
    assertThat(send("POST", "/wire/alone?" + upload, Map.of(), parts).status()).isEqualTo(200);

    RawResponse shown = send(method, "/wire/alone?partNumber=2", SHOWN, "");
    RawResponse plain = send(method, "/wire/alone?partNumber=2", Map.of(), "");
    Map<String, String> range = new HashMap<>(SHOWN);
    range.put("range", "bytes=-" + LAST.length());
    RawResponse ofRange = send(method, "/wire/alone", range, "");

    assertThat(shown.status()).isEqualTo(206);
    assertThat(shown.header("x-amz-mp-parts-count")).isEqualTo("2");
    assertThat(shown.header("x-amz-checksum-crc32")).isEqualTo(value(algorithm, LAST));
    assertThat(shown.header("x-amz-checksum-type")).isEqualTo("COMPOSITE");
    for (RawResponse without : List.of(plain, ofRange)) {
      assertThat(without.status()).isEqualTo(206);
      assertThat(without.headers()).doesNotContainKeys("x-amz-checksum-crc32");
      assertThat(without.headers()).doesNotContainKeys("x-amz-checksum-type");
    }
  }

  @ParameterizedTest
  @CsvSource({"CRC32, COMPOSITE, FULL_OBJECT", "CRC32C, FULL_OBJECT, COMPOSITE"})
  void completionThatNamesAnotherTypeThanTheBeginningIsRefused(
      ChecksumAlgorithm algorithm, String begun, String named) throws IOException {
    String upload =
        begin(
            "typed",
            Map.of("x-amz-checksum-algorithm", algorithm.name(), "x-amz-checksum-type", begun));
    String parts = putParts("typed", upload, algorithm);

    RawResponse refused =
        send("POST", "/wire/typed?" + upload, Map.of("x-amz-checksum-type", named), parts);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidRequest</Code>", begun + " checksum mode");
    assertThat(wire.contentOf("typed")).isEqualTo("404");
    assertThat(
            send("POST", "/wire/typed?" + upload, Map.of("x-amz-checksum-type", "HALF"), parts)
                .body())
        .contains("<Code>InvalidRequest</Code>");

    Map<String, String> same = Map.of("x-amz-checksum-type", begun);
    assertThat(send("POST", "/wire/typed?" + upload, same, parts).status()).isEqualTo(200);
    // Again, as after an answer that was lost.
    assertThat(send("POST", "/wire/typed?" + upload, same, parts).status()).isEqualTo(200);
    wire.s3().deleteObject(r -> r.bucket("wire").key("typed"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Nothing", "ETag,Nothing", "Owner"})
  void attributesThatThereAreNoneOfAreRefused(String names) throws IOException {
    wire.store("plain", "x");
    Map<String, String> headers = names.isEmpty() ? Map.of() : attributes(names);

    RawResponse refused = send("GET", "/wire/plain?attributes=", headers, "");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidArgument</Code>");
  }

  private static Map<String, String> attributes(String names) {
    return Map.of("x-amz-object-attributes", names);
  }

  private static String begin(String key, Map<String, String> headers) throws IOException {
    RawResponse begun = send("POST", "/wire/" + key + "?uploads=", headers, "");
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    return "uploadId=" + begun.body().replaceFirst("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
  }

  /** Puts two parts, and gives the document that names them. */
  private static String putParts(String key, String upload, ChecksumAlgorithm algorithm)
      throws IOException {
    StringBuilder document = new StringBuilder("<CompleteMultipartUpload>");
    int number = 0;
    for (String content : List.of(FIRST, LAST)) {
      number++;
      String checksum = value(algorithm, content);
      RawResponse part =
          send(
              "PUT",
              "/wire/" + key + "?partNumber=" + number + "&" + upload,
              Map.of(algorithm.headerName(), checksum),
              content);
      assertThat(part.status()).as(part.body()).isEqualTo(200);
      document.append("<Part><PartNumber>").append(number).append("</PartNumber><ETag>");
      document.append(part.header("ETag")).append("</ETag><Checksum").append(algorithm);
      document.append('>').append(checksum).append("</Checksum").append(algorithm);
      document.append("></Part>");
    }
    return document.append("</CompleteMultipartUpload>").toString();
  }

  private static String compositeOfParts(ChecksumAlgorithm algorithm) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    for (String part : List.of(FIRST, LAST)) {
      digest.update(ByteBuffer.wrap(Base64.getDecoder().decode(value(algorithm, part))));
    }
    return Base64.getEncoder().encodeToString(digest.finish());
  }

  private static String value(ChecksumAlgorithm algorithm, String text) {
    StreamingDigest digest = StreamingDigest.of(algorithm);
    digest.update(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    return ChecksumValues.ofBytes(algorithm, digest.finish()).value();
  }

  private static RawResponse sendTrailing(
      String target, String mode, ChecksumAlgorithm algorithm, String value) throws IOException {
    Signed request =
        wire.signer()
            .sign(
                "PUT",
                target,
                mode,
                Map.of(
                    "x-amz-decoded-content-length", Integer.toString(LAST.length()),
                    "x-amz-trailer", algorithm.headerName()));
    String trailer = algorithm.headerName() + ":" + value;
    byte[] object = LAST.getBytes(US_ASCII);
    byte[] body =
        mode.equals(AwsChunkedBody.SIGNED_TRAILER)
            ? AwsChunkedBody.signed(wire.signer(), request, object, 8, trailer)
            : AwsChunkedBody.unsigned(object, 8, trailer);
    try (RawConnection connection = wire.connect()) {
      return connection
          .send(request.with("Content-Length: " + body.length + "\r\n"))
          .send(body)
          .receive();
    }
  }

  private static RawResponse send(
      String method, String target, Map<String, String> headers, String body) throws IOException {
    Signed request = wire.signer().sign(method, target, WireFixture.UNSIGNED, headers);
    try (RawConnection connection = wire.connect()) {
      return connection
          .send(request.with("Content-Length: " + body.length() + "\r\n"))
          .send(body)
          .receive(method.equals("HEAD"));
    }
  }
}
