package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.config.TarnConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteTargetsTest {
  @ParameterizedTest
  @CsvSource({"5s, PT10S", "1m, PT2M", "20m, PT40M", "1000000d, P2D"})
  void clientThatMayPauseKeepsItsConnectionToTheTarget(String pause, Duration idle)
      throws Exception {
    Settings settings = Settings.none().with("gateway.limits.progress-period", pause, "test");
    TarnConfig config = ConfigBinder.bind(TarnConfig.defaults(Path.of("data")), settings).value();

    assertThat(RemoteTargets.limits(config).idleTimeoutMax()).isEqualTo(idle);
  }
}
