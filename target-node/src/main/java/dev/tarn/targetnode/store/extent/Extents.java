package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.OpenFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extents of one disk: one file each, in one of 256 directories.
 *
 * <p>An extent's file and name are on the device before the record that names it is acknowledged as
 * durable. An extent is synced when it is finished, or, if that was not requested, before the next
 * sync of the log. A crash may leave a file that no record names; the sweep removes it.
 *
 * <p>Ids are random and never used again. A record that was thought dead must not find another
 * object's bytes.
 */
public final class Extents {
  /** The offset of an extent's bytes in its file. */
  public static final long DATA_OFFSET = ExtentFooter.DATA_OFFSET;

  private static final Logger LOG = LoggerFactory.getLogger(Extents.class);
  private static final String DIRECTORY = "extents";
  private static final String MAGIC = "TARNEXT1";

  private final Disk disk;
  private final OpenFiles files;
  private final ExtentPins pins = new ExtentPins();
  private final Set<Long> underway = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<Long, Long> unsynced = new ConcurrentHashMap<>();
  private final AtomicLong unsyncedBytes = new AtomicLong();

  /**
   * The extents of this disk.
   *
   * @param openMax how many files are kept open for reading
   */
  public Extents(Disk disk, int openMax) {
    this.disk = disk;
    this.files = new OpenFiles(disk, Extents::path, openMax);
  }

  /** Creates the directories. */
  public static void format(Disk disk) throws IOException {
    disk.createDirectory(DIRECTORY);
    for (int i = 0; i < 256; i++) {
      disk.createDirectory(DIRECTORY + "/" + hex(i));
    }
    disk.syncDirectory(DIRECTORY);
  }

  /** Begins an extent; blocks. */
  public ExtentWriter create() throws IOException {
    while (true) {
      long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
      if (!underway.add(id)) {
        continue;
      }
      try {
        return begin(id);
      } catch (FileAlreadyExistsException e) {
        underway.remove(id);
      } catch (IOException e) {
        underway.remove(id);
        throw e;
      }
    }
  }

  private ExtentWriter begin(long id) throws IOException {
    DiskFile file = disk.create(path(id));
    try {
      file.write(FormatHeader.of(MAGIC, id, 0).encode(), 0);
    } catch (IOException e) {
      close(file, id);
      remove(id);
      throw e;
    }
    return new ExtentWriter(this, id, file);
  }

  /** The extent's file if it is already open; the caller releases it. */
  public @Nullable OpenFile holdNow(long id) {
    return files.holdNow(id);
  }

  /** The extent's file; the caller releases it. Blocks. */
  public OpenFile hold(long id) throws IOException {
    return files.hold(id);
  }

  /** Whether the extent exists. */
  public boolean exists(long id) throws IOException {
    return disk.exists(path(id));
  }

  /** Makes all extents durable that were finished without a sync; blocks. */
  public void syncUnsynced() throws IOException {
    List<Long> ids = List.copyOf(unsynced.keySet());
    sync(ids);
    ids.forEach(this::forgetUnsynced);
  }

  /** The number of bytes in extents that were finished without a sync. */
  public long unsyncedBytes() {
    return unsyncedBytes.get();
  }

  /**
   * Makes these extents durable; blocks. Skips an extent that does not exist: no record names it
   * now.
   */
  public void sync(Collection<Long> ids) throws IOException {
    Set<String> directories = new HashSet<>();
    for (long id : ids) {
      try {
        OpenFile open = files.hold(id);
        try {
          open.file().sync();
        } finally {
          open.release();
        }
        directories.add(directory(id));
      } catch (NoSuchFileException e) {
        LOG.debug("{} was removed before it was synced", path(id), e);
      }
    }
    for (String directory : directories) {
      disk.syncDirectory(directory);
    }
  }

  /**
   * A reader that verifies every block it reads; blocks.
   *
   * @param tableCrc the CRC32C of the checksum table that the record names
   */
  public VerifiedExtent openVerified(long id, int tableCrc) throws IOException {
    OpenFile open = files.hold(id);
    try {
      return VerifiedExtent.open(open, path(id), MAGIC, tableCrc);
    } catch (IOException | OutOfMemoryError e) {
      open.release();
      throw e;
    }
  }

  /** Removes an extent that no record names. Readers that have it open or pinned continue. */
  public void remove(long id) {
    forgetUnsynced(id);
    if (!pins.mayRemove(id)) {
      return;
    }
    try {
      disk.delete(path(id));
      files.forget(id);
    } catch (IOException e) {
      LOG.warn("{} could not be removed; the next sweep tries again", path(id), e);
    } finally {
      pins.removed(id);
    }
  }

  /**
   * Pins extents without opening them, so that they are not removed before {@link #unpin}; blocks.
   *
   * @throws NoSuchFileException if one does not exist; then none is pinned
   */
  public void pin(Set<Long> ids) throws IOException {
    if (!pins.pin(ids)) {
      throw new NoSuchFileException("an extent that was removed meanwhile");
    }
    boolean there = false;
    try {
      for (long id : ids) {
        if (!exists(id)) {
          throw new NoSuchFileException(path(id));
        }
      }
      there = true;
    } finally {
      if (!there) {
        unpin(ids);
      }
    }
  }

  /** Unpins extents, and removes those whose removal was waiting for this. */
  public void unpin(Set<Long> ids) {
    pins.unpin(ids).forEach(this::remove);
  }

  /** Whether the extent is still being written or committed. */
  public boolean isUnderway(long id) {
    return underway.contains(id);
  }

  /** All extents in one of the 256 directories. */
  public List<Long> list(int directory) throws IOException {
    return ids(disk, directory).filter(id -> id > 0).toList();
  }

  /** The ids of the files in one of the 256 directories: of extents, and negative ones of units. */
  static Stream<Long> ids(Disk disk, int directory) throws IOException {
    return disk.list(DIRECTORY + "/" + hex(directory)).stream()
        .filter(name -> name.matches("[0-9a-f]{16}\\.extent"))
        .map(name -> Long.parseUnsignedLong(name, 0, 16, 16));
  }

  /** Closes all files that no reader uses. */
  public void close() {
    files.forgetAll();
  }

  void syncDirectoryOf(long id) throws IOException {
    disk.syncDirectory(directory(id));
  }

  void leftUnsynced(long id, long bytes) {
    unsynced.put(id, bytes);
    unsyncedBytes.addAndGet(bytes);
  }

  private void forgetUnsynced(long id) {
    Long bytes = unsynced.remove(id);
    if (bytes != null) {
      unsyncedBytes.addAndGet(-bytes);
    }
  }

  void landed(long id) {
    underway.remove(id);
  }

  void close(DiskFile file, long id) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("{} could not be closed after writing", path(id), e);
    }
  }

  /** The path of an extent, or of a unit, below the disk's root. */
  public static String path(long id) {
    return directory(id) + "/" + HexFormat.of().toHexDigits(id) + ".extent";
  }

  private static String directory(long id) {
    return DIRECTORY + "/" + hex((int) (id & 0xFF));
  }

  private static String hex(int directory) {
    return HexFormat.of().toHexDigits((byte) directory);
  }
}
