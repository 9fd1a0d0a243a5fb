package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.OpenFiles;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Residents;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of one disk of which only some pages are there, because their objects are read in small
 * pieces. A unit is one file with holes, so what holds for files of whole units (names, room, a
 * removal under a reader) holds for them too; and neighbouring pages stay neighbours.
 *
 * <p>Single pages leave, too: a hand goes round over the units and takes the pages that nobody has
 * asked for since it came by last (CLOCK).
 */
public final class SparseUnits {
  private static final Logger LOG = LoggerFactory.getLogger(SparseUnits.class);

  /** A look through a unit costs more than one page: so many bytes leave at least. */
  private static final long TRIMMED_BYTES_MIN = 256 << 10;

  /** At how many units one call looks, while its reader waits. */
  private static final int LOOKS_MAX = 64;

  private final Disk disk;
  private final Residents residents;
  private final OpenFiles files;
  private final LongAdder freed;

  /** The units that are open: never two of one file, so that one of them knows all its pages. */
  private final ConcurrentHashMap<Long, SparseUnit> open = new ConcurrentHashMap<>();

  /** Held while a file is opened, created or removed. */
  private final ReentrantLock opening = new ReentrantLock();

  private final ReentrantLock trimming = new ReentrantLock();

  /** The ids over which the hand goes; some may be gone. */
  private final Queue<Long> round = new ConcurrentLinkedQueue<>();

  private final Set<Long> inRound = ConcurrentHashMap.newKeySet();

  SparseUnits(Disk disk, Residents residents, int openMax, LongAdder freed) {
    this.disk = disk;
    this.residents = residents;
    this.freed = freed;
    this.files = new OpenFiles(disk, Extents::path, openMax, this::wrap);
  }

  /** The bytes that a new file with so many pages of a unit takes on the disk. */
  public static int fileBytes(Unit unit, int pages) {
    return SparseUnit.diskBytes(unit, pages);
  }

  /** Counts a unit that was found on the disk; blocks. */
  void addFound(long id) {
    String path = Extents.path(id);
    try (DiskFile file = disk.open(path)) {
      SparseUnit.Found found = SparseUnit.find(file, path);
      residents.add(id, found.diskBytes(), found.unit().object());
      addToRound(id);
    } catch (UnreadableFormatException | EOFException e) {
      LOG.info("A cached unit is damaged, and is dropped: {}", e.getMessage());
      remove(id);
    } catch (IOException e) {
      LOG.warn("A cached unit could not be read; the next sweep tries again", e);
    }
  }

  private OpenFile wrap(DiskFile file, long id) throws IOException {
    SparseUnit known = open.get(id);
    if (known != null && known.tryHold()) {
      file.close();
      return known;
    }
    SparseUnit opened = SparseUnit.open(file, Extents.path(id), disk.boot());
    open.put(id, opened);
    opened.whenClosed(() -> open.remove(id, opened));
    isResized(opened, id); // Pages that did not survive a loss of power do not count.
    return opened;
  }

  /** The open file of an id; the caller releases it. Blocks. */
  private SparseUnit open(long id) throws IOException {
    if (files.holdNow(id) instanceof SparseUnit present) {
      return present;
    }
    opening.lock();
    try {
      return (SparseUnit) files.hold(id);
    } catch (NoSuchFileException e) {
      residents.remove(id); // Nobody creates it now.
      throw e;
    } catch (UnreadableFormatException | EOFException e) {
      LOG.info("A cached unit is damaged, and is dropped: {}", e.getMessage());
      remove(id);
      throw new NoSuchFileException(Extents.path(id), null, e.getMessage());
    } finally {
      opening.unlock();
    }
  }

  private @Nullable SparseUnit holdNow(Unit unit) {
    if (!(files.holdNow(unit.sparseId()) instanceof SparseUnit present)) {
      return null;
    }
    if (present.isOf(unit)) {
      return present;
    }
    present.release();
    return null;
  }

