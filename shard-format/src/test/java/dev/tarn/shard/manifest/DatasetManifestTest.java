package dev.tarn.shard.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DatasetManifestTest {
  private static final Sha256 DIGEST = new Sha256("0123456789abcdef".repeat(4));

  private static final DatasetManifest MANIFEST =
      new DatasetManifest(
          List.of(
              new PackEntry(
                  "tarn-tar-2",
                  new TreeMap<>(Map.of("seed", "-7", "pattern", "s-%06d.tar", "max_size", "5")),
                  1),
              new PackEntry("tarn-tar-3", new TreeMap<>(), 1)),
          Optional.of(new FileEntry("classes.json", 20, DIGEST)),
          List.of(
              shard("s-000000.tar", Optional.empty(), 2),
              shard("é/s-000001.tar", Optional.of(Compression.ZSTD), 3)));

  private static ShardEntry shard(String name, Optional<Compression> compression, long samples) {
    return new ShardEntry(
        name,
        compression.map(some -> "train"),
        compression,
        10_240,
        samples,
        2 * samples,
        0x0badcafe,
        DIGEST,
        new FileEntry(name + ".tarnidx", 300, DIGEST));
  }

  @Test
  void manifestReadsBack() throws ShardFormatException {
    DatasetManifest read = DatasetManifest.parse("dataset.json", MANIFEST.toJson());

    assertThat(read).isEqualTo(MANIFEST);
    assertThat(read.digest()).isEqualTo(MANIFEST.digest());
    assertThat(read.samples()).isEqualTo(5);
  }

  @Test
  void fieldsOfLaterWritersArePassedOver() throws ShardFormatException {
    String json = text().replace("\"encoder\"", "\"later\": {\"a\": [1.5, null]}, \"encoder\"");

    assertThat(DatasetManifest.parse("m", json.getBytes(UTF_8))).isEqualTo(MANIFEST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"version\" : 2 | \"version\" : 3 | manifest format version 3; this reader knows 2",
        "\"version\" : 2 | \"version\" : 1 | this reader knows 2: pack the dataset again",
        "\"required\" : [ ] | \"required\" : [ \"zstd\" ] | requires features unknown to this"
            + " reader: [zstd]",
        "\"format\" | \"f\" | the field \"format\" is missing",
        "tarn-dataset | other | no dataset manifest",
        "\"samples\" : 5 | \"samples\" : 6 | totals",
        "\"samples\" : 2 | \"samples\" : \"2\" | the field \"samples\" is not a whole number",
        "s-000000.tar\" | ../s.tar\" | not a relative name",
        "0123456789abcdef | 012345678 | is not a SHA-256",
        "\"shards\" : 1 | \"shards\" : 2 | the packs made 4 shards together, the dataset has 2",
        "\"seed\" : \"-7\" | \"seed\" : -7 | the field \"seed\" is not text",
        "\"seed\" | \"pattern\" | the field \"pattern\" appears twice",
        "\"zstd\" | \"lz4\" | the compression \"lz4\" is unknown to this reader",
        "classes.json | /classes.json | not a relative name",
      })
  void whatIsWrongIsNamed(String right, String wrong, String message) {
    String json = text().replace(right, wrong);
    assertThat(json).isNotEqualTo(text());

    assertThatThrownBy(() -> DatasetManifest.parse("dataset.json", json.getBytes(UTF_8)))
        .isInstanceOf(ShardFormatException.class)
        .hasMessageStartingWith("dataset.json at byte ")
        .hasMessageContaining(message);
  }

  @Test
  void manifestCutAnywhereIsRefused() {
    byte[] json = MANIFEST.toJson();
    for (int length = 0; length < json.length - 2; length++) {
      byte[] part = new String(json, 0, length, UTF_8).getBytes(UTF_8);
      assertThatThrownBy(() -> DatasetManifest.parse("m", part))
          .isInstanceOf(ShardFormatException.class);
    }
  }

  private static String text() {
    return new String(MANIFEST.toJson(), UTF_8);
  }
}
