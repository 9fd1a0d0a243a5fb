package dev.tarn.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.transport.tls.HandshakeFailures.Warned;
import org.junit.jupiter.api.Test;

/** How often the log tells of refused connections. */
final class HandshakeFailuresTest {
  private static final long PERIOD = Warned.PERIOD.toNanos();

  private final Warned warned = new Warned();

  @Test
  void eachProblemOfAHostIsLoggedOncePerPeriod() {
    assertThat(warned.isNew("a", "x", 0)).isTrue();
    assertThat(warned.isNew("a", "x", PERIOD - 1)).isFalse();
    assertThat(warned.isNew("a", "y", PERIOD - 1)).isTrue();
    assertThat(warned.isNew("b", "x", PERIOD - 1)).isTrue();
    assertThat(warned.isNew("a", "x", PERIOD)).isTrue();
    assertThat(warned.isNew("a", "y", PERIOD)).isFalse();
  }

  @Test
  void manyHostsLogNoMoreThanTheLimit() {
    for (int host = 0; host < Warned.FAILURES_MAX; host++) {
      assertThat(warned.isNew("host-" + host, "x", 0)).isTrue();
    }
    for (int host = 0; host < 2 * Warned.FAILURES_MAX; host++) {
      assertThat(warned.isNew("host-" + host, "x", 1)).isFalse();
    }
    assertThat(warned.isNew("host-0", "x", PERIOD)).isTrue();
  }
}
