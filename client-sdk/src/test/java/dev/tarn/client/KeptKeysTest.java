package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples by key, of a dataset with a cache: what all indexes say is kept there. */
final class KeptKeysTest {
  private static final int ALL = CachedServer.SHARDS * CachedServer.SAMPLES;

  @TempDir Path directory;

  private CachedServer served;

  @BeforeEach
  void serve() throws IOException {
    served = new CachedServer(directory.resolve("cache"));
    served.put("/d", 0, false);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  /** Gets a sample in the middle as a process would that has just begun; says by how many GETs. */
  private long getOne(int first) throws IOException {
    long before = served.gets();
    String key = Shards.key(first + 2, 7);
    try (ShardDataset dataset = served.dataset("/d", 0).build()) {
      assertThat(dataset.get(key).bytes("txt")).asString().isEqualTo(key);
    }
    return served.gets() - before;
  }

  private Path keys() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("cache").resolve("indexes"))) {
      return files.filter(file -> file.toString().endsWith(".keys")).findFirst().orElseThrow();
    }
  }

  @Test
  void indexesAreLookedThroughByOneProcessForAll() throws IOException {
    assertThat(getOne(0)).isEqualTo(CachedServer.SHARDS + 1);
    // The index of the sample's own shard, and the sample.
    assertThat(getOne(0)).isEqualTo(2);
    assertThat(keys()).hasSize(8L * ALL + 8);
  }

  @Test
  void everySampleIsFoundByWhatIsKept() throws IOException {
    getOne(0);
    try (ShardDataset dataset = served.dataset("/d", 0).build()) {
      for (int i = 0; i < ALL; i++) {
        String key = Shards.key(i / CachedServer.SAMPLES, i % CachedServer.SAMPLES);
        assertThat(dataset.get(key).key()).isEqualTo(key);
      }
      assertThatThrownBy(() -> dataset.get("none")).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void otherVersionOfTheDatasetHasKeysOfItsOwn() throws IOException {
    getOne(0);
    served.put("/d", 10, false);
    assertThat(getOne(10)).isEqualTo(CachedServer.SHARDS + 1);
  }

  @Test
  void whatIsDamagedOrCutIsGatheredAnew() throws IOException {
    getOne(0);
    byte[] whole = Files.readAllBytes(keys());
    byte[] damaged = whole.clone();
    damaged[100] ^= 1;
    Files.write(keys(), damaged);
    assertThat(getOne(0)).isEqualTo(CachedServer.SHARDS + 1);
    assertThat(keys()).hasBinaryContent(whole);
    Files.write(keys(), Arrays.copyOf(whole, whole.length - 1));
    assertThat(getOne(0)).isEqualTo(CachedServer.SHARDS + 1);
    Files.write(keys(), Arrays.copyOf(whole, whole.length + 1));
    assertThat(getOne(0)).isEqualTo(CachedServer.SHARDS + 1);
    assertThat(getOne(0)).isEqualTo(2);
  }
}
