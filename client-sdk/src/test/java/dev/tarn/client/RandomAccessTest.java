package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples by number and by key. */
final class RandomAccessTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");
  private static final Pattern RANGE =
      Pattern.compile("GET /d/shard-000002\\.tar bytes=(\\d+)-(\\d+)");
  private static final int SHARDS = 3;
  private static final int SAMPLES = 50;

  private final MemoryStorage storage = new MemoryStorage();

  private DatasetBuilder manifest() {
    return ShardDataset.builder().storage(storage).manifest(FOLDER.toString());
  }

  private static void pack(boolean compressed, Storage storage) throws IOException {
    if (compressed) {
      Shards.gzipDataset(storage, FOLDER, SHARDS, SAMPLES, 3000, 7);
    } else {
      Shards.dataset(storage, FOLDER, SHARDS, SAMPLES, 3000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everySampleIsHadByItsNumberAndByItsKey(boolean compressed) throws IOException {
    pack(compressed, storage);
    try (ShardDataset dataset = manifest().build();
        SampleIterator samples = dataset.iterate(0)) {
      for (long number = 0; number < SHARDS * SAMPLES; number++) {
        Sample expected = samples.next();
        for (Sample found : List.of(dataset.get(number), dataset.get(expected.key()))) {
          assertThat(found.key()).isEqualTo(expected.key());
          assertThat(found.url()).isEqualTo(expected.url());
          assertThat(found.extensions()).isEqualTo(expected.extensions());
          assertThat(found.get("bin")).isEqualTo(expected.get("bin"));
          assertThat(found.get("txt")).isEqualTo(expected.get("txt"));
        }
      }
    }
  }

  @Test
  void samplesKeepTheirBytesWhateverIsReadAfterThem() throws IOException {
    pack(false, storage);
    List<Sample> kept = new ArrayList<>();
    try (ShardDataset dataset = manifest().build()) {
      for (long number = 0; number < SHARDS * SAMPLES; number++) {
        kept.add(dataset.get(number));
      }
    }
    for (Sample sample : kept) {
      assertThat(new String(sample.bytes("txt"), UTF_8)).isEqualTo(sample.key());
    }
  }

  @Test
  void sampleIsReadByOneRangeOfItsOwnBytes() throws IOException {
    pack(false, storage);
    try (FaultyServer server = new FaultyServer()) {
      List<StorageUrl> objects = storage.list(FOLDER).map(object -> object.url()).toList();
      for (StorageUrl object : objects) {
        server.put("/d/" + object.nameUnder(FOLDER), storage.readAll(object, 1 << 20));
      }
      try (ShardDataset dataset = ShardDataset.builder().manifest(server.url("/d")).build()) {
        long size = dataset.get(2 * SAMPLES + 7).size();
        int before = server.requests().size();
        Sample sample = dataset.get(2 * SAMPLES + 8);

        List<String> requests = server.requests().subList(before, server.requests().size());
        assertThat(requests).hasSize(1);
        Matcher range = RANGE.matcher(requests.get(0));
        assertThat(range.matches()).isTrue();
        assertThat(Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)) + 1)
            .isBetween(sample.size(), sample.size() + 1024);
        assertThat(size).isPositive();
      }
    }
  }

  @Test
  void numberBeyondTheLastIsRefusedWithTheLength() throws IOException {
    pack(false, storage);
    try (ShardDataset dataset = manifest().build()) {
      assertThatThrownBy(() -> dataset.get(150))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("sample 150 does not exist: the dataset has 150 samples, numbered from 0");
      assertThatThrownBy(() -> dataset.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void keyThatNoSampleHasIsNamed() throws IOException {
    pack(false, storage);
    try (ShardDataset dataset = manifest().build()) {
      assertThatThrownBy(() -> dataset.get("7/000000"))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("none of the dataset's 150 samples has the key 7/000000");
    }
  }

  @Test
  void keyOfSeveralSamplesGivesTheFirst() throws IOException {
    Shards.dataset(storage, FOLDER, 2, SAMPLES, 0);
    for (String suffix : List.of("", ".tarnidx")) {
      byte[] first = storage.readAll(FOLDER.child("shard-000000.tar" + suffix), 1 << 20);
      storage.write(FOLDER.child("shard-000001.tar" + suffix), ByteBuffer.wrap(first));
    }
    try (ShardDataset dataset = manifest().build()) {
      assertThat(dataset.get("0/000003").url()).endsWith("shard-000000.tar");
    }
  }

  @Test
  void corruptMemberIsFoundUnlessNothingIsChecked() throws IOException {
    pack(false, storage);
    StorageUrl url = FOLDER.child("shard-000001.tar");
    byte[] shard = storage.readAll(url, 1 << 20);
    shard[512] ^= 1;
    storage.write(url, ByteBuffer.wrap(shard));
    try (ShardDataset checked = manifest().build();
        ShardDataset unchecked = manifest().verify(false).build()) {
      assertThatThrownBy(() -> checked.get(SAMPLES))
          .isInstanceOfSatisfying(
              DatasetException.class, e -> assertThat(e.offset()).isEqualTo(512))
          .hasMessageContaining(url + " at byte 512")
          .hasMessageContaining("member \"1/000000.bin\" is corrupt: its CRC32C");
      assertThat(unchecked.get(SAMPLES).key()).isEqualTo("1/000000");
    }
  }

  @Test
  void shardOfAnotherLengthIsAnError() throws IOException {
    pack(false, storage);
    StorageUrl url = FOLDER.child("shard-000001.tar");
    byte[] shard = storage.readAll(url, 1 << 20);
    storage.write(url, ByteBuffer.wrap(shard, 0, shard.length - 512));
    try (ShardDataset dataset = manifest().build()) {
      assertThatThrownBy(() -> dataset.get(SAMPLES))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("%d bytes long".formatted(shard.length - 512))
          .hasMessageContaining("the manifest says " + shard.length);
    }
  }

  @Test
  void missingIndexIsNamed() throws IOException {
    pack(false, storage);
    storage.delete(FOLDER.child("shard-000001.tar.tarnidx"));
    try (ShardDataset dataset = manifest().build()) {
      assertThatThrownBy(() -> dataset.get(SAMPLES))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining(
              "its index " + FOLDER + "/shard-000001.tar.tarnidx: no such object");
      assertThatThrownBy(() -> dataset.get("0/000000"))
          .isInstanceOf(UncheckedIOException.class)
          .hasStackTraceContaining("shard-000001.tar.tarnidx: no such object");
    }
  }

  @Test
  void shardsWithoutIndexesAreRefused() throws IOException {
    pack(false, storage);
    try (ShardDataset dataset =
        ShardDataset.builder().storage(storage).shards(FOLDER + "/shard-000000.tar").build()) {
      assertThatThrownBy(() -> dataset.get(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("shards without a manifest have no indexes");
    }
  }
}
