package dev.tarn.targetnode.store.residents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tarn.cluster.object.BucketId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What buckets may have of a full cache of 1,000 entries. */
final class CacheShareTest {
  private static final int CAPACITY = 1000;
  private static final int UNIT = 8 << 20;
  private static final BucketId FIRST = new BucketId(1);
  private static final BucketId SECOND = new BucketId(2);

  private int now;
  private long capacity = (long) CAPACITY * UNIT;
  private final Residents residents = new Residents(new Lru(), () -> now, 1);

  @Test
  void bucketThatHasItsMostDisplacesOnlyItsOwn() {
    use(FIRST, 0, 100);
    use(SECOND, 1000, CAPACITY - 100);
    residents.setShares(bucket -> bucket.equals(FIRST) ? units(0, 100) : CacheShare.ANY);

    use(FIRST, 200, 300);

    assertThat(bytesOf(FIRST)).isEqualTo(100L * UNIT);
    assertThat(bytesOf(SECOND)).isEqualTo((CAPACITY - 100L) * UNIT);
  }

  @Test
  void roomThatIsFreeDoesNotLetABucketHaveMore() {
    use(FIRST, 0, 1);
    residents.setShares(bucket -> units(0, 10));

    use(FIRST, 1, 50);

    assertThat(bytesOf(FIRST)).isEqualTo(10L * UNIT);
  }

  @Test
  void entryThatIsLargerThanTheShareIsRefused() {
    residents.reference(1, FIRST);
    residents.setShares(bucket -> new CacheShare(0, UNIT - 1));

    assertThat(residents.displace(1, UNIT, FIRST, 0)).isEmpty();
  }

  @Test
  void leastOfABucketIsNotDisplacedByOthers() {
    use(FIRST, 0, 200);
    use(SECOND, 1000, CAPACITY - 200);
    residents.setShares(bucket -> bucket.equals(FIRST) ? units(150, 1000) : CacheShare.ANY);

    use(SECOND, 10_000, 3 * CAPACITY);

    assertThat(bytesOf(FIRST)).isEqualTo(150L * UNIT);
    use(FIRST, 300, 100);
    assertThat(bytesOf(FIRST)).isGreaterThanOrEqualTo(150L * UNIT);
  }

  @Test
  void primaryBytesTakeWhatIsProtectedLast() {
    use(FIRST, 0, 200);
    use(SECOND, 1000, CAPACITY - 200);
    residents.setShares(bucket -> bucket.equals(FIRST) ? units(200, 1000) : CacheShare.ANY);

    for (int i = 0; i < CAPACITY - 200; i++) {
      residents.left(residents.takeLeast().orElseThrow());
    }

    // Of the last ones a sample may find none.
    assertThat(bytesOf(SECOND)).isLessThan(20L * UNIT);
    assertThat(bytesOf(FIRST)).isGreaterThan(180L * UNIT);
    assertThat(residents.takeLeast()).isPresent();
  }

  @Test
  void bucketsAtTheirBoundsDoNotTakeFromEachOther() {
    use(FIRST, 0, 500);
    use(SECOND, 1000, 500);
    residents.setShares(bucket -> units(500, 500));

    for (int round = 0; round < 5; round++) {
      use(FIRST, 10_000 + 1000 * round, 700);
      use(SECOND, 100_000 + 1000 * round, 700);
    }

    assertThat(bytesOf(FIRST)).isEqualTo(500L * UNIT);
    assertThat(bytesOf(SECOND)).isEqualTo(500L * UNIT);
  }

  @Test
  void shareThatIsLoweredMakesTheRestLeave() {
    use(FIRST, 0, 20); // A small part of the table.
    use(SECOND, 1000, CAPACITY - 20);
    residents.setShares(bucket -> bucket.equals(FIRST) ? units(0, 5) : units(0, 700));

    List<Resident> excess = leaveExcess();

    assertThat(excess).hasSize(15 + CAPACITY - 20 - 700);
    assertThat(bytesOf(FIRST)).isEqualTo(5L * UNIT);
    assertThat(bytesOf(SECOND)).isEqualTo(700L * UNIT);
  }

  @Test
  void bucketThatIsAVerySmallPartOfTheTableStillChanges() {
    use(FIRST, 0, 20);
    residents.setShares(bucket -> bucket.equals(FIRST) ? units(0, 20) : CacheShare.ANY);
    for (int id = 1000; id < 200_000; id++) {
      residents.add(id, UNIT, SECOND);
    }
    capacity = residents.bytes();

    for (int round = 0; round < 5; round++) {
      now += 1000;
      use(FIRST, 500, 20);
    }

    assertThat(bytesOf(FIRST)).isEqualTo(20L * UNIT);
    assertThat(IntStream.range(500, 520).filter(residents::isResident).count()).isGreaterThan(15);
  }

  @Test
  void nothingOfADeletedBucketStays() {
    use(FIRST, 0, 300);
    use(SECOND, 1000, 300);
    residents.setShares(bucket -> bucket.equals(FIRST) ? CacheShare.NONE : CacheShare.ANY);

    leaveExcess();

    assertThat(bytesOf(FIRST)).isZero();
    assertThat(bytesOf(SECOND)).isEqualTo(300L * UNIT);
    residents.reference(5000, FIRST);
    assertThat(residents.displace(5000, UNIT, FIRST, 0)).isEmpty();
  }

  @Test
  void shareMustBeARange() {
    assertThatIllegalArgumentException().isThrownBy(() -> new CacheShare(2, 1));
  }

  private List<Resident> leaveExcess() {
    List<Resident> all = new ArrayList<>();
    for (List<Resident> some = residents.takeExcess();
        !some.isEmpty();
        some = residents.takeExcess()) {
      some.forEach(residents::left);
      all.addAll(some);
    }
    return all;
  }

  private static CacheShare units(int least, int most) {
    return new CacheShare((long) least * UNIT, (long) most * UNIT);
  }

  private long bytesOf(BucketId bucket) {
    return residents.bytesOfBuckets().getOrDefault(bucket, 0L);
  }

  /** Reads so many entries of a bucket, each of which then enters if it may. */
  private void use(BucketId bucket, int first, int count) {
    for (int id = first; id < first + count; id++) {
      now++;
      if (residents.reference(id, bucket) == Reference.RESIDENT) {
        continue;
      }
      long needed = residents.bytes() + UNIT - capacity;
      Optional<List<Resident>> victims = residents.displace(id, UNIT, bucket, needed);
      if (victims.isPresent()) {
        victims.orElseThrow().forEach(residents::left);
        residents.add(id, UNIT, bucket);
      }
    }
  }
}
