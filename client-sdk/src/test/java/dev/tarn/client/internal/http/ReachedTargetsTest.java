package dev.tarn.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReachedTargetsTest {
  private long nanos;
  private final ReachedTargets targets = new ReachedTargets(() -> nanos);

  @Test
  void requestsThatFailTogetherCountAsOneFailure() {
    for (int i = 0; i < 8; i++) {
      assertThat(targets.mayTry("target")).isTrue();
    }
    for (int i = 0; i < 8; i++) {
      targets.failed("target", "cannot be reached");
    }
    assertThat(targets.mayTry("target")).isFalse();

    nanos += Duration.ofSeconds(61).toNanos();

    assertThat(targets.mayTry("target")).isTrue();
    assertThat(targets.mayTry("target")).isFalse();
  }
}
