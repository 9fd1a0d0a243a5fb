package dev.tarn.sharder.verify;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.IndexedSample;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.progress.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads a whole dataset again and compares it with what its manifest and indexes say: lengths and
 * SHA-256 of the files, the shards' structure, each sample's digest, each member's place and
 * CRC32C.
 */
public final class DatasetVerifier {
  private static final int MAXIMUM_INDEX_LENGTH = Integer.MAX_VALUE - 8;

  private final Storage storage;
  private final StorageUrl dataset;
  private final int jobs;

  /**
   * @param jobs how many shards are read at once
   */
  public DatasetVerifier(Storage storage, StorageUrl dataset, int jobs) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.jobs = jobs;
  }

  /**
   * Verifies every shard, also after the first that is wrong.
   *
   * @return what is wrong, each with its place; empty if all is right
   */
  public List<String> verify(DatasetManifest manifest, Progress progress)
      throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(jobs)) {
      List<Future<List<String>>> results = new ArrayList<>();
      for (ShardEntry shard : manifest.shards()) {
        results.add(threads.submit(() -> verify(shard, progress)));
      }
      for (Future<List<String>> result : results) {
        problems.addAll(result.get());
      }
    } catch (ExecutionException e) {
      throw new IOException("verifying failed: " + e.getCause(), e);
    }
    return problems;
  }

  private List<String> verify(ShardEntry shard, Progress progress) {
    List<String> problems = new ArrayList<>();
    StorageUrl url = dataset.child(shard.name());
    try {
      long size = storage.stat(url).size();
      if (size != shard.size()) {
        problems.add("%s: has %d bytes, the manifest says %d".formatted(url, size, shard.size()));
      }
      ScannedShard scanned = ScannedShard.scan(url.toString(), storage.open(url));
      compare(problems, url, "SHA-256", scanned.sha256(), shard.sha256());
      compare(problems, url, "number of samples", scanned.samples(), shard.samples());
      compare(problems, url, "number of members", scanned.members(), shard.members());
      compare(problems, url, "SHA-256 of samples", scanned.samplesSha256(), shard.samplesSha256());
      verifyIndex(problems, shard, scanned);
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    progress.add(shard.members(), shard.size());
    return problems;
  }

  private static void compare(
      List<String> problems, StorageUrl url, String what, Object found, Object stated) {
    if (!found.equals(stated)) {
      problems.add("%s: the %s is %s, the manifest says %s".formatted(url, what, found, stated));
    }
  }

  private void verifyIndex(List<String> problems, ShardEntry shard, ScannedShard scanned)
      throws IOException {
    StorageUrl url = dataset.child(shard.index().name());
    ByteBuffer stored = ByteBuffer.wrap(storage.readAll(url, MAXIMUM_INDEX_LENGTH));
    compare(problems, url, "SHA-256", Sha256.digest(stored.duplicate()), shard.index().sha256());
    if (stored.equals(scanned.index())) {
      return;
    }
    ShardIndex index = ShardIndex.of(url.toString(), stored);
    index.verify();
    ShardIndex right = ShardIndex.of(url.toString(), scanned.index());
    int count = Math.min(index.sampleCount(), right.sampleCount());
    for (int i = 0; i < count; i++) {
      IndexedSample sample = right.sample(i);
      if (!sample.equals(index.sample(i))
          || !Arrays.equals(index.sampleDigest(i), right.sampleDigest(i))) {
        problems.add(
            "%s: sample %d is not as in the shard, where it is %s".formatted(url, i, sample));
        return;
      }
    }
    problems.add("%s: the index is another one than its shard has".formatted(url));
  }
}
