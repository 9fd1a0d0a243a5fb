package dev.tarn.sharder.shard;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.name.ShardSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Selects shards by the words that users give: datasets, shards, and shards with braces. */
public final class ShardSelection {
  private ShardSelection() {}

  /**
   * Returns the URLs of words; {@code shard-{000000..000009}.tar} expands to ten.
   *
   * @throws IllegalArgumentException if a word is not a URL, or if its braces do not match
   */
  public static List<StorageUrl> urls(List<String> words) {
    List<StorageUrl> urls = new ArrayList<>();
    for (String word : words) {
      boolean several = ShardPlace.isShardName(word) && (word.contains("{") || word.contains("::"));
      for (String name : several ? ShardSpec.expand(word) : List.of(word)) {
        urls.add(StorageUrl.parse(name));
      }
    }
    return urls;
  }

  /** Returns the folder of a dataset, which may also be given as its manifest. */
  public static StorageUrl dataset(StorageUrl url) {
    return url.name().equals(DatasetManifest.FILE_NAME) ? url.parent() : url;
  }

  /**
   * Returns the selected shards in order; for a dataset, those of its manifest.
   *
   * @throws IOException if a dataset is not found
   */
  public static List<ShardPlace> shards(Storage storage, List<StorageUrl> urls) throws IOException {
    List<ShardPlace> shards = new ArrayList<>();
    for (StorageUrl url : urls) {
      if (ShardPlace.isShardName(url.path())) {
        shards.add(ShardPlace.of(url));
        continue;
      }
      StorageUrl dataset = dataset(url);
      for (ShardEntry entry : Datasets.open(storage, dataset).shards()) {
        shards.add(ShardPlace.of(dataset, entry));
      }
    }
    return shards;
  }
}
