package dev.tarn.targetnode.store.residents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the next process knows of the use of entries. */
final class ResidentsFileTest {
  private static final int UNIT = 8 << 20;
  private static final int COUNT = 200;
  private static final int EPOCH = 360_000;
  private static final BucketId BUCKET = new BucketId(7);
  private static final BucketId OTHER = new BucketId(8);

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
      next.left(least);
    }
    assertThat(next.bytesOfBuckets()).containsOnlyKeys(BUCKET);
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
}
