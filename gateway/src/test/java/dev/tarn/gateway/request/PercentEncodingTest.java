package dev.tarn.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text has one canonical form, however it was escaped. */
final class PercentEncodingTest {
  private static final List<String> PIECES =
      List.of("a", "Z", "0", "-._~", "%2F", "%2f", "%7E", "%41", "+", "%20", "%2B", "%C3%A9", "*");

  @ParameterizedTest
  @CsvSource({
    "/bucket/key, /bucket/key",
    "/bucket/a%20b%2Fc, /bucket/a%20b%2Fc",
    "/bucket/%2f, /bucket/%2F",
    "/bucket/%7e%41, /bucket/~A",
    "/bucket/a+b*, /bucket/a%2Bb%2A"
  })
  void pathIsWrittenAsAwsWritesIt(String raw, String canonical) {
    assertThat(PercentEncoding.canonicalPath(raw)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void queryIsWrittenAsTheEncodingOfItsText(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      StringBuilder raw = new StringBuilder();
      for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
        raw.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      String text = PercentEncoding.decodeQuery(raw.toString());
      assertThat(PercentEncoding.canonicalQuery(raw.toString(), text))
          .isEqualTo(PercentEncoding.encode(text));
    }
  }
}
