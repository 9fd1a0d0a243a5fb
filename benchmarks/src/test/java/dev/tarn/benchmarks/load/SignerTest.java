package dev.tarn.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class SignerTest {
  /** The example of a GET in the documentation of AWS S3. */
  @Test
  void publishedExampleGetsThePublishedSignature() {
    Signer signer =
        new Signer(
            new Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            Instant.parse("2013-05-24T00:00:00Z"));
    SortedMap<String, String> headers =
        signer.sign(
            "GET",
            "/test.txt",
            "",
            Map.of("host", "examplebucket.s3.amazonaws.com", "range", "bytes=0-9"),
            Signer.EMPTY_PAYLOAD);
    assertThat(headers.get("authorization"))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void secretIsNotPrinted() {
    assertThat(new Credentials("access", "hidden").toString()).doesNotContain("hidden");
  }
}
