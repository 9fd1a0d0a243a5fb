package dev.tarn.gateway.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.request.QueryParameters.Parameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestHeadTest {
  @Test
  void parametersKeepOrderDuplicatesAndBothForms() {
    QueryParameters query = QueryParameters.parse("b=2&a=%2f+x&b=1&&c&=d");
    assertThat(query.list())
        .containsExactly(
            new Parameter("b", "2", "b", "2"),
            new Parameter("a", "/ x", "a", "%2f+x"),
            new Parameter("b", "1", "b", "1"),
            new Parameter("c", "", "c", ""),
            new Parameter("", "d", "", "d"));
    assertThat(query.all("b")).containsExactly("2", "1");
    assertThat(query.first("b")).isEqualTo("2");
    assertThat(query.raw()).isEqualTo("b=2&a=%2f+x&b=1&&c&=d");
  }

  @ParameterizedTest
  @CsvSource({"uploads", "uploads=", "x&uploads=&y"})
  void parameterWithAndWithoutAnEqualsSignIsTheSame(String raw) {
    assertThat(QueryParameters.parse(raw).first("uploads")).isEmpty();
    assertThat(QueryParameters.parse(raw).contains("upload")).isFalse();
  }

  @Test
  void headersAreFoundInAnyCaseAndKeepTheirOrder() {
    Headers headers = Headers.of("Host", "h", "X-Amz-Meta-A", "1", "x-amz-meta-a", "2");
    assertThat(headers.first("HOST")).isEqualTo("h");
    assertThat(headers.all("x-Amz-meta-a")).containsExactly("1", "2");
    assertThat(headers.with("x-amz-meta-A", "3").all("x-amz-meta-a")).containsExactly("3");
    assertThat(headers.first("missing")).isNull();
  }

  @Test
  void valuesOfTheWireAreUtf8() {
    String wire = new String("é𐀀".getBytes(UTF_8), ISO_8859_1);
    assertThat(Headers.builder().addWire("a", wire).addWire("b", "plain").build())
        .isEqualTo(Headers.of("a", "é𐀀", "b", "plain"));
  }

  @Test
  void textFormHidesWhatMayBeACredential() {
    assertThat(Headers.of("authorization", "secret").toString()).doesNotContain("secret");
    assertThat(QueryParameters.parse("Signature=secret").toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a/b",
    "/a%2fb, /a%2Fb",
    "/%61, /a",
    "/a+b, /a%2Bb",
    "/*'()!~, /%2A%27%28%29%21~",
    "/a/../b//, /a/../b//",
  })
  void canonicalPathIsEncodedOnceAndNeverNormalised(String raw, String canonical) {
    assertThat(PercentEncoding.canonicalPath(raw)).isEqualTo(canonical);
  }
}
