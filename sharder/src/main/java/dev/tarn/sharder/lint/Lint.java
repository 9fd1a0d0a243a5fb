package dev.tarn.sharder.lint;

import static java.util.Objects.requireNonNull;

import dev.tarn.sharder.Progress;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Examines shards for what readers interpret differently. */
public final class Lint {
  private final ShardAccess access;
  private final SortSpace space;

  /**
   * @param space for sorting the keys of all samples
   */
  public Lint(ShardAccess access, SortSpace space) {
    this.access = requireNonNull(access, "access is null");
    this.space = requireNonNull(space, "space is null");
  }

  /**
   * Examines shards; a corrupt shard is a finding.
   *
   * @param jobs the number of shards that are read in parallel
   * @param progress receives the number of samples
   */
  public Findings look(List<ShardPlace> shards, int jobs, Progress progress)
      throws IOException, InterruptedException {
    Map<ShardPlace, Integer> numbers = new LinkedHashMap<>();
    for (ShardPlace shard : shards) {
      numbers.putIfAbsent(shard, numbers.size());
    }
    List<ShardPlace> distinct = List.copyOf(numbers.keySet());
    Findings findings = new Findings();
    try (KeySort keys = new KeySort(space)) {
      ParallelShards.run(
          distinct,
          jobs,
          shard -> {
            int number = numbers.getOrDefault(shard, 0);
            return new ShardLint(
                    access, shard, number == 0, (key, sample) -> keys.add(key, number, sample))
                .look();
          },
          found -> {
            findings.add(found);
            progress.add(found.samples(), 0);
          });
      findings.add(keys.compare(distinct));
    }
    return findings;
  }
}
