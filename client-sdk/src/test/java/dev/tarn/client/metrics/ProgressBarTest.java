package dev.tarn.client.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  /** An epoch as it might be after ten seconds. */
  private record Epoch(OptionalLong samplesExpected, long samples, boolean isEnded)
      implements EpochMetrics {
    @Override
    public long epoch() {
      return 3;
    }

    @Override
    public long bytes() {
      return 851_000_000;
    }

    @Override
    public Duration stalled(Stall stall) {
      return switch (stall) {
        case FETCH -> Duration.ofMillis(200);
        case DECODE -> Duration.ofMillis(1_100);
        case CONSUMER -> Duration.ofMillis(8_700);
      };
    }

    @Override
    public Duration elapsed() {
      return Duration.ofSeconds(10);
    }

    @Override
    public long queuedBytes() {
      return 0;
    }

    @Override
    public int queuedParts() {
      return 0;
    }
  }

  @Test
  void lineSaysHowFarAndHowFast() {
    assertThat(ProgressBar.line(new Epoch(OptionalLong.of(128_000), 61_440, false)))
        .isEqualTo(
            "epoch 3 [###########.............] 48% 61440/128000 6.1k samples/s 85.1 MB/s"
                + " fetch 2% decode 11% 0:10 left");
  }

  @Test
  void withoutAnEndItCounts() {
    assertThat(ProgressBar.line(new Epoch(OptionalLong.empty(), 500, false)))
        .isEqualTo("epoch 3 500 samples 50 samples/s 85.1 MB/s fetch 2% decode 11% in 0:10");
  }

  @Test
  void lastLineStays() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProgressBar bar = new ProgressBar(new PrintStream(out, true, UTF_8));
    Epoch epoch = new Epoch(OptionalLong.of(100), 100, true);
    bar.begun(epoch);
    bar.ended(epoch);
    assertThat(out.toString(UTF_8))
        .startsWith("\repoch 3 [########################] 100% 100/100 10 samples/s")
        .endsWith(" in 0:10\u001b[K" + System.lineSeparator());
  }
}
