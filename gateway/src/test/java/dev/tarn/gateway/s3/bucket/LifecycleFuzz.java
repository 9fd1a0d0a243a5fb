package dev.tarn.gateway.s3.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.util.List;
import java.util.Set;

class LifecycleFuzz extends ParserFuzz {
  LifecycleFuzz() {
    super(
        texts(
            """
            <LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Rule><ID>a</ID>
            <Filter><Prefix>logs/</Prefix></Filter><Status>Enabled</Status>
            <Expiration><Days>30</Days></Expiration>
            <AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation>
            </AbortIncompleteMultipartUpload></Rule></LifecycleConfiguration>
            """,
            """
            <LifecycleConfiguration><Rule><ID>b</ID><Status>Disabled</Status><Filter><And>
            <Prefix>é</Prefix><Tag><Key>k</Key><Value>v</Value></Tag>
            <ObjectSizeGreaterThan>0</ObjectSizeGreaterThan>
            <ObjectSizeLessThan>1000</ObjectSizeLessThan></And></Filter>
            <Expiration><Date>2026-01-01T00:00:00.000Z</Date></Expiration></Rule>
            <Rule><ID>c</ID><Prefix/><Status>Enabled</Status>
            <Expiration><Date>2026-01-01</Date></Expiration></Rule></LifecycleConfiguration>
            """,
            """
            <LifecycleConfiguration><Rule><ID>d</ID><Filter/><Status>Enabled</Status>
            <Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>
            <NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>
            <NewerNoncurrentVersions>5</NewerNoncurrentVersions></NoncurrentVersionExpiration>
            </Rule></LifecycleConfiguration>
            """),
        Set.of(S3Exception.class));
  }

  /** What is stored is shown as a document that means the same. */
  @Override
  protected void parse(FuzzInput input) {
    List<LifecycleRule> rules = LifecycleDocument.parse(input.bytes());
    byte[] written = LifecycleDocument.write(rules);
    assertThat(LifecycleDocument.parse(written)).isEqualTo(rules);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "<Rule>",
        "</Rule>",
        "<Filter>",
        "<Tag>",
        "<Days>",
        "<Date>",
        "<Transition/>",
        "+1000000000-12-31T23:59:59.999999999Z",
        "-0001-01-01T00:00:00Z",
        "9999-12-31",
        "2026-01-01T00:00:00+01:00",
        "true");
  }

  @Override
  protected int allocatedPerByteMax() {
    return 512;
  }
}
