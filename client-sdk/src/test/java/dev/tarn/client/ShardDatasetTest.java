package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardDatasetTest {
  private static final int SHARDS = 5;
  private static final int SAMPLES = 200;
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");

  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void packDataset() throws IOException {
    Shards.dataset(storage, FOLDER, SHARDS, SAMPLES, 5_000);
  }

  @Test
  void withoutShuffleTheOrderIsThatOfTheShards() throws IOException {
    assertThat(Shards.keys(manifest().build(), 0)).isEqualTo(allKeys());
  }

  @Test
  void bracePatternAndListReadTheSameAsTheManifest() throws IOException {
    String spec = FOLDER + "/shard-{000000..000004}.tar";
    assertThat(Shards.keys(builder().shards(spec).build(), 0)).isEqualTo(allKeys());
    assertThat(Shards.keys(builder().shards(List.of(FOLDER + "/shard-000003.tar")).build(), 0))
        .hasSize(SAMPLES)
        .startsWith("3/000000");
  }

  @Test
  void samplesCarryKeyUrlAndMembers() throws IOException {
    try (ShardDataset dataset = manifest().build();
        SampleIterator samples = dataset.iterate(0)) {
      Sample sample = samples.next();
      assertThat(sample.key()).isEqualTo("0/000000");
      assertThat(sample.url()).isEqualTo(FOLDER + "/shard-000000.tar");
      assertThat(sample.extensions()).containsExactly("bin", "txt");
      assertThat(sample.bytes("txt")).isEqualTo("0/000000".getBytes(UTF_8));
      assertThat(sample.has("jpg")).isFalse();
      assertThatThrownBy(() -> sample.get("jpg")).hasMessageContaining("only [bin, txt]");
    }
  }

  @Test
  void sampleCountIsKnownFromTheManifestAlone() throws IOException {
    assertThat(manifest().build().sampleCount()).hasValue(SHARDS * SAMPLES);
    assertThat(builder().shards(FOLDER + "/shard-000000.tar").build().sampleCount()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 40_000, 1_000_000})
  void everyShuffleDeliversEachSampleOnce(long blockBytes) throws IOException {
    List<String> keys = Shards.keys(manifest().shuffle(shuffle(blockBytes)).seed(3).build(), 1);
    assertThat(keys).isNotEqualTo(allKeys()).containsExactlyInAnyOrderElementsOf(allKeys());
  }

  @Test
  void orderDependsOnSeedAndEpochAlone() throws IOException {
    Shuffle shuffle = Shuffle.blocks(100_000);
    List<String> order = Shards.keys(manifest().shuffle(shuffle).seed(1).build(), 0);
    List<String> elsewhere =
        Shards.keys(
            manifest().shuffle(shuffle).seed(1).connections(1).memoryBudget(700_000).build(), 0);
    assertThat(elsewhere).isEqualTo(order);
    assertThat(Shards.keys(manifest().shuffle(shuffle).seed(2).build(), 0)).isNotEqualTo(order);
    assertThat(Shards.keys(manifest().shuffle(shuffle).seed(1).build(), 1)).isNotEqualTo(order);
  }

  @Test
  void viewsStayUntilTheNextSampleWhateverIsReadBehindThem() throws IOException {
    try (ShardDataset dataset =
            manifest().memoryBudget(1 << 20).shuffle(Shuffle.blocks(200_000)).build();
        SampleIterator samples = dataset.iterate(0)) {
      while (samples.hasNext()) {
        Sample sample = samples.next();
        byte[] copy = sample.bytes("bin");
        assertThat(samples.hasNext()).isIn(true, false);
        assertThat(sample.get("bin")).isEqualTo(ByteBuffer.wrap(copy));
      }
    }
  }

  @Test
  void membersLargerThanAPartAreWhole() throws IOException {
    Shards.dataset(storage, FOLDER, 2, 10, 200_000);
    assertThat(Shards.keys(manifest().memoryBudget(512 * 1024).build(), 0)).hasSize(20);
  }

  @Test
  void sampleBeyondTheBudgetIsRefusedByName() throws IOException {
    StorageUrl url = FOLDER.resolve("large.tar");
    storage.write(url, ByteBuffer.wrap(Shards.tar(0, 50, 2_000_000)));
    assertThatThrownBy(
            () -> Shards.keys(builder().shards(url.toString()).memoryBudget(300_000).build(), 0))
        .isInstanceOf(DatasetException.class)
        .hasMessageContaining("exceeds the memory budget of 300000 bytes");
  }

  @Test
  void gzipIsKnownByItsBytes() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(Shards.tar(0, 300, 5_000));
    }
    StorageUrl url = FOLDER.resolve("zipped.tar");
    storage.write(url, ByteBuffer.wrap(zipped.toByteArray()));
    ShardDataset dataset =
        builder().shards(url.toString()).shuffle(Shuffle.blocks(100_000)).build();
    assertThat(Shards.keys(dataset, 0)).hasSize(300);
  }

  @Test
  void shardCutShortIsAnErrorThatNamesShardAndOffset() throws IOException {
    StorageUrl url = FOLDER.resolve("cut.tar");
    byte[] tar = Shards.tar(0, 100, 5_000);
    storage.write(url, ByteBuffer.wrap(tar, 0, 100_000));
    assertThatThrownBy(() -> Shards.keys(builder().shards(url.toString()).build(), 0))
        .isInstanceOfSatisfying(
            DatasetException.class,
            e -> {
              assertThat(e.shard()).isEqualTo(url);
              assertThat(e.offset()).isEqualTo(100_000);
            })
        .hasMessageContaining("cut short");
  }

  @Test
  void shardShorterThanTheManifestSaysIsAnError() throws IOException {
    StorageUrl url = FOLDER.resolve("shard-000002.tar");
    byte[] tar = storage.readAll(url, 1 << 30);
    storage.write(url, ByteBuffer.wrap(tar, 0, tar.length - 512));
    assertThatThrownBy(() -> Shards.keys(manifest().build(), 0))
        .isInstanceOf(DatasetException.class)
        .hasMessageContaining(url + " at byte 0")
        .hasMessageContaining("the manifest says " + tar.length);
  }

  @Test
  void datasetSaysWhatItHas() throws IOException {
    try (ShardDataset dataset = manifest().build()) {
      assertThat(dataset)
          .hasToString("ShardDataset[%d shards, %d samples]".formatted(SHARDS, SHARDS * SAMPLES));
    }
  }

  @Test
  void corruptMemberIsFoundThroughTheIndex() throws IOException {
    StorageUrl url = FOLDER.resolve("shard-000000.tar");
    byte[] tar = storage.readAll(url, 1 << 30);
    tar[600] ^= 1;
    storage.write(url, ByteBuffer.wrap(tar));
    assertThatThrownBy(() -> Shards.keys(manifest().build(), 0))
        .isInstanceOfSatisfying(DatasetException.class, e -> assertThat(e.offset()).isEqualTo(512))
        .hasMessageContaining(".bin\" is corrupt: its CRC32C is ");
    assertThat(Shards.keys(manifest().verify(false).build(), 0)).hasSize(SHARDS * SAMPLES);
  }

  @Test
  void missingIndexIsAnErrorUnlessNothingIsChecked() throws IOException {
    storage.delete(FOLDER.resolve("shard-000001.tar.tarnidx"));
    assertThatThrownBy(() -> Shards.keys(manifest().build(), 0))
        .isInstanceOf(DatasetException.class)
        .hasMessageContaining("its index " + FOLDER + "/shard-000001.tar.tarnidx: no such object");
    assertThat(Shards.keys(manifest().verify(false).build(), 0)).isEqualTo(allKeys());
  }

  @Test
  void indexShorterThanTheManifestSaysIsAnError() throws IOException {
    StorageUrl url = FOLDER.resolve("shard-000001.tar.tarnidx");
    byte[] index = storage.readAll(url, 1 << 30);
    storage.write(url, ByteBuffer.wrap(index, 0, 100));
    assertThatThrownBy(() -> Shards.keys(manifest().build(), 0))
        .isInstanceOf(DatasetException.class)
        .hasMessageContaining(url + ": 100 bytes long, the manifest says " + index.length);
  }

  @Test
  void missingShardIsNamedAfterTheSamplesBeforeIt() throws IOException {
    storage.delete(FOLDER.resolve("shard-000001.tar"));
    List<String> before = new ArrayList<>();
    try (ShardDataset dataset = manifest().build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(() -> samples.forEachRemaining(sample -> before.add(sample.key())))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("shard-000001.tar")
          .hasMessageContaining("no such object");
      assertThat(before).isEqualTo(allKeys().subList(0, before.size()));
      assertThat(samples.hasNext()).isFalse();
    }
  }

  @Test
  void emptyShardsHaveNoSamples() throws IOException {
    storage.write(FOLDER.resolve("empty.tar"), ByteBuffer.wrap(new byte[10_240]));
    String spec = FOLDER + "/empty.tar::" + FOLDER + "/shard-000000.tar::" + FOLDER + "/empty.tar";
    assertThat(Shards.keys(builder().shards(spec).build(), 0)).hasSize(SAMPLES);
    storage.write(FOLDER.resolve("nothing.tar"), ByteBuffer.allocate(0));
    assertThatThrownBy(() -> Shards.keys(builder().shards(FOLDER + "/nothing.tar").build(), 0))
        .hasMessageContaining("cut short");
  }

  @Test
  void exhaustedIteratorSaysSo() throws IOException {
    try (ShardDataset dataset = manifest().build();
        SampleIterator samples = dataset.iterate(0)) {
      samples.forEachRemaining(sample -> {});
      assertThatThrownBy(samples::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void bucketThatIsMissingIsNamed() throws IOException {
    try (FaultyServer server = new FaultyServer()) {
      server.put("/nowhere/train/dataset.json", new byte[1]);
      server.failNext((exchange, content) -> {
        byte[] error =
            "<Error><Code>NoSuchBucket</Code><Message>no such bucket</Message></Error>"
                .getBytes(UTF_8);
        exchange.sendResponseHeaders(404, error.length);
        exchange.getResponseBody().write(error);
        return true;
      });

      assertThatThrownBy(() ->
              ShardDataset.builder()
                  .manifest("s3://nowhere/train")
                  .storageOptions(
                      StorageOptions.builder()
                          .endpoint(URI.create(server.url("")))
                          .anonymous(true)
                          .build())
                  .build())
          .hasMessage(
              "s3://nowhere/train/dataset.json: NoSuchBucket: no such bucket (HTTP status 404)");
    }
  }

  @Test
  void settingsThatCannotBeAreNamed() {
    assertThatThrownBy(() -> builder().build()).hasMessageContaining("the dataset names no shards");
    assertThatThrownBy(() -> builder().manifest("memory://test/none").build())
        .hasMessageContaining("no manifest there");
    assertThatThrownBy(() -> manifest().shuffle(Shuffle.blocks(1 << 28)).build())
        .hasMessageContaining("four blocks of 268435456 bytes exceed the memory budget of ");
    assertThatThrownBy(() -> manifest().memoryBudget(1000).build())
        .hasMessageContaining("expected at least 262144");
  }

  private static Shuffle shuffle(long blockBytes) {
    return blockBytes == 0 ? Shuffle.SHARDS : Shuffle.blocks(blockBytes);
  }

  private DatasetBuilder manifest() {
    return builder().manifest(FOLDER.toString());
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder().storage(storage);
  }

  private static List<String> allKeys() {
    String[] keys = new String[SHARDS * SAMPLES];
    Arrays.setAll(keys, i -> Shards.key(i / SAMPLES, i % SAMPLES));
    return List.of(keys);
  }
}
