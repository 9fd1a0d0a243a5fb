package dev.tarn.targetnode.store.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.fixtures.Rounds;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.extent.Pages;
import dev.tarn.targetnode.store.extent.SparseUnits;
import dev.tarn.targetnode.store.extent.UnitWriter;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.LogSettings;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Lru;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The room of a small disk under many random steps of writes, fetches, reads and removals. Each
 * life of the store ends well, by a kill, or by a loss of power.
 */
final class RoomModelTest {
  private static final int LIVES = Rounds.of(50);
  private static final int LIVES_MAX = 4 * LIVES;
  private static final int STEPS_OF_A_LIFE = 5000;
  private static final int STEPS_UNTIL_MEASURED = 50;
  private static final int CAPACITY = 4 << 20;
  private static final int RESERVE = 128 << 10;
  private static final int CACHE_BYTES_MAX = 3 << 20;
  private static final int AT_ONCE_MAX = 4;
  private static final int PRIMARY_BYTES_MAX = 200_000;
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int UNITS = 400;

  private final Random random = new Random(5);
  private SimulatedDisk disk;
  private int now;
  private int primaries;
  private int writesRefused;
  private int fetchesDisplacing;
  private int kills;
  private int pageReadsThere;

  RoomModelTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    disk.setCapacity(CAPACITY);
    Extents.format(disk);
    Log.format(disk);
    disk.createDirectory("primary");
    disk.createDirectory("extents/partial");
    disk.syncDirectory("extents");
    disk.syncDirectory("");
  }

  @Test
  void tableAndAccountingAreThoseOfAWalkOfTheDisk() throws IOException {
    for (int i = 0; i < LIVES || (i < LIVES_MAX && !hasSeenEnough()); i++) {
      Life life = new Life();
      life.assertTableIsThatOfTheDisk();
      life.repair();
      if (random.nextBoolean()) {
        disk.cutPowerAfter(random.nextInt(3000));
      }
      try {
        life.live();
      } catch (IOException e) {
        if (!disk.isDead()) {
          throw e;
        }
      }
      life.evictor.close();
      if (disk.isDead()) {
        kills++;
      } else {
        life.assertAccountingIsThatOfTheDisk();
      }
      disk = random.nextInt(3) == 0 ? disk.afterPowerCut(random) : disk.afterKill();
    }

    assertThat(hasSeenEnough())
        .as(
            "%d kills, %d writes refused, %d fetches displacing others, %d reads of pages there",
            kills, writesRefused, fetchesDisplacing, pageReadsThere)
        .isTrue();
  }

  /** How much happens in a life depends on the evictor's thread too. */
  private boolean hasSeenEnough() {
    return kills > 10 && writesRefused > 1000 && fetchesDisplacing > 1000 && pageReadsThere > 100;
  }

  /** A primary write under way. */
  private record Writing(Room.Promise promise, DiskFile file, long length) {}

  /** A fetch under way. */
  private record Fetching(CacheRoom.Admission admission, UnitWriter writer, Unit unit) {}

  /** From one start to its end. */
  private final class Life {
    private final Residents residents = new Residents(new Lru(), () -> now, random.nextLong());
    private final Units units = new Units(disk, residents, 10);
    private final CachedRecords cachedRecords =
        new CachedRecords(residents, Log.open(disk, LogSettings.DEFAULT, () -> {}), 0.15);
    private final Room room =
        new Room(
            disk, units, residents, cachedRecords, RESERVE, CACHE_BYTES_MAX, Watermarks.DEFAULT);

    /** In half of the lives only writers make room. */
    private final boolean keepsHeadroom = random.nextBoolean();

    private final Evictor evictor =
        new Evictor(disk, room, units, residents, cachedRecords, () -> keepsHeadroom);
    private final CacheRoom cacheRoom = new CacheRoom(room, evictor, residents);

    /** The fewer primary objects are deleted, the less room is left to the cache. */
    private final int deletesOneIn = 1 + random.nextInt(5);

    /** With few references, fetches displace too little for the writes. */
    private final int referencesOneIn = random.nextBoolean() ? 1 : 30;

    private final List<Writing> writing = new ArrayList<>();
    private final List<Fetching> fetching = new ArrayList<>();
    private final List<OpenFile> readers = new ArrayList<>();

    Life() throws IOException {}

    /** After a loss of power, units may be torn, and deleted files may be back. */
    private void repair() throws IOException {
      for (int i = 0; i < UNITS; i++) {
        hold(unit(i)).ifPresent(OpenFile::release);
        units.sparse().verify(unit(i));
      }
      room.measure();
      evictor.makeRoom(1);
      while (room.freeBytes() <= 0) {
        disk.delete(disk.files("primary/").getFirst());
        room.measure();
      }
    }

    private void live() throws IOException {
      for (int i = 0; i < STEPS_OF_A_LIFE; i++) {
        now += random.nextInt(3);
        if (i % STEPS_UNTIL_MEASURED == 0) {
          room.measure();
        }
        step();
        assertThat(room.promisedBytes()).isNotNegative();
      }
      List.copyOf(fetching).forEach(this::end);
      writing.forEach(one -> one.promise.close());
      readers.forEach(OpenFile::release);
      units.close();
    }

    private void step() throws IOException {
      switch (random.nextInt(16)) {
        case 0 -> beginWrite();
        case 1, 2 -> write();
        case 3 -> deletePrimary();
        case 4 -> units.remove(anyUnit());
        case 5 -> beginRead();
        case 6 -> endRead();
        case 7, 8, 9 -> fetch();
        case 10 -> fetchPages();
        default -> reference();
      }
    }

    private void reference() throws IOException {
      if (random.nextInt(referencesOneIn) > 0) {
        return;
      }
      Unit unit = anyUnit();
      Reference reference = units.referenced(unit);
      if (reference == Reference.RESIDENT || fetching.size() == AT_ONCE_MAX) {
        return;
      }
      long evictable = room.evictableBytes();
      Optional<CacheRoom.Admission> admitted = cacheRoom.admit(unit, reference);
      if (admitted.isEmpty()) {
        return;
      }
      CacheRoom.Admission admission = admitted.orElseThrow();
      if (random.nextInt(10) == 0) {
        admission.close(); // The backend gave no answer.
        return;
      }
      admission.begin();
      fetchesDisplacing += room.evictableBytes() < evictable ? 1 : 0;
      fetching.add(new Fetching(admission, units.create(), unit));
    }

    private void fetch() throws IOException {
      if (fetching.isEmpty()) {
        return;
      }
      Fetching one = fetching.get(random.nextInt(fetching.size()));
      long left = one.unit.length() - one.writer.length();
      if (left > 0 && random.nextInt(20) > 0) {
        int count = (int) Math.min(left, CHUNK_BYTES);
        one.writer.write(ByteBuffer.allocate(count));
        one.admission.written(count);
        return;
      }
      if (left == 0) {
        one.writer.publish(one.unit);
      }
      end(one);
    }

    /** A reader wants a short range of a unit. */
    private void fetchPages() throws IOException {
      Unit unit = anyUnit();
      int offset = random.nextInt((int) unit.length() - 100);
      units.referencedPages(unit);
      Optional<SparseUnits.Absent> absent =
          units.sparse().read(unit, ByteBuffer.allocate(100), offset, random.nextBoolean());
      if (absent.isEmpty()) {
        pageReadsThere++;
        return;
      }
      Pages pages = absent.orElseThrow().pages();
      Optional<CacheRoom.Admission> admitted =
          cacheRoom.admitPages(unit, pages.count(), absent.orElseThrow().askedBefore());
      if (admitted.isPresent()) {
        try (CacheRoom.Admission admission = admitted.orElseThrow()) {
          admission.begin();
          int length = (int) (pages.end(unit) - pages.begin());
          admission.written(units.sparse().write(unit, pages, ByteBuffer.allocate(length)));
        }
      }
    }

    private void end(Fetching one) {
      fetching.remove(one);
      one.writer.abandon();
      one.admission.close();
    }

    private void beginWrite() throws IOException {
      if (writing.size() == AT_ONCE_MAX) {
        return;
      }
      long length = 1L + random.nextInt(PRIMARY_BYTES_MAX);
      Optional<Room.Promise> promise = room.promise(length);
      if (promise.isEmpty()) {
        writesRefused++;
        return;
      }
      DiskFile file = disk.create("primary/" + primaries++);
      writing.add(new Writing(promise.orElseThrow(), file, length));
    }

    /** What was promised fits. */
    private void write() throws IOException {
      if (writing.isEmpty()) {
        return;
      }
      Writing one = writing.get(random.nextInt(writing.size()));
      long left = one.length - one.file.length();
      if (left > 0 && random.nextInt(20) > 0) {
        int count = (int) Math.min(left, CHUNK_BYTES);
        evictor.makeRoom(count);
        one.file.write(ByteBuffer.allocate(count), one.file.length());
        one.promise.written(count);
        return;
      }
      writing.remove(one);
      one.promise.close();
    }

    private List<String> unitPaths() {
      return disk.files("extents/").stream().filter(path -> path.endsWith(".extent")).toList();
    }

    private long sparseBytes() {
      return unitPaths().stream()
          .filter(path -> Unit.isSparse(idAt(path)))
          .mapToLong(path -> (disk.usedBytes(path) + Pages.BYTES - 1) / Pages.BYTES * Pages.BYTES)
          .sum();
    }

    private static long idAt(String path) {
      return Long.parseUnsignedLong(path, path.lastIndexOf('/') + 1, path.lastIndexOf('.'), 16);
    }

    private void deletePrimary() throws IOException {
      List<String> names = disk.files("primary/");
      if (!names.isEmpty() && random.nextInt(deletesOneIn) == 0) {
        disk.delete(names.get(random.nextInt(names.size())));
      }
    }

    private void beginRead() throws IOException {
      if (readers.size() < AT_ONCE_MAX) {
        hold(anyUnit()).ifPresent(readers::add);
      }
    }

    private Optional<OpenFile> hold(Unit unit) throws IOException {
      try {
        return Optional.of(units.hold(unit));
      } catch (NoSuchFileException absent) {
        return Optional.empty();
      }
    }

    private void endRead() {
      if (!readers.isEmpty()) {
        readers.remove(random.nextInt(readers.size())).release();
      }
    }

    private Unit anyUnit() {
      return unit(random.nextInt(UNITS));
    }

    private Unit unit(int number) {
      ObjectName name = new ObjectName(new BucketId(1), ObjectKey.of("object" + number));
      return new Unit(name, "etag", "", 5000 + number * 7919L % 90_000, 0);
    }

    private void assertAccountingIsThatOfTheDisk() throws IOException {
      assertTableIsThatOfTheDisk();
      assertThat(room.promisedBytes()).isZero();
      assertThat(room.leavingBytes()).isZero();
      room.measure();
      assertThat(room.freeBytes()).isEqualTo(CAPACITY - RESERVE - disk.usedBytes());
    }

    private void assertTableIsThatOfTheDisk() {
      Set<Long> there = unitPaths().stream().map(Life::idAt).collect(Collectors.toSet());
      assertThat(disk.files("extents/partial")).isEmpty();
      assertThat(residents.count()).isEqualTo(there.size());
      assertThat(there).allMatch(residents::isResident);
      long whole = there.stream().filter(id -> !Unit.isSparse(id)).mapToLong(Unit::fileBytes).sum();
      // A kill may leave pages that the table of their file does not have.
      assertThat(room.evictableBytes() - whole).isBetween(0L, sparseBytes());
    }
  }
}
