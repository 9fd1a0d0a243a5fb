package dev.tarn.gateway.s3.listing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.util.Set;
import java.util.stream.Stream;

class ContinuationTokenFuzz extends ParserFuzz {
  ContinuationTokenFuzz() {
    super(
        Stream.of("a", "photos/2006/", "é𐀀\uFFFD", "x".repeat(1024), "\u0000\n")
            .map(last -> ContinuationToken.encode(last).getBytes(UTF_8))
            .toList(),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    String last = input.text();
    if (!last.isEmpty()) {
      assertThat(ContinuationToken.decode(ContinuationToken.encode(last))).isEqualTo(last);
    }
    String decoded = ContinuationToken.decode(last);
    assertThat(decoded).isNotEmpty();
    assertThat(decoded.getBytes(UTF_8).length).isLessThanOrEqualTo(input.bytes().length);
  }
}
