package dev.tarn.targetnode.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.targetnode.store.record.Piece.ExtentRange;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PieceRangeTest {
  @Test
  void rangesThatContinueAnExtentAreOneIfTheyNameOneChecksumTable() {
    ExtentRange first = new ExtentRange(1, 0, 10, 7);
    ExtentRange next = new ExtentRange(1, 10, 10, 7);
    ExtentRange ofAnotherTable = new ExtentRange(1, 20, 10, 8);
    assertThat(PieceRange.cut(List.of(first, next, ofAnotherTable), 5, 20))
        .containsExactly(new ExtentRange(1, 5, 15, 7), new ExtentRange(1, 20, 5, 8));
  }

  @Test
  void firstAndLastPieceAreCut() {
    assertThat(
            PieceRange.cut(
                List.of(
                    new ExtentRange(2, 0, 10, 7),
                    new ExtentRange(1, 0, 10, 7),
                    new ExtentRange(3, 0, 10, 7)),
                8,
                13))
        .containsExactly(
            new ExtentRange(2, 8, 2, 7), new ExtentRange(1, 0, 10, 7), new ExtentRange(3, 0, 1, 7));
  }
}
