package dev.tarn.sharder.lint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Findings with their counts, their shards and a few examples. */
public final class Findings {
  private static final int EXAMPLES_MAX = 3;

  /** One kind of finding. */
  public static final class Tally {
    private long count;
    private long shards;
    private final List<String> examples = new ArrayList<>();

    /** Returns the number of occurrences. */
    public long count() {
      return count;
    }

    /** Returns the number of shards; 0 if the finding is about several shards together. */
    public long shards() {
      return shards;
    }

    /** Returns the first few occurrences. */
    public List<String> examples() {
      return Collections.unmodifiableList(examples);
    }
  }

  private final Map<Finding, Tally> tallies = new EnumMap<>(Finding.class);
  private long samples;

  /** Adds a finding of one shard; this instance must be for that shard only. */
  void add(Finding finding, String example) {
    addAcross(finding, example).shards = 1;
  }

  /** Adds a finding that belongs to no single shard. */
  Tally addAcross(Finding finding, String example) {
    Tally tally = tallies.computeIfAbsent(finding, f -> new Tally());
    tally.count++;
    if (tally.examples.size() < EXAMPLES_MAX) {
      tally.examples.add(example);
    }
    return tally;
  }

  void addSample() {
    samples++;
  }

  /** Adds the findings of another shard. */
  void add(Findings other) {
    samples += other.samples;
    other.tallies.forEach((finding, more) -> {
      Tally tally = tallies.computeIfAbsent(finding, f -> new Tally());
      tally.count += more.count;
      tally.shards += more.shards;
      more.examples.stream()
          .limit(EXAMPLES_MAX - tally.examples.size())
          .forEach(tally.examples::add);
    });
  }

  /** Returns the number of examined samples. */
  public long samples() {
    return samples;
  }

  /** Returns the findings by kind. */
  public Map<Finding, Tally> tallies() {
    return Collections.unmodifiableMap(tallies);
  }
}
