package dev.tarn.sharder.diff;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.index.ShardIndex;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.diff.Difference.Kind;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Compares two datasets by the keys and digests of their samples. The shards' indexes have these,
 * so only a shard without an index is read. Neither the order of the samples nor their shards
 * matter.
 */
public final class DatasetDiff {
  private final ShardAccess access;
  private final SortSpace space;
  private final int jobs;
  private final Progress progress;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private long same;

  /**
   * @param space for each of the three sorts
   * @param jobs the number of shards that are read in parallel
   * @param progress receives the number of samples
   */
  public DatasetDiff(ShardAccess access, SortSpace space, int jobs, Progress progress) {
    this.access = requireNonNull(access, "access is null");
    this.space = requireNonNull(space, "space is null");
    this.jobs = jobs;
    this.progress = requireNonNull(progress, "progress is null");
  }

  /**
   * Compares the datasets. Must be called only once.
   *
   * @param differences receives each difference, in the order of the keys
   */
  public void compare(
      List<ShardPlace> before, List<ShardPlace> after, Consumer<Difference> differences)
      throws IOException, InterruptedException {
    try (SortedDifferences sorted = new SortedDifferences(space)) {
      try (LoneSamples lone = new LoneSamples(space)) {
        try (KeyedSamples samples = new KeyedSamples(space)) {
          read(before, Side.OLD, samples);
          read(after, Side.NEW, samples);
          same = samples.compare(rest(sorted, lone));
        }
        lone.compare(difference -> add(sorted, difference));
      }
      sorted.forEach(differences);
    }
  }

  private KeyedSamples.Rest rest(SortedDifferences sorted, LoneSamples lone) {
    return new KeyedSamples.Rest() {
      @Override
      public void changed(String key) throws IOException {
        add(sorted, new Difference(Kind.CHANGED, key, key));
      }

      @Override
      public void alone(Side side, byte[] digest, String key) throws IOException {
        lone.add(side, digest, key);
      }
    };
  }

  private void add(SortedDifferences sorted, Difference difference) throws IOException {
    counts.merge(difference.kind(), 1L, Long::sum);
    sorted.add(difference);
  }

  private void read(List<ShardPlace> shards, Side side, KeyedSamples samples)
      throws IOException, InterruptedException {
    ParallelShards.run(
        shards, jobs, shard -> read(shard, side, samples), count -> progress.add(count, 0));
  }

  private int read(ShardPlace shard, Side side, KeyedSamples samples) throws IOException {
    try (OpenIndex open = access.index(shard)) {
      ShardIndex index =
          open == null
              ? ShardIndex.of(shard.toString(), access.makeIndex(shard, new Progress()))
              : open.index();
      for (int number = 0; number < index.sampleCount(); number++) {
        samples.add(side, index.sample(number).key(), index.sampleDigest(number));
      }
      return index.sampleCount();
    }
  }

  /** Returns the number of samples that are the same and have the same key. */
  public long same() {
    return same;
  }

  /** Returns the number of differences of a kind. */
  public long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }
}
