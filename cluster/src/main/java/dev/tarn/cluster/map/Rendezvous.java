package dev.tarn.cluster.map;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.Xxh64;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Rendezvous hashing (highest random weight) among weighted members.
 *
 * <p>Each member draws a number u in (0, 1) from the hash of the key and of its own id. The member
 * with the greatest {@code weight / -ln(u)} wins. The probability of winning is proportional to the
 * weight. Whether one member beats another does not depend on the rest. A new member therefore
 * takes only what it wins, a removed one gives away only what it had, and a greater weight only
 * attracts.
 *
 * <p>The hash of a key is XXH64 of its bytes, with the bucket's id as seed; that of a member is
 * XXH64 of its id, with a seed for targets and another one for disks. The hashes must never change,
 * because every stored object would then be looked up elsewhere. Test vectors pin them.
 *
 * <p>Scores are computed with {@link StrictMath}, so every machine gets the same result. Ties are
 * broken by the hash, then by the members' order. As the logarithm is monotonic, members of equal
 * weight are compared by their hashes alone.
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
  private final boolean equalWeights;

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
    equalWeights = this.members.stream().mapToLong(weight).distinct().count() == 1;
  }

  /** Selects among targets. */
  public static Rendezvous<MapTarget> amongTargets(List<MapTarget> targets) {
    return new Rendezvous<>(targets, target -> target.id().value(), MapTarget::weight, TARGET_SEED);
  }

  /** Selects among the disks of one target. */
  public static Rendezvous<MapDisk> amongDisks(List<MapDisk> disks) {
    return new Rendezvous<>(disks, disk -> disk.id().value(), MapDisk::weight, DISK_SEED);
  }

  /** The member that wins the key. Allocates nothing. */
  public M winner(BucketId bucket, ObjectKey key) {
    return members.get(winnerIndex(key.xxh64(bucket.value())));
  }

  private int winnerIndex(long keyHash) {
    int best = 0;
    long bestHash = Xxh64.avalanche(keyHash ^ hashes[0]);
    double bestScore = score(bestHash, weights[0]);
    for (int i = 1; i < hashes.length; i++) {
      long hash = Xxh64.avalanche(keyHash ^ hashes[i]);
      double score = score(hash, weights[i]);
      if (score > bestScore || (score == bestScore && Long.compareUnsigned(hash, bestHash) > 0)) {
        best = i;
        bestHash = hash;
        bestScore = score;
      }
    }
    return best;
  }

  private double score(long hash, double weight) {
    return equalWeights ? 0 : weight / -StrictMath.log(((hash >>> 12) + 0.5) * UNIT);
  }
}
