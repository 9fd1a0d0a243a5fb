package dev.tarn.cluster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.BucketId;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SettingsTableTest {
  private static final BucketSettings CACHED =
      new BucketSettings(
          BucketSettings.Durability.OS,
          BucketSettings.Verify.ALWAYS,
          Optional.of(
              new BackendSettings(
                  Optional.of(URI.create("https://s3.example.org")),
                  "eu-central-1",
                  "images",
                  "train/",
                  "backend-key",
                  "backend-secret")),
          new Freshness(Freshness.Mode.TTL, Duration.ofMinutes(5)),
          true);
  private static final SettingsTable TABLE =
      new SettingsTable(
          7, Map.of(new BucketId(1), BucketSettings.PRIMARY, new BucketId(4), CACHED));

  @Test
  void aTableIsReadAsItWasWritten() throws WireException {
    assertThat(SettingsTable.decode(TABLE.encode())).isEqualTo(TABLE);
    assertThat(SettingsTable.decode(SettingsTable.EMPTY.encode())).isEqualTo(SettingsTable.EMPTY);
  }

  @Test
  void aTableWithoutItsEndIsRefused() {
    byte[] bytes = TABLE.encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> SettingsTable.decode(cut)).isInstanceOf(WireException.class);
    }
  }

  @Test
  void anotherFormatIsRefusedByItsNumber() {
    byte[] bytes = TABLE.encode();
    bytes[0] = 9;
    assertThatThrownBy(() -> SettingsTable.decode(bytes))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("is 9");
  }

  @Test
  void theTextFormHidesSecretsOfBackends() {
    assertThat(TABLE.toString()).doesNotContain("backend-secret");
  }
}
