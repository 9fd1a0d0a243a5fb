package dev.tarn.targetnode.store.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StoredRevisionTest {
  private static final StoredRevision FIRST = StoredRevision.first(3);

  @Test
  void theCountGrowsWithinAnEpochAndBeginsAnewInTheNext() {
    assertThat(FIRST.next(3)).isEqualTo(new StoredRevision(3, 1));
    assertThat(FIRST.next(3).next(4)).isEqualTo(new StoredRevision(4, 0));
  }

  @Test
  void aRevisionIsAlwaysGreaterThanTheOneThatItReplaces() {
    for (long epoch = 0; epoch < 6; epoch++) {
      assertThat(FIRST.next(epoch)).isGreaterThan(FIRST);
    }
  }

  @Test
  void theEpochDecidesBeforeTheCount() {
    assertThat(new StoredRevision(4, 0)).isGreaterThan(new StoredRevision(3, 100));
  }
}
