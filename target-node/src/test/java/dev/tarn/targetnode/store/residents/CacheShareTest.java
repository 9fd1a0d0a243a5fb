package dev.tarn.targetnode.store.residents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What buckets may have of a full cache of 1,000 entries. */
final class CacheShareTest {
  private static final int CAPACITY = 1000;
  private static final int UNIT = 8 << 20;
  private static final ObjectName FIRST = new ObjectName(new BucketId(1), ObjectKey.of("key"));
  private static final ObjectName SECOND = new ObjectName(new BucketId(2), ObjectKey.of("key"));

  private static final CacheRules PINS = CacheRules.parse("pin:pinned/");
  private static final ObjectName PINNED =
      new ObjectName(FIRST.bucket(), ObjectKey.of("pinned/key"));

  private int now;
  private long capacity = (long) CAPACITY * UNIT;
  private Residents residents = new Residents(new Lru(), () -> now, 1);

  @Test
  void bucketThatHasItsMostDisplacesOnlyItsOwn() {
    use(FIRST, 0, 100);
    use(SECOND, 1000, CAPACITY - 100);
    share(units(0, 100), CacheShare.ANY);

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
    residents.setShares(bucket -> new CacheShare(0, UNIT - 1, CacheRules.NONE));

    assertThat(residents.displace(1, UNIT, FIRST, 0)).isEmpty();
  }

  @Test
  void leastOfABucketIsNotDisplacedByOthers() {
    use(FIRST, 0, 200);
    use(SECOND, 1000, CAPACITY - 200);
    share(units(150, 1000), CacheShare.ANY);

    use(SECOND, 10_000, 3 * CAPACITY);

    assertThat(bytesOf(FIRST)).isEqualTo(150L * UNIT);
    use(FIRST, 300, 100);
    assertThat(bytesOf(FIRST)).isGreaterThanOrEqualTo(150L * UNIT);
  }

