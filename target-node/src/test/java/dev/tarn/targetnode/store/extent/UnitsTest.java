package dev.tarn.targetnode.store.extent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Lru;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of units: what a reader finds after writes, crashes, and damage. */
final class UnitsTest {
  private static final int SIZE = 2_500_000;
  private static final Unit ONE = unit("one", "etag", 0);
  private static final Unit OTHER = unit("other", "etag", 0);

  private SimulatedDisk disk;
  private Residents residents = new Residents(new Lru(), () -> 0, 1);

  UnitsTest(@TempDir Path folder) {
    disk = new SimulatedDisk(folder);
  }

  @BeforeEach
  void format() throws IOException {
    Extents.format(disk);
    disk.createDirectory("extents/partial");
    disk.syncDirectory("extents");
    disk.syncDirectory("");
  }

  @Test
  void publishedUnitIsFoundUnderItsName() throws IOException {
    Units units = units();
    write(units, ONE);

    assertThat(read(units, ONE)).isEqualTo(bytes(ONE));
    OpenFile held = units.holdNow(ONE);
    assertThat(held).isNotNull();
    held.release();
    for (Unit absent :
        List.of(OTHER, unit("one", "changed", 0), new Unit(ONE.object(), "etag", "v2", SIZE, 0))) {
      assertAbsent(units, absent);
    }
  }

  @Test
  void fillSyncsNothing() throws IOException {
    var before = disk.syncs();
    Units units = units();
    write(units, ONE);
    units.remove(ONE);

    assertThat(disk.syncs()).isEqualTo(before);
  }

  @Test
  void unitThatNobodyFinishedIsGoneAfterAKill() throws IOException {
    UnitWriter half = units().create();
    half.write(ByteBuffer.wrap(new byte[1000]));

    disk = disk.afterKill();
    assertAbsent(units(), ONE);
    assertThat(disk.files("extents/")).isEmpty();
  }

  @Test
  void readerGoesOnAfterRemoval() throws IOException {
    Units units = units();
    write(units, ONE);
    OpenFile held = units.hold(ONE);

    assertThat(units.remove(ONE)).isEqualTo(SIZE);

    assertAbsent(units, ONE);
    assertThat(units.remove(ONE)).isZero();
    assertThat(content(held.file(), SIZE)).isEqualTo(bytes(ONE));
    held.release();
    assertThat(disk.openFiles()).as("files left open").isZero();
  }

  /** A file under the name of another unit stands for two names with one hash. */
  @Test
  void unitWithTheIdOfAnotherIsAbsent() throws IOException {
    Units units = units();
    write(units, ONE);
    disk.rename(path(ONE), path(OTHER));

    assertAbsent(units, OTHER);
    write(units, OTHER);
    assertThat(read(units, OTHER)).isEqualTo(bytes(OTHER));
  }

  @Test
  void bytesAreTrustedAfterAKillAndVerifiedAfterAnotherBoot() throws IOException {
    write(units(), ONE);
    sync(ONE);
    disk.corrupt(path(ONE), 4096 + 1_500_000);

    SimulatedDisk killed = disk.afterKill();
    assertThat(read(units(killed), ONE)).isNotEqualTo(bytes(ONE));

    SimulatedDisk rebooted = killed.afterPowerCut(new Random(1));
    assertAbsent(units(rebooted), ONE);
    assertThat(rebooted.files("extents/")).isEmpty();
  }

