package dev.tarn.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.internal.shards.ShardSource.IndexFile;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IndexStoreTest {
  private static final int KEPT_MAX = 50;

  private final MemoryStorage storage = new MemoryStorage();

  private List<ShardSource> shards(int count) throws IOException {
    List<ShardSource> shards = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StorageUrl shard = StorageUrl.parse("memory://test/%d.tar".formatted(i));
      ShardIndexBuilder builder = new ShardIndexBuilder();
      builder.addMember("%d.txt".formatted(i), 512, 10, 0);
      builder.endSample(new byte[32]);
      ByteBuffer index = builder.build(10_240, 0);
      IndexFile file =
          new IndexFile(StorageUrl.parse(shard + ShardIndex.SUFFIX), index.remaining(), false);
      storage.write(file.url(), index);
      shards.add(
          new ShardSource(
              shard,
              OptionalLong.of(10_240),
              OptionalLong.of(1),
              Optional.of(file),
              Optional.empty()));
    }
    return shards;
  }

  private static long mappings() throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains("/tarn-")).count();
    }
  }

  @Test
  void mappingsAreUndoneOfIndexesThatWereLetGo() throws IOException {
    IndexStore indexes = new IndexStore(storage, KEPT_MAX, Optional.empty());
    List<ShardSource> shards = shards(2_000);
    long most = 0;
    for (ShardSource shard : shards) {
      indexes.get(shard);
      most = Math.max(most, mappings());
    }
    // The collector's own thread undoes them, a little later.
    assertThat(most).isBetween(1L, 10L * KEPT_MAX);
  }

  @Test
  void indexThatWasLetGoStaysReadableToWhoHasIt() throws IOException {
    IndexStore indexes = new IndexStore(storage, KEPT_MAX, Optional.empty());
    List<ShardSource> shards = shards(4 * KEPT_MAX);
    ShardIndex first = indexes.get(shards.get(0));
    for (ShardSource shard : shards) {
      indexes.get(shard);
    }
    assertThat(first.sample(0).key()).isEqualTo("0");
    assertThat(indexes.get(shards.get(0))).isNotSameAs(first);
  }
}
