package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheBoundTest {
  @ParameterizedTest
  @ValueSource(strings = {"none", "1", "500GiB", "3MiB"})
  void textIsReadAndWritten(String text) {
    assertThat(CacheBound.parse(text)).hasToString(text);
    assertThat(text).matches(CacheBound.PATTERN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "some", "9999999999999PiB", "1 XiB"})
  void otherTextIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CacheBound.parse(text))
        .withMessage("'" + text + "' must be none or a size such as 500GiB");
  }

  @Test
  void sizeOf0IsNoBound() {
    assertThat(CacheBound.parse("0B")).isEqualTo(CacheBound.NONE);
  }
}
