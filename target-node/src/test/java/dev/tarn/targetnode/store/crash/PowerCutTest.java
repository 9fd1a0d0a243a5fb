package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.fixtures.Rounds;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Losses of power at random moments, so many for each seed; see {@link Lives}. */
final class PowerCutTest {
  private static final int CUTS = Rounds.of(6);
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatWasAcknowledgedIsThereAndNothingIsHalfWritten(long seed) throws Exception {
    assertThat(new Lives(directory, seed).run(CUTS)).isGreaterThan(CUTS);
  }
}
