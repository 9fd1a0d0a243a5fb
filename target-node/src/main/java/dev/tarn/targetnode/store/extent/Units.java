package dev.tarn.targetnode.store.extent;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.OpenFiles;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
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

  private final Disk disk;
  private final OpenFiles files;
  private final UnitBytes bytes = new UnitBytes();
  private final AtomicLong temporaries = new AtomicLong(System.nanoTime());
  private final ReentrantLock verifying = new ReentrantLock();
  private @Nullable ByteBuffer block;

  /**
   * The units of this disk; removes those that nobody finished.
   *
   * @param openMax how many files are kept open for reading
   */
  public Units(Disk disk, int openMax) {
    this.disk = disk;
    this.files = new OpenFiles(disk, Extents::path, openMax, this::open);
    try {
      disk.createDirectory(TEMPORARY);
      for (String name : disk.list(TEMPORARY)) {
        disk.delete(TEMPORARY + "/" + name);
      }
    } catch (IOException e) {
      LOG.warn("{} could not be emptied; the next start tries again", TEMPORARY, e);
    }
  }

  private static long idOf(Unit unit) {
    return unit.id(ExtentFooter.fileBytes(unit.length()));
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
    boolean replaces = disk.exists(path);
    disk.rename(temporary, path);
    files.forget(id);
    if (!replaces) {
      bytes.add(unit.object().bucket(), unit.length());
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
   * Removes a unit; readers that hold it continue. Returns the number of its bytes, or 0 if it was
   * absent or could not be removed.
   */
  public long remove(Unit unit) {
    long id = idOf(unit);
    String path = Extents.path(id);
    try {
      boolean present = disk.exists(path);
      if (present) {
        disk.delete(path);
        bytes.add(unit.object().bucket(), -unit.length());
      }
      files.forget(id);
      return present ? unit.length() : 0;
    } catch (IOException e) {
      LOG.warn("{} could not be removed; the next sweep tries again", path, e);
      return 0;
    }
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
      if (idOf(unit) == id) {
        return Optional.of(unit);
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (UnreadableFormatException | EOFException e) {
      LOG.info("A cached unit is not whole and is dropped: {}", e.getMessage());
    }
    disk.delete(path);
    files.forget(id);
    return Optional.empty();
  }

  /** The bytes of all units of each bucket. */
  public Map<BucketId, Long> bytes() {
    return bytes.all();
  }

  /** Begins to count the bytes anew. */
  public UnitBytes.Count count() {
    return bytes.begin();
  }

  /** Closes all files that no reader uses. */
  public void close() {
    files.forgetAll();
  }
}
