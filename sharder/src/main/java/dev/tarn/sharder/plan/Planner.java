package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.HeaderEncoder;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.source.FileListing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;

/**
 * Makes the plan from a listing of files: files into samples, samples into order, order into
 * shards. It depends on the files' names and sizes and on nothing else, not even on the listing's
 * order.
 */
public final class Planner {
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
  public PackPlan plan(FileListing files) throws IOException {
    Members found = Members.of(files, dots);
    Outside outside = found.outside();
    MemberTable table = found.table();
    int[] members = found.sorted();
    if (members.length == 0) {
      throw new PlanException(
          outside.count() == 0
              ? "there are no files to pack"
              : "none of the "
                  + outside.count()
                  + " files belongs to a sample: their names need a key, a dot and an extension,"
                  + " such as dir/000001.jpg; the first is "
                  + MemberNames.printable(outside.first().getFirst()));
    }
    BitSet starts = sampleStarts(table, members);
    if (seed.isPresent()) {
      SampleShuffle shuffle = new SampleShuffle(seed.orElseThrow());
      members = shuffle.shuffle(members, starts);
    }
    List<PlannedShard> shards = shards(table, members, starts);
    return new PackPlan(options(), table, members, starts, shards, outside);
  }

  private PackOptions options() {
    return new PackOptions(
        pattern.text(), maximumCount, maximumSize, seed, dots.text(), HeaderEncoder.DEFAULT_TIME);
  }

  private static BitSet sampleStarts(MemberTable table, int[] members) throws PlanException {
    BitSet starts = new BitSet(members.length);
    starts.set(0);
    for (int i = 1; i < members.length; i++) {
      if (!table.haveSameKey(members[i - 1], members[i])) {
        starts.set(i);
      } else if (table.haveSameExtension(members[i - 1], members[i])) {
        throw twice(table, members[i - 1], members[i]);
      }
    }
    return starts;
  }

  private static PlanException twice(MemberTable table, int left, int right) {
    String first = MemberNames.decode(table.fileName(left));
    String second = MemberNames.decode(table.fileName(right));
    boolean ordered = MemberNames.compare(first, second) < 0;
    return new PlanException(
        MemberNames.printable(ordered ? first : second)
            + " and "
            + MemberNames.printable(ordered ? second : first)
            + " would be the same member of one sample: key "
            + MemberNames.printable(MemberNames.decode(table.name(left), 0, table.keyLength(left)))
            + ", extension "
            + MemberNames.printable(MemberNames.decode(table.extension(left)))
            + " (which readers take in lower case); rename one of them");
  }

  private List<PlannedShard> shards(MemberTable table, int[] members, BitSet starts)
      throws PlanException {
    List<PlannedShard> shards = new ArrayList<>();
    int from = 0;
    int samples = 0;
    long length = 0;
    for (int first = 0; first < members.length; ) {
      int next = starts.nextSetBit(first + 1);
      int end = next < 0 ? members.length : next;
      long sample = PackPlan.length(table, members, first, end);
      if (!fits(sample)) {
        int member = members[first];
        throw new PlanException(
            "sample "
                + MemberNames.printable(
                    MemberNames.decode(table.name(member), 0, table.keyLength(member)))
                + " takes "
                + (sample + TarLayout.endLength(sample))
                + " bytes as a shard of its own, but --max-size is "
                + maximumSize);
      }
      if (samples > 0
          && (samples >= maximumCount.orElse(Long.MAX_VALUE) || !fits(length + sample))) {
        shards.add(new PlannedShard(pattern.name(shards.size()), from, first, samples, length));
        from = first;
        samples = 0;
        length = 0;
      }
      length += sample;
      samples++;
      first = end;
    }
    shards.add(
        new PlannedShard(pattern.name(shards.size()), from, members.length, samples, length));
    return shards;
  }

  private boolean fits(long membersLength) {
    return membersLength + TarLayout.endLength(membersLength) <= maximumSize;
  }
}
