package dev.tarn.targetnode.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.SettingsTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoredSettingsTest {
  private static final BucketId BUCKET = new BucketId(3);

  @TempDir private Path directory;

  @Test
  void theNewestTableSurvivesARestartReadableByItsOwnerAlone() throws IOException {
    assertThat(StoredSettings.open(directory).offer(table(5))).isEmpty();
    StoredSettings again = StoredSettings.open(directory);
    assertThat(again.version()).isEqualTo(5);
    assertThat(again.find(BUCKET).settings()).isEqualTo(BucketSettings.PRIMARY);
    assertThat(again.find(new BucketId(4)).settings()).isNull();
    assertThat(Files.getPosixFilePermissions(directory.resolve("bucket-settings")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anOlderTableAndAnotherOneOfTheSameVersionAreRefused() throws IOException {
    StoredSettings settings = StoredSettings.open(directory);
    assertThat(settings.offer(table(5))).isEmpty();
    assertThat(settings.offer(table(5))).isEmpty();
    assertThat(settings.offer(table(4)))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("version 4").contains("version 5"));
    assertThat(settings.offer(new SettingsTable(5, Map.of())))
        .hasValueSatisfying(reason -> assertThat(reason).contains("other content"));
    assertThat(settings.version()).isEqualTo(5);
  }

  @Test
  void aDamagedFileIsRefusedAtStart() throws IOException {
    StoredSettings.open(directory).offer(table(5));
    Path file = directory.resolve("bucket-settings");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> StoredSettings.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }

  private static SettingsTable table(long version) {
    return new SettingsTable(version, Map.of(BUCKET, BucketSettings.PRIMARY));
  }
}
