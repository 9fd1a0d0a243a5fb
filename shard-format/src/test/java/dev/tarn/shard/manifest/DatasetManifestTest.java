package dev.tarn.shard.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DatasetManifestTest {
  private static final Sha256 DIGEST = new Sha256("0123456789abcdef".repeat(4));

  private static final DatasetManifest MANIFEST =
      new DatasetManifest(
          "tarn-tar-1",
          new PackOptions("s-%06d.tar", OptionalLong.empty(), 1000, OptionalLong.of(-7), "keep", 5),
          List.of(shard("s-000000.tar", 2), shard("é/s-000001.tar", 3)));

  private static ShardEntry shard(String name, long samples) {
    return new ShardEntry(
        name,
        10_240,
        samples,
        2 * samples,
        DIGEST,
        DIGEST,
        new ShardEntry.IndexEntry(name + ".tarnidx", 300, DIGEST));
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
        "\"version\" : 1 | \"version\" : 2 | manifest format version 2; this reader knows 1",
        "\"required\" : [ ] | \"required\" : [ \"zstd\" ] | requires features unknown to this"
            + " reader: [zstd]",
        "\"format\" | \"f\" | the field \"format\" is missing",
        "tarn-dataset | other | no dataset manifest",
        "\"samples\" : 5 | \"samples\" : 6 | totals",
        "\"samples\" : 2 | \"samples\" : \"2\" | the field \"samples\" is not a whole number",
        "s-000000.tar\" | ../s.tar\" | not a relative name",
        "0123456789abcdef | 012345678 | no SHA-256",
        "\"max_size\" : 1000 | \"max_size\" : 0 | positive",
        "\"seed\" | \"dots\" | the field \"dots\" is there twice",
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
