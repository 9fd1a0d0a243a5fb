package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.OpenFiles;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of cached objects on one disk: one file each, among those of the extents.
 *
 * <p>No log record says that a unit is there: its file does. A unit that is missing is absent, and
 * the backend has its bytes. So a unit may be removed at any time, and nothing is ever synced. A
 * file is written under a temporary name and gets its own when it is whole. A loss of power may
 * still leave it short or without its bytes. Units that were written under another boot are
 * therefore verified whole when they are first opened.
 */
public final class Units {
  private static final Logger LOG = LoggerFactory.getLogger(Units.class);
  private static final String TEMPORARY = "extents/partial";
  private static final int DIRECTORIES = 256;

  /** A file of which some pages are read has fewer bytes than that of a whole unit. */
  private static final int OPEN_SPARSE_PARTS = 4;

  private final Disk disk;
  private final Residents residents;
  private final OpenFiles files;
  private final SparseUnits sparse;
  private final LongAdder freed = new LongAdder();
  private final LongAdder leaving = new LongAdder();
  private final AtomicLong temporaries = new AtomicLong(System.nanoTime());
  private final ReentrantLock verifying = new ReentrantLock();
  private @Nullable ByteBuffer block;

  /**
   * The units of this disk; removes those that nobody finished. Blocks.
   *
   * @param residents gets all that are there, and follows each change
   * @param openMax how many files are kept open for reading
   */
  public Units(Disk disk, Residents residents, int openMax) throws IOException {
    this.disk = disk;
    this.residents = residents;
    this.files = new OpenFiles(disk, Extents::path, openMax, this::open);
    this.sparse = new SparseUnits(disk, residents, OPEN_SPARSE_PARTS * openMax, freed);
    try {
      disk.createDirectory(TEMPORARY);
      for (String name : disk.list(TEMPORARY)) {
        disk.delete(TEMPORARY + "/" + name);
      }
    } catch (IOException e) {
      LOG.warn("{} could not be emptied; the next start tries again", TEMPORARY, e);
    }
    for (int directory = 0; directory < DIRECTORIES; directory++) {
      for (long id : list(directory)) {
        if (Unit.isSparse(id)) {
          sparse.addFound(id);
        } else if (Unit.fileBytes(id) > 0) { // Otherwise the sweep removes it.
          residents.addFound(id, Unit.fileBytes(id));
        }
      }
    }
  }

  /** The units of which only some pages are here. */
  public SparseUnits sparse() {
    return sparse;
  }

  /** The id of the file that has a whole unit. */
  public static long idOf(Unit unit) {
    return unit.id(ExtentFooter.fileBytes(unit.length()));
  }

  /** About how many bytes the units of an object of this size take on the disk. */
  public static long fileBytes(long sizeBytes) {
    long overhead = ExtentFooter.fileBytes(Unit.BYTES) - Unit.BYTES;
    return sizeBytes + Unit.count(sizeBytes) * overhead;
  }

  /** A reader wants a unit, whether it is there or not. */
  public Reference referenced(Unit unit) {
    return residents.reference(idOf(unit), unit.object());
  }

  /** A reader wants pages of a unit, whether they are there or not. */
  public void referencedPages(Unit unit) {
    residents.reference(unit.sparseId(), unit.object());
  }

