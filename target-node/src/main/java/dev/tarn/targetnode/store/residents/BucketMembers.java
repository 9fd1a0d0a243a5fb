package dev.tarn.targetnode.store.residents;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ids of some residents of one bucket. Of a bucket that is a very small part of the table,
 * samples would seldom find any. Safe for use by many threads.
 */
final class BucketMembers {
  static final int IDS_MAX = 1024;

  /** A walk over the table finds nothing new so soon. */
  private static final int WALK_TICKS_MIN = 100;

  private final List<Long> ids = new ArrayList<>();
  private final SplittableRandom random;
  private @Nullable Integer lastWalk;

  BucketMembers(long seed) {
    random = new SplittableRandom(seed);
  }

  /** An entry is resident from now on. */
  synchronized void learn(long id) {
    if (ids.size() < IDS_MAX) {
      ids.add(id);
    } else {
      ids.set(random.nextInt(IDS_MAX), id);
    }
  }

  /**
   * Some residents, drawn by chance; walks only if all that it knew have left.
   *
   * @param most how many at most
   * @param now the present time, as of {@link Ticks}
   * @param resident finds a resident of the bucket by its id; null if it is not there
   * @param walk finds residents of the bucket
   */
  synchronized List<Resident> draw(
      int most, int now, LongFunction<@Nullable Resident> resident, Supplier<List<Resident>> walk) {
    List<Resident> drawn = drawKnown(most, resident);
    if (drawn.isEmpty() && (lastWalk == null || Ticks.between(lastWalk, now) > WALK_TICKS_MIN)) {
      lastWalk = now;
      walk.get().forEach(found -> ids.add(found.id()));
      drawn = drawKnown(most, resident);
    }
    return drawn;
  }

  private List<Resident> drawKnown(int most, LongFunction<@Nullable Resident> resident) {
    List<Resident> drawn = new ArrayList<>();
    for (int end = ids.size(); end > 0 && drawn.size() < most; end--) {
      int at = random.nextInt(end);
      long id = ids.set(at, ids.get(end - 1));
      ids.set(end - 1, id);
      Resident found = resident.apply(id);
      if (found == null) {
        ids.set(end - 1, ids.getLast());
        ids.removeLast();
      } else {
        drawn.add(found);
      }
    }
    return drawn;
  }
}
