package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.internal.stage.Item;
import dev.tarn.client.internal.stage.Stage;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.metrics.EpochMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class EpochIteratorTest {
  private final List<EpochMetrics> ended = new ArrayList<>();

  /** A stage that fails when it is closed. */
  private static final class BrokenStage implements Stage<String> {
    @Override
    public Item<String> next() {
      throw new IllegalStateException("next failed");
    }

    @Override
    public void close() {
      throw new IllegalStateException("close failed");
    }
  }

  private EpochIterator<String> iterator() {
    EpochListener listener =
        new EpochListener() {
          @Override
          public void ended(EpochMetrics epoch) {
            ended.add(epoch);
          }
        };
    EpochMeter meter =
        new EpochMeter(
            0,
            OptionalLong.empty(),
            new EpochMeter.Queue(() -> 0, () -> 0, () -> 0),
            List.of(listener),
            System::nanoTime);
    return new EpochIterator<>(
        new BrokenStage(), Optional.empty(), new DamageReport(ErrorPolicy.FAIL), meter);
  }

  @Test
  void listenersLearnOfTheEndIfAStageFailsToClose() {
    EpochIterator<String> iterator = iterator();

    assertThatThrownBy(iterator::close).hasMessage("close failed");
    assertThat(ended).hasSize(1);
  }

  @Test
  void failureOfAReadIsNotReplacedByThatOfTheClose() {
    EpochIterator<String> iterator = iterator();

    assertThatThrownBy(iterator::hasNext)
        .hasMessage("next failed")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(ended).hasSize(1);
  }
}
