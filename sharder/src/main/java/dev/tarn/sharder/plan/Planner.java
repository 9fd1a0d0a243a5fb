package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.PackOptions;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.shard.tar.HeaderEncoder;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.source.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Makes the plan from a list of files: files into samples, samples into order, order into shards.
 * It depends on the files' names and sizes and on nothing else, not even on the list's order.
 */
public final class Planner {
  private record Named(SampleName sample, PlannedMember member) {}

  private static final Comparator<Named> BY_KEY_AND_EXTENSION =
      Comparator.comparing((Named named) -> named.sample.key(), MemberNames::compare)
          .thenComparing(named -> named.sample.extension(), MemberNames::compare);

  private final ShardPattern pattern;
  private final OptionalLong maximumCount;
  private final long maximumSize;
  private final OptionalLong seed;
  private final Dots dots;

  /**
   * @param maximumCount of samples in a shard
   * @param maximumSize of a shard, in tar bytes
   * @param seed of the global shuffle; without one samples are in the order of their keys
   */
  public Planner(
      ShardPattern pattern,
      OptionalLong maximumCount,
      long maximumSize,
      OptionalLong seed,
      Dots dots) {
    this.pattern = requireNonNull(pattern, "pattern is null");
    this.maximumCount = requireNonNull(maximumCount, "maximumCount is null");
    this.maximumSize = maximumSize;
    this.seed = requireNonNull(seed, "seed is null");
    this.dots = requireNonNull(dots, "dots is null");
  }

  /**
   * Makes the plan for these files.
   *
   * @throws PlanException if there is no sample, a sample has an extension twice, or one is larger
   *     than a shard may be
   */
  public PackPlan plan(List<SourceFile> files) throws PlanException {
    List<Named> members = new ArrayList<>(files.size());
    List<String> outside = new ArrayList<>();
    for (SourceFile file : files) {
      String name = dots.apply(file.name());
      SampleName sample = SampleName.parse(name);
      if (sample == null) {
        outside.add(file.name());
      } else {
        members.add(new Named(sample, new PlannedMember(name, file)));
      }
    }
    if (members.isEmpty()) {
      throw new PlanException(
          files.isEmpty()
              ? "there are no files to pack"
              : "none of the "
                  + files.size()
                  + " files belongs to a sample: their names need a key, a dot and an extension,"
                  + " such as dir/000001.jpg; the first is "
                  + MemberNames.printable(files.getFirst().name()));
    }
    members.sort(BY_KEY_AND_EXTENSION);
    outside.sort(MemberNames::compare);
    List<PlannedSample> samples = samples(members);
    seed.ifPresent(number -> new SampleShuffle(number).shuffle(samples));
    return new PackPlan(options(), shards(samples), outside);
  }

  private PackOptions options() {
    return new PackOptions(
        pattern.text(), maximumCount, maximumSize, seed, dots.text(), HeaderEncoder.DEFAULT_TIME);
  }

  private static List<PlannedSample> samples(List<Named> members) throws PlanException {
    List<PlannedSample> samples = new ArrayList<>();
    List<PlannedMember> current = new ArrayList<>();
    Named last = members.getFirst();
    for (Named named : members) {
      boolean further = !current.isEmpty() && named.sample.key().equals(last.sample.key());
      if (further && named.sample.extension().equals(last.sample.extension())) {
        throw new PlanException(
            MemberNames.printable(last.member.file().name())
                + " and "
                + MemberNames.printable(named.member.file().name())
                + " would be the same member of one sample: key "
                + MemberNames.printable(named.sample.key())
                + ", extension "
                + MemberNames.printable(named.sample.extension())
                + " (which readers take in lower case); rename one of them");
      }
      if (!further && !current.isEmpty()) {
        samples.add(new PlannedSample(current));
        current.clear();
      }
      current.add(named.member);
      last = named;
    }
    samples.add(new PlannedSample(current));
    return samples;
  }

  private List<PlannedShard> shards(List<PlannedSample> samples) throws PlanException {
    List<PlannedShard> shards = new ArrayList<>();
    int start = 0;
    long length = 0;
    for (int i = 0; i < samples.size(); i++) {
      long sample = samples.get(i).tarLength();
      if (!fits(sample)) {
        throw new PlanException(
            "sample "
                + MemberNames.printable(samples.get(i).key())
                + " takes "
                + (sample + TarLayout.endLength(sample))
                + " bytes as a shard of its own, but --max-size is "
                + maximumSize);
      }
      boolean full = i - start >= maximumCount.orElse(Long.MAX_VALUE) || !fits(length + sample);
      if (full) {
        shards.add(shard(shards.size(), samples.subList(start, i), length));
        start = i;
        length = 0;
      }
      length += sample;
    }
    shards.add(shard(shards.size(), samples.subList(start, samples.size()), length));
    return shards;
  }

  private boolean fits(long membersLength) {
    return membersLength + TarLayout.endLength(membersLength) <= maximumSize;
  }

  private PlannedShard shard(int number, List<PlannedSample> samples, long length) {
    return new PlannedShard(pattern.name(number), samples, length);
  }
}
