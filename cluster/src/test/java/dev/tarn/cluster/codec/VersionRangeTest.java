package dev.tarn.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class VersionRangeTest {
  private static final VersionRange RANGE = new VersionRange(2, 4);

  @Test
  void newestSharedVersionIsTheGreatestThatBothSpeak() {
    assertThat(RANGE.newestShared(new VersionRange(3, 9))).isEqualTo(OptionalInt.of(4));
    assertThat(RANGE.newestShared(new VersionRange(1, 2))).isEqualTo(OptionalInt.of(2));
    assertThat(RANGE.newestShared(RANGE)).isEqualTo(OptionalInt.of(4));
    assertThat(RANGE.newestShared(new VersionRange(5, 6))).isEmpty();
    assertThat(RANGE.newestShared(new VersionRange(1, 1))).isEmpty();
  }

  @Test
  void mismatchSaysWhichOfTheTwoIsToBeUpdated() {
    assertThat(RANGE.mismatch("wire", "the target", new VersionRange(5, 6)))
        .isEqualTo(
            "the target speaks the wire versions 5 to 6, this process 2 to 4; update this process");
    assertThat(RANGE.mismatch("wire", "the target", new VersionRange(1, 1)))
        .endsWith("versions 1, this process 2 to 4; update the target");
  }

  @Test
  void textIsParsedAgain() {
    assertThat(VersionRange.parse(RANGE.text())).isEqualTo(RANGE);
    for (String malformed : new String[] {"", "-", "3-2", "3", "0-1", "1-200", "a", "1-2-3"}) {
      assertThatThrownBy(() -> VersionRange.parse(malformed))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
