package dev.tarn.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Reads two epochs by way of a cache: for class loaders that have a copy of the SDK each. */
public final class CopiedReader implements Callable<Integer> {
  private final DatasetBuilder dataset = ShardDataset.builder();

  /** Takes the way that a dataset is named by, manifest or shards, and its name. */
  public CopiedReader(String naming, String url, String cache, long bytesMax) {
    if (naming.equals("manifest")) {
      dataset.manifest(url);
    } else {
      dataset.shards(url);
    }
    dataset.cache(Path.of(cache), bytesMax);
  }

  @Override
  public Integer call() throws IOException {
    try (ShardDataset opened = dataset.build()) {
      return Shards.keys(opened, 0).size() + Shards.keys(opened, 1).size();
    }
  }
}
