package dev.tarn.targetnode.store.residents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the next process knows of the use of entries. */
final class ResidentsFileTest {
  private static final int UNIT = 8 << 20;
  private static final int COUNT = 200;
  private static final int EPOCH = 360_000;
  private static final ObjectName BUCKET = new ObjectName(new BucketId(7), ObjectKey.of("key"));
  private static final ObjectName OTHER = new ObjectName(new BucketId(8), ObjectKey.of("key"));

  private final SimulatedDisk disk;
  private final ResidentsFile file;
  private int now = 5;

  ResidentsFileTest(@TempDir Path folder) {
    disk = new SimulatedDisk(folder);
    file = new ResidentsFile(disk);
  }

  private Residents empty() {
    return new Residents(new Tenure(new Tenure.Floors(30_000, 500)), () -> now, 1);
  }

  /** The entries that another process finds, in this order of numbers of buckets. */
  private Residents found() {
    Residents found = empty();
    found.reference(1_000_000, OTHER);
    for (int i = 0; i < COUNT; i++) {
      found.addFound(i, UNIT);
    }
    return found;
  }

  /** Entries of which the first half was read in each of some epochs, the others never again. */
  private Residents used() {
    Residents used = empty();
    for (int epoch = 0; epoch < 4; epoch++) {
      for (int i = 0; i < COUNT / 2; i++) {
        now += EPOCH / (COUNT / 2);
        used.reference(i, BUCKET);
        used.add(i, UNIT, BUCKET);
      }
    }
    for (int i = COUNT / 2; i < COUNT; i++) {
      used.reference(i, BUCKET);
      used.add(i, UNIT, BUCKET);
    }
    return used;
  }

  @Test
  void nextProcessKnowsWhichEntriesAreWorthMore() throws IOException {
    file.write(used());
    now = 1;
    Residents next = found();
    assertThat(file.read(next)).isTrue();

    next.reference(0, BUCKET);
    for (int i = 0; i < COUNT / 4; i++) {
      Resident least = next.takeLeast().orElseThrow();
      assertThat(least.id()).isGreaterThanOrEqualTo(COUNT / 2);
      next.left(least, Leaving.FOR_ROOM);
    }
    assertThat(next.bytesOfBuckets()).containsOnlyKeys(BUCKET.bucket());
  }

  @Test
  void entriesThatAreGoneStayGone() throws IOException {
    file.write(used());
    Residents next = empty();
    assertThat(file.read(next)).isTrue();
    assertThat(next.count()).isZero();
    assertThat(next.bytes()).isZero();
  }

  @Test
  void newerFileReplacesTheOlder() throws IOException {
    Residents next = found();
    file.write(used());
    file.write(empty());

    assertThat(file.read(next)).isTrue();
    assertThat(next.bytesOfBuckets()).isEmpty();
  }

  @Test
  void damagedFileIsNotBelieved() throws IOException {
    Residents next = found();
    assertThat(file.read(next)).isFalse();
    file.write(used());
    disk.corrupt("cache-use", 3000);

    assertThat(file.read(next)).isFalse();
    assertThat(next.bytesOfBuckets()).isEmpty();
    assertThat(next.count()).isEqualTo(COUNT);
  }

  @Test
  void tornFileIsNotBelieved() throws IOException {
    file.write(used());
    try (DiskFile torn = disk.open("cache-use")) {
      torn.truncate(torn.length() - 1);
    }
    Residents next = found();

    assertThat(file.read(next)).isFalse();
    assertThat(next.count()).isEqualTo(COUNT);
  }

  @Test
  void fileOfAnotherFormIsNotBelieved() throws IOException {
    try (DiskFile other = disk.create("cache-use")) {
      other.write(FormatHeader.of("TARNOTHR", 0, 0).encode(), 0);
    }

    assertThat(file.read(found())).isFalse();
  }

  @Test
  void fileOfAnotherDiskChangesNoEntry() throws IOException {
    Residents other = empty();
    for (int i = 0; i < COUNT; i++) {
      other.reference(1_000_000 + i, OTHER);
      other.add(1_000_000 + i, UNIT, OTHER);
    }
    file.write(other);
    Residents next = used();
    long bytes = next.bytes();

    assertThat(file.read(next)).isTrue();
    assertThat(next.count()).isEqualTo(COUNT);
    assertThat(next.bytes()).isEqualTo(bytes);
    assertThat(next.bytesOfBuckets()).containsOnlyKeys(BUCKET.bucket());
  }

  /** Shuffled epochs beside a hot set, on a cache of half of them; the file is five minutes old. */
  @Test
  void hitsGoOnAfterARestartWithAFileThatIsFiveMinutesOld() throws IOException {
    Traffic traffic = new Traffic(empty());
    for (int hour = 0; hour < 3; hour++) {
      traffic.hour();
    }
    double before = traffic.hour();
    file.write(traffic.residents);
    traffic.minutes(5);
    Residents next = empty();
    traffic.there.forEach((id, name) -> next.addFound(id, UNIT));
    assertThat(file.read(next)).isTrue();
    traffic.residents = next;

    assertThat(traffic.hour()).isCloseTo(before, within(0.02));
    assertThat(before).isGreaterThan(0.4);
  }

  /** Reads of a job and of a hot set. */
  private final class Traffic {
    private static final int CAPACITY = 500;
    private static final int READS_PER_MINUTE = 60;
    private final Random random = new Random(4);
    private final Map<Long, ObjectName> there = new HashMap<>();
    private final List<Integer> epoch = new ArrayList<>();
    private Residents residents;

    Traffic(Residents residents) {
      this.residents = residents;
    }

    double hour() {
      return minutes(60);
    }

    /** Returns the share of hits. */
    double minutes(int count) {
      int hits = 0;
      int reads = count * READS_PER_MINUTE;
      for (int i = 0; i < reads; i++) {
        now += 6000 / READS_PER_MINUTE;
        hits += i % 4 == 0 ? read(random.nextInt(100), OTHER) : read(nextOfEpoch(), BUCKET);
      }
      return (double) hits / reads;
    }

    private int nextOfEpoch() {
      if (epoch.isEmpty()) {
        IntStream.range(1000, 1800).forEach(epoch::add);
        Collections.shuffle(epoch, random);
      }
      return epoch.removeLast();
    }

    private int read(long id, ObjectName name) {
      if (residents.reference(id, name) == Reference.RESIDENT) {
        return 1;
      }
      long needed = residents.bytes() + UNIT - (long) CAPACITY * UNIT;
      residents
          .displace(id, UNIT, name, needed)
          .ifPresent(victims -> {
            victims.forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
            victims.forEach(victim -> there.remove(victim.id()));
            residents.add(id, UNIT, name);
            there.put(id, name);
          });
      return 0;
    }
  }
}
