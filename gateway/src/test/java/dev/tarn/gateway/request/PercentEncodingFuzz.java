package dev.tarn.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.util.Set;

class PercentEncodingFuzz extends ParserFuzz {
  PercentEncodingFuzz() {
    super(
        texts(
            "/bucket/a//b/../c/",
            "/bucket/a%20b%2Fc%2fd+e",
            "/bucket/%C3%A9%F0%90%80%80%EF%BF%BD",
            "/b/*'()!~-._$@,;=:[]|\"<>^`{}\\",
            "prefix=a+b%2Bc&delimiter=%2F&marker=",
            "plain",
            ""),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    String text = input.text();
    assertThat(PercentEncoding.decodePath(PercentEncoding.encode(text))).isEqualTo(text);
    assertThat(PercentEncoding.decodeQuery(PercentEncoding.encode(text))).isEqualTo(text);

    String raw = input.wire();
    String decoded = PercentEncoding.decodePath(raw);
    String canonical = PercentEncoding.canonicalPath(raw);
    assertThat(PercentEncoding.decodePath(canonical)).isEqualTo(decoded);
    assertThat(PercentEncoding.canonicalPath(canonical)).isEqualTo(canonical);
    assertThat(canonical.length()).isLessThanOrEqualTo(3 * raw.length());

    String parameter = PercentEncoding.decodeQuery(raw);
    String canonicalParameter = PercentEncoding.canonicalQuery(raw, parameter);
    assertThat(PercentEncoding.decodeQuery(canonicalParameter)).isEqualTo(parameter);
    assertThat(canonicalParameter).isEqualTo(PercentEncoding.encode(parameter));
  }

  /** It is decoded and encoded again and again here. */
  @Override
  protected int allocatedPerByteMax() {
    return 256;
  }
}
