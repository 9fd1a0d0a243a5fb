package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names under which nothing is found: what they may have been meant for is said. */
final class ShardNamesTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final String NO_GLOBS =
      "; * and ? are no wildcards in names of shards: name several shards by braces as in"
          + " shard-{000000..000009}.tar, by a list, or by their manifest";
  private static final String NO_MANIFEST =
      "; a manifest is named by the URL of its dataset.json or by its folder's, shards by"
          + " shards(...)";

  private final Storage storage = new MemoryStorage();

  @TempDir Path directory;

  private DatasetBuilder builder() {
    return ShardDataset.builder().storage(storage).rank(0, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shard-*.tar", "shard-00000?.tar", "*"})
  void globIsToldThatItIsNone(String name) throws IOException {
    String spec = FOLDER.child(name).toString();
    try (ShardDataset dataset = builder().shards(spec).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(samples::hasNext)
          .isInstanceOf(DatasetException.class)
          .hasMessageStartingWith("shard " + spec + " at byte 0: ")
          .hasMessageEndingWith(NO_GLOBS);
    }
    assertThatThrownBy(() -> builder().shards(spec).cache(directory.resolve("cache")).build())
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith(spec + ": ")
        .hasMessageEndingWith(NO_GLOBS);
  }

  @Test
  void queryOfAWebAddressIsNoGlob() throws IOException {
    try (FaultyServer server = new FaultyServer();
        ShardDataset dataset =
            ShardDataset.builder().rank(0, 1).shards(server.url("/none.tar?version=1")).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(samples::hasNext)
          .isInstanceOf(DatasetException.class)
          .hasMessageNotContaining("braces");
    }
  }

  @Test
  void shardsWhoseNamesHoldSuchCharactersAreRead() throws IOException {
    try (Storage local = Storage.open()) {
      StorageUrl folder = StorageUrl.parse(directory.toString());
      List<String> names = List.of("a*.tar", "what?.tar", "[1].tar");
      for (int i = 0; i < names.size(); i++) {
        local.write(folder.child(names.get(i)), ByteBuffer.wrap(Shards.tar(i, 2, 100)));
      }
      String spec = "%1$s/a*.tar::%1$s/what?.tar::%1$s/[1].tar".formatted(directory);
      DatasetBuilder builder = ShardDataset.builder().rank(0, 1).shards(spec);
      try (ShardDataset dataset = builder.build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(6);
      }
      try (ShardDataset dataset = builder.cache(directory.resolve("cache")).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(6);
      }
    }
  }

  @Test
  void shardOfAManifestThatIsGoneIsNotTakenForAGlob() throws IOException {
    Shards.dataset(storage, FOLDER, 1, 5, 100);
    storage.delete(FOLDER.child("shard-000000.tar"));
    try (ShardDataset dataset = builder().manifest(FOLDER.toString()).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(samples::hasNext).hasMessageNotContaining("braces");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shard-000000.tar", "shard.tar.gz", "shard-{0..9}.tar", "*.tar", "x.tgz"})
  void shardsThatAreNamedAsAManifestAreToldHow(String name) {
    String url = FOLDER.child(name).toString();
    assertThatThrownBy(() -> builder().manifest(url).build())
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith(url + "/dataset.json: no manifest there: ")
        .hasMessageEndingWith(NO_MANIFEST);
    assertThatThrownBy(() -> builder().manifest(FOLDER.child("none").toString()).build())
        .hasMessageEndingWith("name its shards to read them as they are");
  }

  @Test
  void urlThatLostASlashIsToldSo() {
    DatasetBuilder builder = ShardDataset.builder().rank(0, 1);
    String path = Path.of("s3://data/train").toString();
    assertThatThrownBy(() -> builder.manifest(path).build())
        .isInstanceOf(StorageException.class)
        .hasMessageEndingWith("; this is a local path: the URL is s3://data/train");
  }

  // As of callers whose builds do not check for nulls.
  @SuppressWarnings("NullAway")
  @Test
  void listOrUrlThatIsNullIsNamed() {
    assertThatThrownBy(() -> builder().shards((List<String>) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("urls is null");
    assertThatThrownBy(() -> builder().shards(Arrays.asList("a.tar", null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the URL of shard 1 of the list is null");
  }
}