  private OpenUnit open(DiskFile file, long id) throws IOException {
    String path = Extents.path(id);
    UnitHeader header = UnitHeader.read(file, path);
    if (file.length() != ExtentFooter.fileBytes(header.unit().length())) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED, path + " has " + file.length() + " bytes");
    }
    return new OpenUnit(file, header, disk.boot());
  }

  /** A unit was written before anybody has read it. */
  public void written(Unit unit) {
    residents.written(idOf(unit), unit.object());
  }

  /** The unit's file if it is open and may be trusted; the caller releases it. Never blocks. */
  public @Nullable OpenFile holdNow(Unit unit) {
    if (!(files.holdNow(idOf(unit)) instanceof OpenUnit open)) {
      return null;
    }
    if (open.isOf(unit) && open.isTrusted()) {
      return open;
    }
    open.release();
    return null;
  }

  /**
   * The unit's file; the caller releases it. Blocks.
   *
   * @throws NoSuchFileException if the unit is absent
   */
  public OpenFile hold(Unit unit) throws IOException {
    OpenUnit open = open(unit);
    boolean done = false;
    try {
      if (!verify(open, Extents.path(idOf(unit)))) {
        throw notWhole(unit, "its bytes are not those that were written");
      }
      done = true;
      return open;
    } finally {
      if (!done) {
        open.release();
      }
    }
  }

  /**
   * As {@link #hold}, but reads no bytes: null if they have to be verified first.
   *
   * @throws NoSuchFileException if the unit is absent
   */
  public @Nullable OpenFile holdTrusted(Unit unit) throws IOException {
    OpenUnit open = open(unit);
    if (open.isTrusted()) {
      return open;
    }
    open.release();
    return null;
  }

  private OpenUnit open(Unit unit) throws IOException {
    OpenUnit open;
    try {
      open = (OpenUnit) files.hold(idOf(unit));
    } catch (UnreadableFormatException | EOFException e) {
      throw notWhole(unit, e.getMessage());
    }
    if (!open.isOf(unit)) {
      open.release();
      throw new NoSuchFileException(
          Extents.path(idOf(unit)), null, "the file has the bytes of another unit");
    }
    return open;
  }

  /** Verifies one unit at a time, so that many readers after a boot need memory for one block. */
  private boolean verify(OpenUnit open, String path) throws IOException {
    if (open.isTrusted()) {
      return true;
    }
    verifying.lock();
    try {
      ByteBuffer present = block;
      if (present == null) {
        present = ByteBuffer.allocateDirect(VerifiedExtent.BLOCK_BYTES);
        block = present;
      }
      return open.verify(path, disk.boot(), present);
    } finally {
      verifying.unlock();
    }
  }

  private NoSuchFileException notWhole(Unit unit, @Nullable String why) {
    LOG.info("The cached {} is damaged or not whole, and is dropped: {}", unit, why);
    remove(unit);
    return new NoSuchFileException(Extents.path(idOf(unit)), null, why);
  }

  /**
   * A reader that verifies every block it reads; blocks.
   *
   * @throws NoSuchFileException if the unit is absent
   */
  public VerifiedExtent openVerified(Unit unit) throws IOException {
    OpenFile open = hold(unit);
    boolean done = false;
    try {
      VerifiedExtent verified = VerifiedExtent.ofUnit(open, Extents.path(idOf(unit)));
      done = true;
      return verified;
    } finally {
      if (!done) {
        open.release();
      }
    }
  }

  /** Whether a header has room for the unit's names; only such a unit may be written. */
  public static boolean isNameable(Unit unit) {
    return new UnitHeader(unit, "x".repeat(Disk.BOOT_LENGTH_MAX)).fits();
  }

  /** Begins a unit; blocks. */
  public UnitWriter create() throws IOException {
    String path = TEMPORARY + "/" + temporaries.incrementAndGet();
    return new UnitWriter(this, path, new OpenFile(disk.create(path)));
  }

  /** Gives a written file, which is closed, the unit's name. */
  void publish(String temporary, Unit unit) throws IOException {
    try (DiskFile file = disk.open(temporary)) {
      publish(temporary, file, unit);
    }
  }

  /** Gives a written file the unit's name. */
  void publish(String temporary, DiskFile written, Unit unit) throws IOException {
    written.write(new UnitHeader(unit, disk.boot()).encode(), 0);
    long id = idOf(unit);
    String path = Extents.path(id);
    disk.rename(temporary, path);
    files.forget(id);
    residents.add(id, Unit.fileBytes(id), unit.object());
    if (residents.isResident(unit.sparseId())) {
      sparse.replaced(unit.sparseId());
    }
  }

  void discard(String temporary) {
    try {
      disk.delete(temporary);
    } catch (IOException e) {
      LOG.warn("{} could not be removed; the next start tries again", temporary, e);
    }
  }

  /** Removes the units of an object that are on the disk; returns the number of their bytes. */
  public long remove(ObjectRecord object) {
    long removed = 0;
    if (object.isInUnits()) {
      int count = Unit.count(object.metadata().sizeBytes());
      for (int number = 0; number < count; number++) {
        removed += remove(object.unit(number));
      }
    }
    return removed;
  }

  /**
   * Removes a unit, or those of its pages that are here; readers that hold it continue. Returns the
   * number of its bytes, or 0 if it was absent or could not be removed.
   */
  public long remove(Unit unit) {
    long pageBytes = sparse.remove(unit.sparseId());
    return pageBytes + removeWhole(unit);
  }

  private long removeWhole(Unit unit) {
    long id = idOf(unit);
    String path = Extents.path(id);
    try {
      boolean present = disk.exists(path);
      if (present) {
        evict(id, Unit.fileBytes(id));
      }
      residents.remove(id);
      return present ? unit.length() : 0;
    } catch (IOException e) {
      LOG.warn("{} could not be removed; the next sweep tries again", path, e);
      return 0;
    }
  }

  /**
   * Removes the file of a unit. Its bytes are free when the last reader has closed it.
   *
   * @param bytes that it takes on the disk
   */
  public void evict(long id, int bytes) throws IOException {
    if (Unit.isSparse(id)) {
      sparse.evict(id, bytes);
      return;
    }
    OpenFile open = files.holdNow(id);
    try {
      disk.delete(Extents.path(id));
      if (open == null) {
        freed.add(bytes);
      } else if (open.whenClosed(() -> closedAfterRemoval(bytes))) {
        leaving.add(bytes);
      }
      files.forget(id);
    } finally {
      if (open != null) {
        open.release();
      }
    }
  }

  private void closedAfterRemoval(int bytes) {
    leaving.add(-bytes);
    freed.add(bytes);
  }

  /** The bytes that removed units have given back since the start. */
  public long freedBytes() {
    return freed.sum();
  }

  /** The bytes of removed units that readers still hold. */
  public long leavingBytes() {
    return leaving.sum();
  }

  /** The ids of all units in one of the 256 directories. */
  public List<Long> list(int directory) throws IOException {
    return Extents.ids(disk, directory).filter(id -> id < 0).toList();
  }

  /**
   * Reads which unit the file of this id is; empty if the file is gone, or if it was not whole and
   * has been removed.
   */
  public Optional<Unit> read(long id) throws IOException {
    String path = Extents.path(id);
    try (DiskFile file = disk.open(path)) {
      Unit unit = UnitHeader.read(file, path).unit();
      if (id == unit.sparseId()) {
        if (!residents.isResident(id)) {
          sparse.addFound(id);
        }
        return Optional.of(unit);
      }
      if (idOf(unit) == id) {
        residents.add(id, Unit.fileBytes(id), unit.object());
        residents.belongsTo(id, unit.object());
        return Optional.of(unit);
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (UnreadableFormatException | EOFException e) {
      LOG.info("A cached unit is not whole and is dropped: {}", e.getMessage());
    }
    int counted = residents.remove(id);
    evict(id, Unit.isSparse(id) ? counted : Unit.fileBytes(id));
    return Optional.empty();
  }

  /** Closes all files that no reader uses. */
  public void close() {
    files.forgetAll();
    sparse.close();
  }
}
