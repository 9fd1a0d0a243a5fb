package dev.tarn.gateway.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessLogLineTest {
  @ParameterizedTest
  @CsvSource({
    "/b/k, /b/k",
    "/b/k?versionId=1, /b/k?versionId=1",
    "/b/k?X-Amz-Date=1&X-Amz-Signature=abc, /b/k?X-Amz-Date=1&X-Amz-Signature=REDACTED",
    "/b/k?x-amz-signature=abc&a=b, /b/k?x-amz-signature=REDACTED&a=b",
    "/b/k?X%2DAmz%2dSignature=abc, /b/k?X%2DAmz%2dSignature=REDACTED",
    "/b/k?%53ignature=abc&b=%zz&%zz=c, /b/k?%53ignature=REDACTED&b=%zz&%zz=c",
    "/b/k?AWSAccessKeyId=A&Signature=s%2F&Expires=1,"
        + " /b/k?AWSAccessKeyId=A&Signature=REDACTED&Expires=1",
  })
  void signaturesAreLeftOut(String uri, String logged) {
    assertThat(AccessLogLine.withoutSecrets(uri)).isEqualTo(logged);
  }
}
