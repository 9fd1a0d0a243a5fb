package dev.tarn.targetnode.store.residents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The table of the entries that a cache has, beside a plain map. */
final class ResidentsTest {
  private static final int MIB = 1 << 20;

  private int now;
  private final Residents residents = new Residents(new Lru(), () -> now, 1);

  /** An entry of the map. */
  private record Entry(int bytes, long bucket) {}

  @Test
  void tableHasWhatAPlainMapHasAfterAMillionChanges() {
    SplittableRandom random = new SplittableRandom(7);
    Map<Long, Entry> reference = new HashMap<>();
    for (int step = 0; step < 1_000_000; step++) {
      now += random.nextInt(3);
      long id = id(random.nextInt(20_000));
      ObjectName name = name(1 + (id & 3));
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4 -> {
          int bytes = 1 + random.nextInt(random.nextBoolean() ? 5000 : 9 * MIB);
          residents.add(id, bytes, name);
          reference.putIfAbsent(id, new Entry(bytes, name.bucket().value()));
        }
        case 5 -> {
          residents.remove(id);
          reference.remove(id);
        }
        case 6 -> {
          Optional<Resident> least = residents.takeLeast();
          assertThat(least.isPresent()).isEqualTo(!reference.isEmpty());
          least.ifPresent(taken -> {
            Entry known = reference.remove(taken.id());
            assertThat(known).isEqualTo(new Entry(taken.bytes(), 1 + (taken.id() & 3)));
            residents.left(taken, Leaving.FOR_BETTER);
          });
        }
        case 7 -> residents.takeLeast().ifPresent(residents::putBack);
        case 8 -> {
          long needed = random.nextInt(2 * MIB);
          residents
              .displace(id, 1, name, needed)
              .ifPresent(victims -> {
                assertThat(victims.stream().mapToLong(Resident::bytes).sum())
                    .isGreaterThanOrEqualTo(needed);
                victims.forEach(victim -> {
                  assertThat(reference.remove(victim.id())).isNotNull();
                  residents.left(victim, Leaving.FOR_BETTER);
                });
              });
        }
        default ->
            assertThat(residents.reference(id, name) == Reference.RESIDENT)
                .isEqualTo(reference.containsKey(id));
      }
    }

    assertThat(residents.count()).isEqualTo(reference.size()).isGreaterThan(100);
    assertThat(residents.bytes())
        .isEqualTo(reference.values().stream().mapToLong(Entry::bytes).sum());
    Map<BucketId, Long> byBucket = new HashMap<>();
    reference
        .values()
        .forEach(
            entry -> byBucket.merge(new BucketId(entry.bucket()), (long) entry.bytes(), Long::sum));
    assertThat(residents.bytesOfBuckets()).isEqualTo(byBucket);
    for (int i = 0; i < 20_000; i++) {
      assertThat(residents.isResident(id(i))).isEqualTo(reference.containsKey(id(i)));
    }
  }

  @Test
  void tableTakesAtMost72BytesForAnEntryWhileItGrowsAndShrinks() {
    ObjectName name = name(1);
    int entries = 300_000;
    for (int i = 0; i < entries; i++) {
      residents.add(id(i), MIB, name);
      if (i > 50_000 && i % 10_007 == 0) {
        assertThat(residents.memoryBytes()).isLessThanOrEqualTo(72L * residents.count());
      }
    }
    for (int i = 0; i < entries; i++) {
      residents.remove(id(i));
    }
    assertThat(residents.memoryBytes()).isLessThan(entries);
  }

  @Test
  void sampleOfATableFindsEntriesInProportionToTheirBytes() {
    ObjectName name = name(1);
    for (int i = 0; i < 1000; i++) {
      residents.add(id(i), i % 2 == 0 ? 8 * MIB : MIB, name);
    }
    int large = 0;
    int draws = 2000;
    for (int i = 0; i < draws; i++) {
      Resident taken = residents.takeLeast().orElseThrow();
      large += taken.bytes() == 8 * MIB ? 1 : 0;
      residents.putBack(taken);
    }
    assertThat((double) large / draws).isBetween(0.8, 0.97);
  }

  @Test
  void victimsAreAllOrNone() {
    ObjectName name = name(1);
    for (int i = 0; i < 10; i++) {
      residents.add(id(i), MIB, name);
    }

    assertThat(residents.displace(id(100), MIB, name, 11L * MIB)).isEmpty();

    assertThat(residents.count()).isEqualTo(10);
    assertThat(residents.bytes()).isEqualTo(10L * MIB);
    assertThat(residents.displace(id(100), MIB, name, 10L * MIB).orElseThrow()).hasSize(10);
    assertThat(residents.count()).isZero();
  }

  @Test
  void entryThatHadLeftIsCountedWhenItIsWantedAgain() {
    ObjectName name = name(1);
    residents.reference(id(1), name);
    residents.add(id(1), MIB, name);
    List<Resident> left = List.of(residents.takeLeast().orElseThrow());
    left.forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
    now += 100;

    assertThat(residents.reference(id(1), name)).isEqualTo(Reference.ABSENT);
    assertThat(residents.reference(id(1), name)).isEqualTo(Reference.REPEATED);
    residents.reference(id(2), name);
    now += 100;
    residents.reference(id(2), name);

    assertThat(residents.wantedAgain()).isEqualTo(1);
  }

  /** The id of a unit of 1 MiB: its number is in the hash. */
  private static long id(int number) {
    return Long.MIN_VALUE | (257L << 51) | ((number * 0x9E3779B97F4A7C15L) >>> 13);
  }

  private static ObjectName name(long name) {
    return new ObjectName(new BucketId(name), ObjectKey.of("key"));
  }
}
