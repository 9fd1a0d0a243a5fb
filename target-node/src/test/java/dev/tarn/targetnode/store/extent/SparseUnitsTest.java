package dev.tarn.targetnode.store.extent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.extent.SparseUnits.Absent;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Lru;
import dev.tarn.targetnode.store.residents.Resident;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with some pages of a unit: what a reader finds after writes, crashes, and damage. */
final class SparseUnitsTest {
  private static final int PAGE = Pages.BYTES;
  private static final int PAGES = 100;

  /** The last page is short. */
  private static final int SIZE = PAGES * PAGE - 1000;

  private static final Unit ONE = unit("one");
  private static final byte[] BYTES = new byte[SIZE];

  private SimulatedDisk disk;
  private Residents residents = new Residents(new Lru(), () -> 0, 1);

  SparseUnitsTest(@TempDir Path folder) {
    disk = new SimulatedDisk(folder);
    new Random(1).nextBytes(BYTES);
  }

  @BeforeEach
  void format() throws IOException {
    Extents.format(disk);
    disk.createDirectory("extents/partial");
    disk.syncDirectory("extents");
    disk.syncDirectory("");
  }

  @Test
  void readerGetsThePagesThatAreThereAndLearnsWhichAreNot() throws IOException {
    Units units = units();
    assertThat(read(units, 0, PAGE)).isEqualTo(new Absent(new Pages(0, 0), false));

    write(units, 2, 3);
    write(units, 7, 7);

    assertThat(read(units, 2 * PAGE + 5, 2 * PAGE - 10)).isNull();
    assertThat(read(units, 2 * PAGE, 6 * PAGE)).isEqualTo(new Absent(new Pages(4, 6), false));
    assertThat(read(units, 5 * PAGE, 1)).isEqualTo(new Absent(new Pages(5, 5), true));
    assertThat(read(units, 1000, 3 * PAGE)).isEqualTo(new Absent(new Pages(0, 1), false));
    assertThat(residents.bytes()).isEqualTo(4096 + PAGE + 3 * PAGE);
  }

  @Test
  void lastPageOfAnObjectMayBeShort() throws IOException {
    Units units = units();
    write(units, PAGES - 2, PAGES - 1);

    assertThat(read(units, SIZE - 5000, 5000)).isNull();
    assertThat(units.sparse().verify(ONE).whole()).isTrue();
  }

