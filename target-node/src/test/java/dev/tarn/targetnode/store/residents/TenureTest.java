package dev.tarn.targetnode.store.residents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a full cache with the default policy admits. */
final class TenureTest {
  private static final ObjectName WRITTEN = new ObjectName(new BucketId(99), ObjectKey.of("key"));
  private static final int UNIT = 8 << 20;
  private static final int CAPACITY = 100;
  private static final int EPOCH = Ticks.of(Duration.ofHours(1));
  private static final ObjectName TRAINING = new ObjectName(new BucketId(1), ObjectKey.of("key"));
  private static final ObjectName OTHER = new ObjectName(new BucketId(2), ObjectKey.of("key"));

  private int now;
  private final Residents residents =
      new Residents(
          new Tenure(
              new Tenure.Floors(Ticks.of(Duration.ofMinutes(5)), Ticks.of(Duration.ofSeconds(5)))),
          () -> now,
          1);

  @Test
  void epochsOfEqualEntriesKeepWhatWasThereFirst() {
    epochs(TRAINING, 0, 2 * CAPACITY, 5);

    for (int i = 0; i < CAPACITY; i++) {
      assertThat(residents.isResident(i)).isTrue();
    }
    assertThat(residents.refused()).isEqualTo(5L * CAPACITY);
  }

  @Test
  void nextJobTakesOverWhenTheFormerHasEnded() {
    epochs(TRAINING, 0, CAPACITY, 4);
    epochs(OTHER, CAPACITY, 2 * CAPACITY, 2);

    long taken = residents.bytesOfBuckets().getOrDefault(OTHER.bucket(), 0L) / UNIT;
    assertThat(taken).isGreaterThan(CAPACITY * 9 / 10);
  }

  @Test
  void pauseBetweenEpochsThatIsShortLosesNothing() {
    epochs(TRAINING, 0, CAPACITY, 4);
    now += EPOCH / 6;
    readOnce(OTHER, CAPACITY, 2 * CAPACITY, EPOCH / 12);

    assertThat(residents.bytesOfBuckets()).containsOnlyKeys(TRAINING.bucket());
  }

  @Test
  void scanDisplacesNothingOfAJobInUse() {
    epochs(TRAINING, 0, CAPACITY, 4);
    for (int i = 0; i < CAPACITY; i++) {
      now += EPOCH / CAPACITY;
      read(TRAINING, i);
      read(OTHER, 1000 + i);
    }

    assertThat(residents.bytesOfBuckets()).containsOnlyKeys(TRAINING.bucket());
  }

  @Test
  void hotSetEntersAfterAFewReads() {
    epochs(TRAINING, 0, 2 * CAPACITY, 4);
    int hot = 10;
    for (int pass = 0; pass < 40; pass++) {
      now += EPOCH / 40;
      for (int i = 0; i < hot; i++) {
        read(OTHER, 1000 + i);
      }
      read(TRAINING, pass);
    }

    assertThat(residents.bytesOfBuckets()).containsEntry(OTHER.bucket(), (long) hot * UNIT);
  }

  @Test
  void rangesOfOneUnitThatAreReadTogetherCountOnce() {
    epochs(TRAINING, 0, CAPACITY, 4);
    for (int range = 0; range < 64; range++) {
      now += 1;
      read(TRAINING, 5000);
    }

    assertThat(residents.isResident(5000)).isFalse();
  }

  @Test
  void writtenEntriesDisplaceOnlyWhatIsDead() {
    epochs(TRAINING, 0, CAPACITY, 4);

    assertThat(residents.displaceForWritten(WRITTEN, UNIT, UNIT)).isEmpty();

    now += 3 * EPOCH;
    Optional<List<Resident>> victims = residents.displaceForWritten(WRITTEN, UNIT, UNIT);
    assertThat(victims.orElseThrow()).hasSize(1);
  }

  @Test
  void primaryBytesTakeTheLeast() {
    epochs(TRAINING, 0, CAPACITY / 2, 4);
    for (int i = 0; i < CAPACITY / 2; i++) {
      read(OTHER, 1000 + i);
    }

    for (int i = 0; i < CAPACITY / 4; i++) {
      Resident least = residents.takeLeast().orElseThrow();
      assertThat(least.id()).isGreaterThanOrEqualTo(1000);
      residents.left(least, Leaving.FOR_ROOM);
    }
  }

  @Test
  void threadThatComesSecondWithAnEarlierTimeChangesNothing() {
    epochs(TRAINING, 0, 2 * CAPACITY, 3);
    for (int i = 0; i < 2 * CAPACITY; i++) {
      now += EPOCH / 2 / CAPACITY;
      read(TRAINING, i);
      now -= 3;
      read(TRAINING, (i + 1) % (2 * CAPACITY));
    }

    for (int i = 0; i < CAPACITY; i++) {
      assertThat(residents.isResident(i)).isTrue();
    }
  }

  /** Reads all entries of a range in each epoch, in the same order. */
  private void epochs(ObjectName name, int first, int end, int count) {
    for (int epoch = 0; epoch < count; epoch++) {
      readOnce(name, first, end, EPOCH);
    }
  }

  private void readOnce(ObjectName name, int first, int end, int ticks) {
    for (int id = first; id < end; id++) {
      now += ticks / (end - first);
      read(name, id);
    }
  }

  /** Reads a unit as a node does: what is not there is fetched, and kept if it is admitted. */
  private void read(ObjectName name, long id) {
    if (residents.reference(id, name) == Reference.RESIDENT) {
      return;
    }
    if (residents.count() < CAPACITY) {
      residents.add(id, UNIT, name);
      return;
    }
    residents
        .displace(id, UNIT, name, UNIT)
        .ifPresent(victims -> {
          victims.forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
          residents.add(id, UNIT, name);
        });
  }
}