  @Test
  void unitIsVerifiedOnceAfterAnotherBoot() throws IOException {
    write(units(), ONE);
    sync(ONE);
    SimulatedDisk rebooted = disk.afterPowerCut(new Random(1));
    assertThat(read(units(rebooted), ONE)).isEqualTo(bytes(ONE));

    rebooted.corrupt(path(ONE), 4096 + 1_500_000);
    assertThat(read(units(rebooted.afterKill()), ONE)).isNotEqualTo(bytes(ONE));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void powerCutLeavesWholeUnitsOrNone(int seed) throws IOException {
    Random random = new Random(seed);
    Units units = units();
    List<Unit> written = new ArrayList<>();
    disk.cutPowerAfter(random.nextInt(400));
    try {
      while (true) {
        Unit next = unit("object", "etag", written.size());
        written.add(next);
        write(units, next);
      }
    } catch (IOException e) {
      assertThat(disk.isDead()).isTrue();
    }

    Units after = units(disk.afterPowerCut(random));
    for (Unit unit : written) {
      try {
        assertThat(read(after, unit)).isEqualTo(bytes(unit));
      } catch (NoSuchFileException e) {
        assertThat(after.holdNow(unit)).isNull();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "100", "4095", "4096", "1000000"})
  void shortFileIsAbsent(long length) throws IOException {
    write(units(), ONE);
    try (DiskFile file = disk.open(path(ONE))) {
      file.truncate(length);
    }
    Units units = units();

    assertAbsent(units, ONE);
    assertThat(disk.files("extents/")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 64, 90})
  void fileWithADamagedHeaderIsAbsent(int at) throws IOException {
    write(units(), ONE);
    disk.corrupt(path(ONE), at);

    Units units = units();
    assertThat(units.read(ONE.id(ExtentFooter.fileBytes(SIZE)))).isEqualTo(Optional.empty());
    assertAbsent(units, ONE);
    assertThat(disk.files("extents/")).isEmpty();
  }

  @Test
  void unitWhoseNameTakesMoreThanAHeaderIsNotKept() throws IOException {
    Units units = units();
    Unit unit = unit("x".repeat(1024), "e".repeat(3000), 0);
    UnitWriter writer = units.create();
    writer.write(ByteBuffer.wrap(new byte[SIZE]));

    assertThat(Units.isNameable(unit)).isFalse();
    assertThatThrownBy(() -> writer.publish(unit)).hasMessageContaining("cannot be cached");
    writer.abandon();
    assertThat(disk.files("extents/")).isEmpty();
  }

  @Test
  void bytesOfABucketAreKnownWhenItsUnitsHaveBeenRead() throws IOException {
    Units units = units();
    write(units, ONE);
    write(units, ONE);
    write(units, OTHER);
    units.remove(OTHER);
    int bytes = Unit.fileBytes(Units.idOf(ONE));
    assertThat(residents.bytes()).isEqualTo(bytes);
    assertThat(residents.bytesOfBuckets()).isEqualTo(Map.of(new BucketId(1), (long) bytes));

    Units reopened = units();
    assertThat(residents.bytes()).isEqualTo(bytes);
    assertThat(residents.bytesOfBuckets()).isEmpty();

    assertThat(reopened.read(Units.idOf(ONE))).contains(ONE);
    assertThat(residents.bytesOfBuckets()).isEqualTo(Map.of(new BucketId(1), (long) bytes));
  }

  /** The units on the disk, of which nothing else is known yet. */
  private Units units() throws IOException {
    return units(disk);
  }

  private Units units(Disk of) throws IOException {
    residents = new Residents(new Lru(), () -> 0, 1);
    return new Units(of, residents, 10);
  }

  private void assertAbsent(Units units, Unit unit) {
    assertThat(units.holdNow(unit)).isNull();
    assertThatThrownBy(() -> units.hold(unit)).isInstanceOf(NoSuchFileException.class);
  }

  private static void write(Units units, Unit unit) throws IOException {
    UnitWriter writer = units.create();
    boolean published = false;
    try {
      writer.write(ByteBuffer.wrap(bytes(unit)));
      writer.publish(unit);
      published = true;
    } finally {
      if (!published) {
        writer.abandon();
      }
    }
  }

  private static byte[] read(Units units, Unit unit) throws IOException {
    OpenFile open = units.hold(unit);
    try {
      return content(open.file(), (int) unit.length());
    } finally {
      open.release();
    }
  }

  private static byte[] content(DiskFile file, int length) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(length);
    file.read(content, Extents.DATA_OFFSET);
    return content.array();
  }

  private static byte[] bytes(Unit unit) {
    byte[] bytes = new byte[(int) unit.length()];
    new Random(unit.hashCode()).nextBytes(bytes);
    return bytes;
  }

  /** Unit 0 of an object of its own. */
  private static Unit unit(String key, String etag, int object) {
    String name = object == 0 ? key : key + object;
    return new Unit(new ObjectName(new BucketId(1), ObjectKey.of(name)), etag, "", SIZE, 0);
  }

  private static String path(Unit unit) {
    return Extents.path(unit.id(ExtentFooter.fileBytes(unit.length())));
  }

  private void sync(Unit unit) throws IOException {
    String path = path(unit);
    try (DiskFile file = disk.open(path)) {
      file.sync();
    }
    disk.syncDirectory("extents/partial");
  }
}