  @Test
  void eventLoopReadsOpenFilesOnly() throws IOException {
    write(units(), 1, 2);
    Units units = units();
    units.close();
    ByteBuffer buffer = ByteBuffer.allocateDirect(100);
    assertThat(units.sparse().readNow(ONE, buffer, PAGE + 10)).isFalse();

    assertThat(read(units, PAGE, 1)).isNull();

    assertThat(units.sparse().hasNow(ONE, PAGE, 2 * PAGE)).isTrue();
    assertThat(units.sparse().hasNow(ONE, PAGE, 2 * PAGE + 1)).isFalse();
    assertThat(units.sparse().readNow(ONE, buffer.clear(), PAGE + 10)).isTrue();
    assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(BYTES, PAGE + 10, 100).slice());
  }

  @Test
  void handTakesThePagesThatNobodyAskedForSinceItCameByLast() throws IOException {
    Units units = units();
    write(units, 0, 99);
    assertThat(units.sparse().trim(1)).isZero(); // Who wrote them had asked for them.
    read(units, 10 * PAGE, 3 * PAGE);

    assertThat(units.sparse().trim(1)).isEqualTo(97L * PAGE);

    assertThat(read(units, 10 * PAGE, 3 * PAGE)).isNull();
    assertThat(read(units, 9 * PAGE, PAGE)).isEqualTo(new Absent(new Pages(9, 9), false));
    assertThat(residents.bytes()).isEqualTo(4096 + PAGE + 3 * PAGE);
    assertThat(units.freedBytes()).isEqualTo(97L * PAGE);
  }

  @Test
  void unitWithoutPagesIsRemoved() throws IOException {
    Units units = units();
    write(units, 0, 9);

    units.sparse().trim(1);
    units.sparse().trim(1);

    assertThat(disk.files("extents/")).isEmpty();
    assertThat(residents.bytes()).isZero();
    assertThat(units.freedBytes()).isEqualTo(4096 + PAGE + 10 * PAGE);
    write(units, 0, 0);
    assertThat(read(units, 0, PAGE)).isNull();
    assertThat(units.remove(ONE)).isEqualTo(4096 + PAGE + PAGE);
    units.close();
    assertThat(disk.openFiles()).isZero();
  }

  /** Its path may be that of another file by now. */
  @Test
  void readerOfAFileThatWasRemovedFindsNoPages() throws IOException {
    write(units(), 0, 9);
    SparseUnit held = SparseUnit.open(disk.open(path()), path(), disk.boot());
    ByteBuffer buffer = ByteBuffer.allocateDirect(PAGE);
    assertThat(held.readNow(buffer, 0)).isTrue();

    held.gone();

    assertThat(held.readNow(buffer.clear(), 0)).isFalse();
    assertThat(held.read(buffer.clear(), 0, false)).isEqualTo(new Absent(new Pages(0, 0), true));
    assertThat(held.write(new Pages(0, 0), ByteBuffer.wrap(BYTES, 0, PAGE).slice())).isZero();
    held.release();
  }

  @Test
  void unitThatIsAboutToLeaveIsReadUntilThen() throws IOException {
    Units units = units();
    write(units, 0, 9);
    Resident leaving = residents.takeLeast().orElseThrow();

    assertThat(read(units, 0, 10 * PAGE)).isNull();
    write(units, 20, 20);
    assertThat(read(units, 20 * PAGE, PAGE)).isNull();

    residents.putBack(leaving);
    assertThat(read(units, 0, 10 * PAGE)).isNull();
    leaving = residents.takeLeast().orElseThrow();
    units.evict(leaving.id(), leaving.bytes());
    assertThat(read(units, 0, 10 * PAGE)).isNotNull();
    assertThat(disk.files("extents/")).isEmpty();
  }

  @Test
  void sweepFindsAFileThatTheTableDoesNotHave() throws IOException {
    Units units = units();
    write(units, 0, 9);
    assertThat(residents.takeLeast()).isPresent();

    assertThat(units.read(ONE.sparseId())).contains(ONE);
    assertThat(residents.isResident(ONE.sparseId())).isTrue();
    assertThat(residents.takeLeast()).isPresent();
    units.remove(ONE);
    assertThat(disk.files("extents/")).isEmpty();
  }

  @Test
  void pagesAreReadWhileTheHandTakesThem() throws Exception {
    Units units = units();
    Thread hand =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < 2000; i++) {
                units.sparse().trim(1);
              }
            });
    Random random = new Random(2);
    ByteBuffer direct = ByteBuffer.allocateDirect(3 * PAGE);
    int now = 0;
    do {
      int page = random.nextInt(PAGES - 3);
      Absent absent = read(units, page * PAGE, 3 * PAGE);
      if (absent != null) {
        write(units, absent.pages().first(), absent.pages().last());
      }
      if (units.sparse().readNow(ONE, direct.clear(), (long) page * PAGE)) {
        now++;
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(BYTES, page * PAGE, 3 * PAGE).slice());
      }
    } while (hand.isAlive() || now == 0);
  }

  @Test
  void wholeUnitReplacesItsPages() throws IOException {
    Units units = units();
    write(units, 0, 9);
    UnitWriter writer = units.create();
    writer.write(ByteBuffer.wrap(BYTES));
    writer.publish(ONE);

    assertThat(disk.files("extents/")).hasSize(1);
    assertThat(read(units, 0, PAGE)).isNotNull();
    assertThat(residents.count()).isEqualTo(1);
    units.hold(ONE).release();
  }

  @Test
  void unitWithTheIdOfAnotherIsAbsent() throws IOException {
    Units units = units();
    write(units, 0, 9);
    Unit other = unit("other");
    disk.rename(Extents.path(ONE.sparseId()), Extents.path(other.sparseId()));
    Units renamed = units();

    assertThat(renamed.sparse().read(other, ByteBuffer.allocate(PAGE), 0, false)).isPresent();
    renamed.sparse().write(other, new Pages(0, 0), ByteBuffer.wrap(BYTES, 0, PAGE));
    assertThat(renamed.sparse().read(other, ByteBuffer.allocate(PAGE), 0, false)).isEmpty();
  }

  @Test
  void bytesAreTrustedAfterAKillAndVerifiedAfterAnotherBoot() throws IOException {
    write(units(), 0, 9);
    sync();
    disk.corrupt(path(), place(5) + 7);

    SimulatedDisk killed = disk.afterKill();
    assertThat(absent(units(killed), 0, 10 * PAGE)).isNull();

    Units rebooted = units(killed.afterPowerCut(new Random(1)));
    assertThat(read(rebooted, 0, 10 * PAGE)).isEqualTo(new Absent(new Pages(5, 5), true));
    assertThat(residents.bytes()).isEqualTo(4096 + PAGE + 9 * PAGE);
  }

  @Test
  void damagedPagesAreNotReadIfTheyAreVerified() throws IOException {
    Units units = units();
    write(units, 0, 9);
    disk.corrupt(path(), place(5) + 7);
    disk.corrupt(path(), place(8) + 7);

    Optional<Absent> absent = units.sparse().read(ONE, ByteBuffer.allocate(6 * PAGE), 0, true);
    assertThat(absent.map(Absent::pages)).contains(new Pages(5, 5));
    assertThat(units.sparse().verify(ONE).whole()).isFalse();
    assertThat(units.sparse().verify(ONE).whole()).isTrue();
    assertThat(read(units, 6 * PAGE, 4 * PAGE)).isEqualTo(new Absent(new Pages(8, 8), true));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100, 4095, 4096, 5000})
  void fileThatIsTooShortIsDropped(long length) throws IOException {
    write(units(), 0, 9);
    try (DiskFile file = disk.open(path())) {
      file.truncate(length);
    }
    Units units = units();

    assertThat(read(units, 0, PAGE)).isNotNull();
    assertThat(disk.files("extents/")).isEmpty();
    write(units, 0, 0);
    assertThat(read(units, 0, PAGE)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void crashLeavesWholePagesOrNone(int seed) throws IOException {
    Random random = new Random(seed);
    Units units = units();
    disk.cutPowerAfter(random.nextInt(300));
    while (!disk.isDead()) {
      try {
        int first = random.nextInt(PAGES);
        write(units, first, Math.min(PAGES - 1, first + random.nextInt(20)));
        read(units, random.nextInt(PAGES - 30) * PAGE, 30 * PAGE);
        units.sparse().trim(1);
      } catch (IOException e) {
        assertThat(disk.isDead()).isTrue();
      }
    }

    SimulatedDisk after = seed % 2 == 0 ? disk.afterPowerCut(random) : disk.afterKill();
    Units reopened = units(after);
    for (int page = 0; page < PAGES; page++) {
      read(reopened, page * PAGE, Math.min(PAGE, SIZE - page * PAGE));
    }
  }

  private Units units() throws IOException {
    return units(disk);
  }

  private Units units(SimulatedDisk of) throws IOException {
    residents = new Residents(new Lru(), () -> 0, 1);
    return new Units(of, residents, 10);
  }

  private static void write(Units units, int first, int last) throws IOException {
    Pages pages = new Pages(first, last);
    int begin = (int) pages.begin();
    units
        .sparse()
        .write(ONE, pages, ByteBuffer.wrap(BYTES, begin, (int) pages.end(ONE) - begin).slice());
  }

  /** Reads a range, and compares what is there with the bytes of the unit. */
  private static @Nullable Absent read(Units units, int offset, int length) throws IOException {
    return compared(units, offset, length, true);
  }

  private static @Nullable Absent absent(Units units, int offset, int length) throws IOException {
    return compared(units, offset, length, false);
  }

  private static @Nullable Absent compared(Units units, int offset, int length, boolean compare)
      throws IOException {
    ByteBuffer into = ByteBuffer.allocate(length);
    Absent absent = units.sparse().read(ONE, into, offset, false).orElse(null);
    byte[] expected = Arrays.copyOfRange(BYTES, offset, offset + length);
    byte[] found = into.array().clone();
    if (absent != null) {
      int from = (int) Math.max(0, absent.pages().begin() - offset);
      int to = (int) Math.min(length, absent.pages().end(ONE) - offset);
      Arrays.fill(expected, from, to, (byte) 0);
      Arrays.fill(found, from, to, (byte) 0);
    }
    if (compare) {
      assertThat(Arrays.equals(found, expected)).as("bytes from %d on", offset).isTrue();
    }
    return absent;
  }

  private static String path() {
    return Extents.path(ONE.sparseId());
  }

  private static long place(int page) {
    return 4096 + PAGE + (long) page * PAGE;
  }

  private void sync() throws IOException {
    try (DiskFile file = disk.open(path())) {
      file.sync();
    }
    disk.syncDirectory(path().substring(0, path().lastIndexOf('/')));
  }

  private static Unit unit(String key) {
    return new Unit(new ObjectName(new BucketId(1), ObjectKey.of(key)), "etag", "", SIZE, 0);
  }
}