  @Test
  void primaryBytesTakeWhatIsProtectedLast() {
    use(FIRST, 0, 200);
    use(SECOND, 1000, CAPACITY - 200);
    share(units(200, 1000), CacheShare.ANY);

    for (int i = 0; i < CAPACITY - 200; i++) {
      residents.left(residents.takeLeast().orElseThrow(), Leaving.FOR_ROOM);
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
    share(units(0, 5), units(0, 700));

    List<Resident> excess = leaveExcess();

    assertThat(excess).hasSize(15 + CAPACITY - 20 - 700);
    assertThat(bytesOf(FIRST)).isEqualTo(5L * UNIT);
    assertThat(bytesOf(SECOND)).isEqualTo(700L * UNIT);
  }

  @Test
  void bucketThatIsAVerySmallPartOfTheTableStillChanges() {
    use(FIRST, 0, 20);
    share(units(0, 20), CacheShare.ANY);
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
  void newEntriesOfASmallBucketDisplaceEachOtherBesideAPopularOne() {
    residents = new Residents(new Tenure(new Tenure.Floors(100_000, 1)), () -> now, 1);
    share(units(0, 20), CacheShare.ANY);
    use(FIRST, 0, 20);
    for (int id = 1000; id < 200_000; id++) {
      residents.add(id, UNIT, SECOND);
    }
    capacity = residents.bytes();
    for (int round = 0; round < 20; round++) {
      now += 200;
      use(FIRST, 0, 1);
    }
    now += 200_000;
    use(FIRST, 0, 1); // It alone is worth something now.

    for (int round = 0; round < 5; round++) {
      now += 200;
      use(FIRST, 0, 1);
      use(FIRST, 500 + 10 * round, 10);
    }

    assertThat(residents.isResident(0)).isTrue();
    assertThat(IntStream.range(540, 550).filter(residents::isResident).count()).isGreaterThan(5);
  }

  @Test
  void nothingOfADeletedBucketStays() {
    use(FIRST, 0, 300);
    use(SECOND, 1000, 300);
    share(CacheShare.NONE, CacheShare.ANY);

    leaveExcess();

    assertThat(bytesOf(FIRST)).isZero();
    assertThat(bytesOf(SECOND)).isEqualTo(300L * UNIT);
    residents.reference(5000, FIRST);
    assertThat(residents.displace(5000, UNIT, FIRST, 0)).isEmpty();
  }

  @Test
  void pinnedEntriesAreNotDisplacedByOthers() {
    use(FIRST, 0, 1);
    use(SECOND, 1, 1);
    pin();
    use(PINNED, 10, 300);
    use(FIRST, 1000, CAPACITY);

    use(SECOND, 10_000, 3 * CAPACITY);
    use(FIRST, 20_000, 3 * CAPACITY);

    assertThat(IntStream.range(10, 310).allMatch(residents::isResident)).isTrue();
    assertThat(residents.bytes()).isEqualTo(capacity);
  }

  @Test
  void pinnedEntryDisplacesOthersAtItsFirstRead() {
    residents = new Residents(new Tenure(new Tenure.Floors(100_000, 1)), () -> now, 1);
    use(SECOND, 0, CAPACITY);
    use(FIRST, 2000, 1);
    pin();
    for (int round = 0; round < 10; round++) {
      use(SECOND, 0, CAPACITY); // They are worth more than what was read once.
    }

    use(FIRST, 3000, 10);
    assertThat(IntStream.range(3000, 3010).anyMatch(residents::isResident)).isFalse();
    use(PINNED, 4000, 10);
    assertThat(IntStream.range(4000, 4010).allMatch(residents::isResident)).isTrue();
  }

  @Test
  void pinnedSetThatIsLargerThanTheCacheTakesAllOfItAndNoMore() {
    use(FIRST, 0, 1);
    use(SECOND, 1, CAPACITY - 1);
    pin();

    use(PINNED, 10_000, 2 * CAPACITY);

    assertThat(residents.bytes()).isEqualTo(capacity);
    assertThat(bytesOf(FIRST)).isGreaterThan(capacity * 9 / 10);
  }

  @Test
  void pinsTakeNoMoreThanTheirBucketMayHaveNorWhatOthersAreSureOf() {
    use(FIRST, 0, 1);
    use(SECOND, 1, CAPACITY - 1);
    share(new CacheShare(0, 400L * UNIT, PINS), units(500, CAPACITY));

    use(PINNED, 10_000, 2 * CAPACITY);

    assertThat(bytesOf(FIRST)).isEqualTo(400L * UNIT);
    share(new CacheShare(0, Long.MAX_VALUE, PINS), units(500, CAPACITY));
    use(PINNED, 20_000, 2 * CAPACITY);
    assertThat(bytesOf(SECOND)).isEqualTo(500L * UNIT);
  }

  @Test
  void primaryBytesTakePinnedEntriesLast() {
    use(FIRST, 0, 1);
    pin();
    use(PINNED, 10, 200);
    use(SECOND, 1000, CAPACITY - 201);

    for (int i = 0; i < CAPACITY - 220; i++) {
      residents.left(residents.takeLeast().orElseThrow(), Leaving.FOR_ROOM);
    }

    assertThat(bytesOf(FIRST)).isGreaterThan(180L * UNIT);
    for (int i = 0; i < 100; i++) {
      assertThat(residents.takeLeast()).isPresent();
    }
  }

  @Test
  void entriesAreDisplacedAgainWhenAnotherRuleIsLeft() {
    use(FIRST, 0, 1);
    pin();
    use(PINNED, 10, 300);
    CacheRules others = CacheRules.parse("pin:other/");
    residents.setShares(bucket -> new CacheShare(0, Long.MAX_VALUE, others));

    use(SECOND, 10_000, 3 * CAPACITY);

    assertThat(bytesOf(FIRST)).isZero();
  }

  @Test
  void pinsStayWhenARuleIsAdded() {
    use(FIRST, 0, 1);
    pin();
    use(PINNED, 10, 300);
    CacheRules more = CacheRules.parse("pin:pinned/ pin:other/ bypass:tmp/");
    residents.setShares(bucket -> new CacheShare(0, Long.MAX_VALUE, more));

    use(SECOND, 10_000, 3 * CAPACITY);

    assertThat(bytesOf(FIRST)).isEqualTo(300L * UNIT);
  }

  @Test
  void shareHoldsFromTheFirstUseOn() {
    residents.setShares(bucket -> new CacheShare(0, 10L * UNIT, PINS));

    use(PINNED, 0, 5);
    use(FIRST, 100, 50);

    assertThat(bytesOf(FIRST)).isEqualTo(10L * UNIT);
    assertThat(IntStream.range(0, 5).allMatch(residents::isPinned)).isTrue();
  }

  @Test
  void entriesAreDisplacedAgainWhenNothingIsPinned() {
    use(FIRST, 0, 1);
    pin();
    use(PINNED, 10, 300);
    residents.setShares(bucket -> CacheShare.ANY);

    use(SECOND, 10_000, 3 * CAPACITY);

    assertThat(bytesOf(FIRST)).isZero();
  }

  @Test
  void loweredShareTakesPinnedEntriesLast() {
    use(FIRST, 0, 1);
    pin();
    use(PINNED, 10, 300);
    use(FIRST, 1000, 300);
    residents.setShares(bucket -> new CacheShare(0, 300L * UNIT, PINS));

    leaveExcess();

    assertThat(bytesOf(FIRST)).isEqualTo(300L * UNIT);
    assertThat(IntStream.range(10, 310).filter(residents::isPinned).count()).isGreaterThan(295);
  }

  private void share(CacheShare ofFirst, CacheShare ofOthers) {
    residents.setShares(bucket -> bucket.equals(FIRST.bucket()) ? ofFirst : ofOthers);
  }

  private void pin() {
    share(new CacheShare(0, Long.MAX_VALUE, PINS), CacheShare.ANY);
  }

  @Test
  void shareMustBeARange() {
    assertThatIllegalArgumentException().isThrownBy(() -> new CacheShare(2, 1, CacheRules.NONE));
  }

  private List<Resident> leaveExcess() {
    List<Resident> all = new ArrayList<>();
    for (List<Resident> some = residents.takeExcess();
        !some.isEmpty();
        some = residents.takeExcess()) {
      some.forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
      all.addAll(some);
    }
    return all;
  }

  private static CacheShare units(int least, int most) {
    return new CacheShare((long) least * UNIT, (long) most * UNIT, CacheRules.NONE);
  }

  private long bytesOf(ObjectName name) {
    return residents.bytesOfBuckets().getOrDefault(name.bucket(), 0L);
  }

  /** Reads so many entries of a bucket, each of which then enters if it may. */
  private void use(ObjectName name, int first, int count) {
    for (int id = first; id < first + count; id++) {
      now++;
      if (residents.reference(id, name) == Reference.RESIDENT) {
        continue;
      }
      long needed = residents.bytes() + UNIT - capacity;
      Optional<List<Resident>> victims = residents.displace(id, UNIT, name, needed);
      if (victims.isPresent()) {
        victims.orElseThrow().forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
        residents.add(id, UNIT, name);
      }
    }
  }
}
