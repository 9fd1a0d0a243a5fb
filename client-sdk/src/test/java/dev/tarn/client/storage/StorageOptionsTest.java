package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StorageOptionsTest {
  @ParameterizedTest
  @ValueSource(strings = {"PT-1S", "PT0S", "PT0.0009S", "PT576H0.001S", "PT87600000H"})
  void timeoutThatASocketDoesNotTakeIsRefused(String text) {
    Duration timeout = Duration.parse(text);

    assertThatThrownBy(() -> StorageOptions.builder().connectTimeout(timeout).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("connectTimeout is %s, expected PT0.001S to PT576H".formatted(timeout));
    assertThatThrownBy(() -> StorageOptions.builder().idleTimeout(timeout).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("idleTimeout is %s, expected PT0.001S to PT576H".formatted(timeout));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void regionOrProfileWithoutANameIsRefused(String name) {
    assertThatThrownBy(() -> StorageOptions.builder().region(name).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "region is \"%s\", expected a name; leave it unset to use the value of the AWS"
                + " configuration",
            name);
    assertThatThrownBy(() -> StorageOptions.builder().profile(name).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("profile is \"%s\", expected a name", name);
  }

  // As of callers whose builds do not check for nulls.
  @SuppressWarnings("NullAway")
  @Test
  void settingThatIsNullIsNamed() {
    Map<String, UnaryOperator<StorageOptions.Builder>> settings =
        Map.of(
            "endpoint", builder -> builder.endpoint(null),
            "region", builder -> builder.region(null),
            "profile", builder -> builder.profile(null),
            "credentials", builder -> builder.credentials(null),
            "connectTimeout", builder -> builder.connectTimeout(null),
            "idleTimeout", builder -> builder.idleTimeout(null),
            "retries", builder -> builder.retries(null),
            "pacing", builder -> builder.pacing(null));
    settings.forEach((name, setting) ->
        assertThatThrownBy(() -> setting.apply(StorageOptions.builder()).build())
            .isInstanceOf(NullPointerException.class)
            .hasMessage(name + " is null"));
  }

  @Test
  void longestTimeoutsAreTaken() throws IOException {
    StorageOptions options =
        StorageOptions.builder()
            .connectTimeout(Duration.ofDays(24))
            .idleTimeout(Duration.ofDays(24))
            .build();

    byte[] content = {1, 2, 3};
    try (FaultyServer server = new FaultyServer();
        Storage storage = Storage.open(options)) {
      server.put("/a", content);
      assertThat(storage.readAll(StorageUrl.parse(server.url("/a")), 10)).isEqualTo(content);
    }
  }
}
