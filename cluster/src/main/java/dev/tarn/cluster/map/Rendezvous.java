package dev.tarn.cluster.map;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.Xxh64;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/**
 * Rendezvous hashing (highest random weight) among weighted members.
 *
 * <p>Each member draws a number u in (0, 1) from the hashes of the slot and of its own id. The
 * member with the greatest {@code weight / -ln(u)} wins. The probability of winning is proportional
 * to the weight. Whether one member beats another does not depend on the rest. A new member
 * therefore takes only what it wins, and a removed one gives away only what it had.
 *
 * <p>Scores are computed with {@link StrictMath}, so every machine gets the same result. Members
 * are in the order of their ids, and the first one wins a tie.
 *
 * @param <M> the members
 */
public final class Rendezvous<M> {
  private static final long TARGET_SEED = 1;
  private static final long DISK_SEED = 2;
  private static final double UNIT = 0x1.0p-52;

  private final List<M> members;
  private final long[] hashes;
  private final double[] weights;

  private Rendezvous(
      List<M> members, Function<M, String> id, ToLongFunction<M> weight, long idSeed) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException("rendezvous needs at least one member");
    }
    this.members = members.stream().sorted((a, b) -> id.apply(a).compareTo(id.apply(b))).toList();
    hashes =
        this.members.stream()
            .mapToLong(member -> Xxh64.of(id.apply(member).getBytes(UTF_8), idSeed))
            .toArray();
    weights = this.members.stream().mapToDouble(weight::applyAsLong).toArray();
  }

  /** Selects among targets. */
  public static Rendezvous<MapTarget> amongTargets(List<MapTarget> targets) {
    return new Rendezvous<>(targets, target -> target.id().value(), MapTarget::weight, TARGET_SEED);
  }

  /** Selects among the disks of one target. */
  public static Rendezvous<MapDisk> amongDisks(List<MapDisk> disks) {
    return new Rendezvous<>(disks, disk -> disk.id().value(), MapDisk::weight, DISK_SEED);
  }

  /** The member that wins the slot. */
  public M winner(int slot) {
    return members.get(winner(slot, member -> true));
  }

  /** The number of the member that wins the slot among those that satisfy this. */
  int winner(int slot, IntPredicate wanted) {
    int best = -1;
    double bestScore = 0;
    for (int i = 0; i < hashes.length; i++) {
      if (wanted.test(i)) {
        double score = score(slot, i);
        if (best < 0 || score > bestScore) {
          best = i;
          bestScore = score;
        }
      }
    }
    if (best < 0) {
      throw new IllegalArgumentException("no member may win slot " + slot);
    }
    return best;
  }

  int size() {
    return members.size();
  }

  M member(int number) {
    return members.get(number);
  }

  double weight(int number) {
    return weights[number];
  }

  /** How much a member values a slot; positive. */
  double score(int slot, int number) {
    long hash = Xxh64.avalanche(Xxh64.avalanche(slot + 1L) ^ hashes[number]);
    return weights[number] / -StrictMath.log(((hash >>> 12) + 0.5) * UNIT);
  }
}
