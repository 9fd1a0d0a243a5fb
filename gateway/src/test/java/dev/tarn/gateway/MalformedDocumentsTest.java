package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
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

/** Documents that do not say what they must change nothing. */
class MalformedDocumentsTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.s3()
        .putObject(
            r -> r.bucket("wire").key("object").tagging("kept=yes"),
            RequestBody.fromString("content"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>",
        "<Tagging><TagSet><Tag><Value>a</Value></Tag></TagSet></Tagging>",
        "<Tagging><TagSet><Tag/></TagSet></Tagging>",
        "<Tagging/>",
        "<TagSet/>",
        "<Tagging><TagSet>",
        "",
      })
  void tagsWithoutKeyOrValueAreRefused(String document) throws IOException {
    RawResponse refused = send("PUT", "/wire/object?tagging=", document);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>MalformedXML</Code>");
    assertThat(wire.s3().getObjectTagging(r -> r.bucket("wire").key("object")).tagSet())
        .singleElement()
        .satisfies(tag -> assertThat(tag.key()).isEqualTo("kept"));
  }

  @ParameterizedTest
  @CsvSource({
    "ExcludeFolders, <ExcludeFolders>true</ExcludeFolders>",
    "ExcludedPrefixes, <ExcludedPrefixes><Prefix>tmp/</Prefix></ExcludedPrefixes>",
  })
  void versioningThatLeavesOutKeysIsRefusedByName(String name, String exclusion)
      throws IOException {
    String enabled =
        "<VersioningConfiguration><Status>Enabled</Status>"
            + exclusion
            + "</VersioningConfiguration>";

    RawResponse refused = send("PUT", "/wire?versioning=", enabled);

    assertThat(refused.status()).isEqualTo(501);
    assertThat(refused.body()).contains("<Code>NotImplemented</Code>", name);
    assertThat(send("GET", "/wire?versioning=", "").body()).doesNotContain("Enabled");
  }

  @Test
  void emptyValueOfATagIsAValue() throws IOException {
    wire.store("tagged", "x");

    RawResponse set =
        send(
            "PUT",
            "/wire/tagged?tagging=",
            "<Tagging><TagSet><Tag><Key>a</Key><Value/></Tag></TagSet></Tagging>");

    assertThat(set.status()).isEqualTo(200);
    assertThat(wire.s3().getObjectTagging(r -> r.bucket("wire").key("tagged")).tagSet())
        .singleElement()
        .satisfies(tag -> assertThat(tag.value()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Part><PartNumber>1</PartNumber></Part>",
        "<Part><ETag>ETAG</ETag></Part>",
        "<Part/>",
        "",
        "<Part><PartNumber>1</PartNumber><ETag>ETAG</ETag>",
      })
  void partsWithoutNumberOrETagAreRefused(String parts) throws IOException {
    String id = wire.s3().createMultipartUpload(r -> r.bucket("wire").key("upload")).uploadId();
    String etag =
        wire.s3()
            .uploadPart(
                r -> r.bucket("wire").key("upload").uploadId(id).partNumber(1),
                RequestBody.fromString("x"))
            .eTag();
    String document =
        "<CompleteMultipartUpload>" + parts.replace("ETAG", etag) + "</CompleteMultipartUpload>";

    RawResponse refused = send("POST", "/wire/upload?uploadId=" + id, document);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>MalformedXML</Code>");
    assertThat(wire.contentOf("upload")).isEqualTo("404");
    assertThat(wire.s3().listParts(r -> r.bucket("wire").key("upload").uploadId(id)).parts())
        .hasSize(1);
    wire.s3().abortMultipartUpload(r -> r.bucket("wire").key("upload").uploadId(id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;&b;'>]>",
        "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'>",
      })
  void documentTypesAndEntitiesAreRefused(String type) throws IOException {
    String document =
        type + "<Tagging><TagSet><Tag><Key>a</Key><Value>&b;</Value></Tag></TagSet></Tagging>";

    RawResponse refused = send("PUT", "/wire/object?tagging=", document);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>MalformedXML</Code>").doesNotContain("root:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Filter><prefix>logs/</prefix></Filter>",
        "<Filter><Tags><Key>a</Key><Value>b</Value></Tags></Filter>",
        "<Filter>logs/</Filter>",
        "<Filter><Prefix><Value>logs/</Value></Prefix></Filter>",
        "<Filter><And/></Filter>",
        "<Filter><And><Prefix>logs/</Prefix><ObjectAge>3</ObjectAge></And></Filter>",
        "<Filter><And><Prefix>a</Prefix><Prefix>b</Prefix></And></Filter>",
        "<Filter><And><And><Prefix>a</Prefix></And></And></Filter>",
        "<Filter><Tag><Key>a</Key><Value>b</Value><Value>c</Value></Tag></Filter>",
        "<Filter><Tag><Key>a</Key></Tag></Filter>",
        "<Filter/><Filter><Prefix>logs/</Prefix></Filter>",
        "<Prefix/><Scope>logs/</Scope>",
        "<Filter/><Status>Disabled</Status>",
        "<Filter/><Expiration><Days>2</Days></Expiration>",
        "<Filter/><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
            + "<NewerVersions>3</NewerVersions></NoncurrentVersionExpiration>",
        "<Filter/><AbortIncompleteMultipartUpload><Days>1</Days>"
            + "<DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
      })
  void lifecycleRulesOfWhichAPartIsUnknownOrDoubtfulAreRefused(String part) throws IOException {
    RawResponse refused = putLifecycle(part);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>MalformedXML</Code>");
    assertRefused(
        "NoSuchLifecycleConfiguration",
        404,
        () -> wire.s3().getBucketLifecycleConfiguration(r -> r.bucket("wire")));
  }

  @Test
  void emptyFilterOfALifecycleRuleIsForAllObjects() throws IOException {
    assertThat(putLifecycle("<Filter/>").status()).isEqualTo(200);
    assertThat(putLifecycle("<Filter> </Filter>").status()).isEqualTo(200);
    assertThat(wire.s3().getBucketLifecycleConfiguration(r -> r.bucket("wire")).rules().getFirst())
        .satisfies(rule -> assertThat(rule.filter().prefix()).isEmpty());
    wire.s3().deleteBucketLifecycle(r -> r.bucket("wire"));
  }

  /** Of one rule that expires objects after a day, with this in it. */
  private static RawResponse putLifecycle(String part) throws IOException {
    return send(
        "PUT",
        "/wire?lifecycle=",
        "<LifecycleConfiguration><Rule><ID>a</ID><Status>Enabled</Status>"
            + part
            + "<Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>");
  }

  private static RawResponse send(String method, String target, String document)
      throws IOException {
    Signed request =
        wire.signer().sign(method, target, HandSigner.sha256(document.getBytes(UTF_8)), Map.of());
    try (RawConnection connection = wire.connect()) {
      return connection
          .send(request.with("Content-Length: " + document.length() + "\r\n"))
          .send(document)
          .receive();
    }
  }
}
