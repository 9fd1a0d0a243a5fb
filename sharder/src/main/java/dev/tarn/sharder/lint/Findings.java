package dev.tarn.sharder.lint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was found, of each kind how often, where, and a few examples. */
public final class Findings {
  private static final int EXAMPLES_MAX = 3;

  /** One kind of finding. */
  public static final class Tally {
    private long count;
    private long shards;
    private final List<String> examples = new ArrayList<>();

    /** How often it was found. */
    public long count() {
      return count;
    }

    /** In how many shards; 0 if it is about the shards together. */
    public long shards() {
      return shards;
    }

    /** The first of them. */
    public List<String> examples() {
      return Collections.unmodifiableList(examples);
    }
  }

  private final Map<Finding, Tally> tallies = new EnumMap<>(Finding.class);
  private long samples;

  /** Adds what was found in the one shard that these are of. */
  void add(Finding finding, String example) {
    addAcross(finding, example).shards = 1;
  }

  /** Adds what is of no single shard. */
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

  /** Adds those of another shard. */
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

  /** How many samples were looked at. */
  public long samples() {
    return samples;
  }

  /** By kind. */
  public Map<Finding, Tally> tallies() {
    return Collections.unmodifiableMap(tallies);
  }
}