  /** The open file of a unit, which the caller releases; null if it is absent. Blocks. */
  private @Nullable SparseUnit hold(Unit unit) throws IOException {
    long id = unit.sparseId();
    if (!residents.isResident(id) && !disk.exists(Extents.path(id))) {
      return null;
    }
    try {
      SparseUnit found = open(id);
      if (found.isOf(unit)) {
        return found;
      }
      found.release(); // Another unit has the same id.
    } catch (NoSuchFileException e) {
      LOG.trace("{} was removed meanwhile", unit, e);
    }
    return null;
  }

  private interface Use<T> {
    T of(SparseUnit unit) throws IOException;
  }

  /** Uses a file that is held, if there is one, and releases it. */
  private static <T> T using(@Nullable SparseUnit held, T otherwise, Use<T> use)
      throws IOException {
    if (held == null) {
      return otherwise;
    }
    try {
      return use.of(held);
    } finally {
      held.release();
    }
  }

  /** Whether all bytes of a range of a unit are in an open file; never blocks. */
  public boolean hasNow(Unit unit, long offset, long length) throws IOException {
    return using(holdNow(unit), false, present -> present.hasNow(offset, length));
  }

  /** Whether all bytes of a range of a unit are here; blocks. */
  public boolean has(Unit unit, long offset, long length) throws IOException {
    return using(hold(unit), false, present -> present.hasNow(offset, length));
  }

  /**
   * Fills the buffer, which must be direct, from this offset of a unit on; never blocks.
   *
   * @return false if that is not possible; the content of the buffer is undefined then
   */
  public boolean readNow(Unit unit, ByteBuffer destination, long offset) throws IOException {
    return using(holdNow(unit), false, present -> present.readNow(destination, offset));
  }

  /**
   * Fills the buffer from this offset of a unit on, as far as its pages are here; blocks.
   *
   * @param verify whether to compare the checksums: pages that are damaged are removed
   * @return the pages to get elsewhere, whose bytes are not filled; empty if none
   */
  public Optional<Absent> read(Unit unit, ByteBuffer destination, long offset, boolean verify)
      throws IOException {
    Absent all = new Absent(Pages.of(offset, destination.remaining()), false);
    return using(
        hold(unit),
        Optional.of(all),
        present -> Optional.ofNullable(present.read(destination, offset, verify)));
  }

  /**
   * Pages that a reader did not find.
   *
   * @param askedBefore whether one of them was asked for before, not long ago
   */
  public record Absent(Pages pages, boolean askedBefore) {}

  /**
   * A reader asks for pages that it has got elsewhere; blocks.
   *
   * @return whether an absent one was asked for before, not long ago
   */
  public boolean ask(Unit unit, Pages pages) throws IOException {
    return using(hold(unit), false, present -> present.ask(pages));
  }

  /**
   * Keeps pages of a unit; blocks.
   *
   * @param bytes of all these pages
   * @return the bytes that this takes on the disk
   */
  public int write(Unit unit, Pages pages, ByteBuffer bytes) throws IOException {
    SparseUnit into = hold(unit);
    int created = 0;
    if (into == null) {
      into = create(unit);
      created = into.diskBytes();
    }
    try {
      int added = into.write(pages, bytes);
      if (!isResized(into, unit.sparseId())) {
        freed.add(added); // It is being evicted, with the size that it had.
      }
      return created + added;
    } finally {
      into.release();
    }
  }

  /** Records the size of a unit; false if it is not resident. */
  private boolean isResized(SparseUnit unit, long id) {
    synchronized (unit) {
      return unit.equals(open.get(id)) && residents.resize(id, unit.diskBytes());
    }
  }

  /** Creates the file of a unit, which replaces one of the same id. */
  private SparseUnit create(Unit unit) throws IOException {
    long id = unit.sparseId();
    opening.lock();
    try {
      SparseUnit meanwhile = hold(unit);
      if (meanwhile != null) {
        return meanwhile;
      }
      remove(id);
      String path = Extents.path(id);
      try (DiskFile file = disk.create(path)) {
        SparseUnit.format(file, unit, disk.boot());
      } catch (IOException e) {
        disk.delete(path);
        throw e;
      }
      SparseUnit created = (SparseUnit) files.hold(id);
      residents.add(id, created.diskBytes(), unit.object());
      addToRound(id);
      return created;
    } finally {
      opening.unlock();
    }
  }

  /**
   * Removes pages that have not been asked for lately, of at least so many bytes, if it soon finds
   * such and no other call looks for them; blocks.
   *
   * @return the bytes that are free now
   */
  public long trim(long bytes) {
    if (!trimming.tryLock()) {
      return 0;
    }
    try {
      long wanted = Math.max(bytes, TRIMMED_BYTES_MIN);
      long trimmed = 0;
      int looksMax = Math.min(LOOKS_MAX, inRound.size());
      for (int looks = 0; looks < looksMax && trimmed < wanted; looks++) {
        Long id = round.poll();
        if (id == null) {
          return trimmed;
        }
        inRound.remove(id);
        trimmed += trimOne(id);
      }
      return trimmed;
    } finally {
      trimming.unlock();
    }
  }

  private long trimOne(long id) {
    if (!residents.isResident(id)) {
      return 0; // Gone, or about to be.
    }
    if (residents.isPinned(id)) {
      addToRound(id);
      return 0;
    }
    try {
      SparseUnit unit = open(id);
      try {
        int before = unit.diskBytes();
        if (!unit.trim() || unit.isEmpty()) {
          return remove(id, residents.remove(id, Leaving.FOR_BETTER));
        }
        int after = unit.diskBytes();
        addToRound(id);
        if (before == after || !isResized(unit, id)) {
          return 0;
        }
        residents.leftInPart(id, (long) before - after, Leaving.FOR_BETTER);
        freed.add((long) before - after);
        return (long) before - after;
      } finally {
        unit.release();
      }
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      LOG.warn("A cached unit could not be trimmed; it is removed", e);
      return remove(id);
    }
  }

  /** The bytes of a unit that were verified, and whether all of them were whole. */
  public record Verified(int bytes, boolean whole) {}

  /** Verifies the pages of a unit that are here, and removes damaged ones; blocks. */
  public Verified verify(Unit unit) throws IOException {
    return using(
        hold(unit),
        new Verified(0, true),
        present -> {
          int before = present.diskBytes();
          boolean whole = present.verify();
          int after = present.diskBytes();
          if (after < before && isResized(present, unit.sparseId())) {
            freed.add((long) before - after);
          }
          return new Verified(before, whole);
        });
  }

  private void addToRound(long id) {
    if (inRound.add(id)) {
      round.add(id);
    }
  }

  /** Removes the file of an id, if it is there; returns the bytes that this frees. */
  int remove(long id) {
    return remove(id, residents.remove(id));
  }

  /** Removes the file of an id, because a whole unit has its bytes. */
  void replaced(long id) {
    remove(id, residents.replaced(id));
  }

  private int remove(long id, int bytes) {
    try {
      evict(id, bytes);
    } catch (IOException e) {
      LOG.warn("{} could not be removed; the next sweep tries again", Extents.path(id), e);
    }
    return bytes;
  }

  /** Removes the file of a unit that is not in the table any more. */
  void evict(long id, int bytes) throws IOException {
    opening.lock();
    try {
      if (residents.isResident(id)) {
        return; // Another file of this id has been created.
      }
      disk.delete(Extents.path(id));
      SparseUnit removed = open.remove(id);
      files.forget(id);
      freed.add(bytes);
      if (removed != null) {
        removed.gone();
      }
    } finally {
      opening.unlock();
    }
  }

  /** Closes all files that no reader uses. */
  void close() {
    files.forgetAll();
  }
}
