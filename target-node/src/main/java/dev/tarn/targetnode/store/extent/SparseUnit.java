package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.Unit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open file of a unit that has only some of the unit's pages. The file begins with a {@link
 * UnitHeader} and a table with the CRC32C of each page that is present; the pages follow, each at
 * its place, with holes between them.
 *
 * <p>The bytes of a page are written before its checksum, and the checksum is removed before the
 * bytes. So a kill leaves each page whole or absent. A loss of power may leave anything: under
 * another boot all pages are verified when the file is opened.
 */
final class SparseUnit extends OpenFile {
  private static final Logger LOG = LoggerFactory.getLogger(SparseUnit.class);
  private static final int TABLE_OFFSET = UnitHeader.LENGTH;
  private static final int CRC_BYTES = 4;

  /** How often pages are read that are removed meanwhile. */
  private static final int ATTEMPTS_MAX = 3;

  private final Unit unit;
  private final String name;
  private final PageSet pages;

  /** Held by those who change the file. */
  private final ReentrantLock changing = new ReentrantLock();

  private boolean isGone;

  private SparseUnit(DiskFile file, Unit unit, String name) {
    super(file);
    this.unit = unit;
    this.name = name;
    this.pages = new PageSet(Pages.count(unit));
  }

  /** Writes the header and the table of a new file; blocks. */
  static void format(DiskFile file, Unit unit, String boot) throws IOException {
    file.write(new UnitHeader(unit, boot).encode(), 0);
    file.write(ByteBuffer.allocateDirect(tableBytes(unit)), TABLE_OFFSET);
  }

  /**
   * Opens a file; blocks.
   *
   * @param boot the present one; under another one all pages are verified
   */
  static SparseUnit open(DiskFile file, String name, String boot) throws IOException {
    UnitHeader header = UnitHeader.read(file, name);
    SparseUnit opened = new SparseUnit(file, header.unit(), name);
    opened.readTable();
    if (!header.boot().equals(boot)) {
      opened.verify();
      opened.mark(new UnitHeader(header.unit(), boot));
    }
    return opened;
  }

  /** Without the mark, the next process verifies the pages again. */
  private void mark(UnitHeader header) {
    try {
      file().write(header.encode(), 0);
    } catch (IOException e) {
      LOG.debug("{} could not be marked as verified", name, e);
    }
  }

  /**
   * Reads which unit a file is of, and how many bytes it takes; blocks. Under another boot some of
   * these may be gone.
   */
  static Found find(DiskFile file, String name) throws IOException {
    SparseUnit found = new SparseUnit(file, UnitHeader.read(file, name).unit(), name);
    found.readTable();
    return new Found(found.unit, found.diskBytes());
  }

  /** A unit of which there is a file with so many bytes. */
  record Found(Unit unit, int diskBytes) {}

  private void readTable() throws IOException {
    ByteBuffer table = table();
    for (int page = 0; page < pages.pages(); page++) {
      if (table.getInt(page * CRC_BYTES) != 0) {
        pages.add(new Pages(page, page));
      }
    }
  }

  boolean isOf(Unit wanted) {
    return wanted.equals(unit);
  }

  private static int tableBytes(Unit unit) {
    int bytes = Pages.count(unit) * CRC_BYTES;
    return (bytes + Pages.BYTES - 1) / Pages.BYTES * Pages.BYTES;
  }

  private ByteBuffer table() throws IOException {
    ByteBuffer table = ByteBuffer.allocateDirect(tableBytes(unit));
    try {
      file().read(table, TABLE_OFFSET);
    } catch (EOFException e) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED, name + " is shorter than its table");
    }
    return table.flip();
  }

  private long place(long offset) {
    return TABLE_OFFSET + tableBytes(unit) + offset;
  }

  /** The bytes that the file takes on the disk. */
  int diskBytes() {
    return diskBytes(unit, pages.count());
  }

  /** The bytes that a file with so many pages takes on the disk. */
  static int diskBytes(Unit unit, int pages) {
    return TABLE_OFFSET + tableBytes(unit) + pages * Pages.BYTES;
  }

  boolean isEmpty() {
    return pages.count() == 0;
  }

  /** A reader asks for pages; returns whether an absent one was asked for before. */
  boolean ask(Pages wanted) {
    return pages.ask(wanted).askedBefore();
  }

  /** Whether all bytes of a range are here; never blocks. */
  boolean hasNow(long offset, long length) {
    return pages.hasAll(Pages.of(offset, length));
  }

  /**
   * Fills the buffer, which must be direct, with the bytes from this offset of the unit on; never
   * blocks.
   *
   * @return false if they are not here or not in memory; the content of the buffer is undefined
   *     then
   */
  boolean readNow(ByteBuffer destination, long offset) throws IOException {
    Pages wanted = Pages.of(offset, destination.remaining());
    PageSet.Look look = pages.ask(wanted);
    return look.absentFirst() > wanted.last()
        && file().readNow(destination, place(offset))
        && pages.isUnchanged(look);
  }

  /**
   * Fills the buffer from this offset of the unit on, as far as the pages are here; blocks.
   *
   * @param verify whether to compare the checksums: pages that are damaged are removed
   * @return the pages to get elsewhere, whose bytes are not filled; null if none
   */
  SparseUnits.@Nullable Absent read(ByteBuffer destination, long offset, boolean verify)
      throws IOException {
    Pages wanted = Pages.of(offset, destination.remaining());
    PageSet.Look look = pages.ask(wanted);
    if (verify) {
      verify(wanted);
    }
    SparseUnits.Absent absent = readPresent(destination, offset, wanted);
    return absent == null ? null : new SparseUnits.Absent(absent.pages(), look.askedBefore());
  }

  private SparseUnits.@Nullable Absent readPresent(
      ByteBuffer destination, long offset, Pages wanted) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      PageSet.Look look = pages.ask(wanted);
      SparseUnits.Absent absent = readPresent(destination, offset, wanted, look);
      if (pages.isUnchanged(look)) {
        return absent;
      }
    }
    return new SparseUnits.Absent(wanted, false);
  }

  private SparseUnits.@Nullable Absent readPresent(
      ByteBuffer destination, long offset, Pages wanted, PageSet.Look look) throws IOException {
    boolean isAbsent = look.absentFirst() <= wanted.last();
    SparseUnits.Absent absent =
        isAbsent
            ? new SparseUnits.Absent(
                new Pages(look.absentFirst(), look.absentLast()), look.askedBefore())
            : null;
    int begin = destination.position();
    long end = offset + destination.remaining();
    long absentBegin = absent == null ? end : Math.max(offset, absent.pages().begin());
    long absentEnd = absent == null ? end : Math.min(end, absent.pages().end(unit));
    read(destination.slice(begin, (int) (absentBegin - offset)), offset);
    read(destination.slice(begin + (int) (absentEnd - offset), (int) (end - absentEnd)), absentEnd);
    return absent;
  }

  private void read(ByteBuffer destination, long offset) throws IOException {
    if (destination.hasRemaining()) {
      file().read(destination, place(offset));
    }
  }

  /**
   * Writes pages; blocks.
   *
   * @param bytes of all these pages
   * @return the bytes that the file takes more on the disk
   */
  int write(Pages written, ByteBuffer bytes) throws IOException {
    if (bytes.remaining() != written.end(unit) - written.begin()) {
      throw new IllegalArgumentException(
          written + " of " + unit + " have not " + bytes.remaining() + " bytes");
    }
    changing.lock();
    try {
      if (isGone) {
        return 0;
      }
      ByteBuffer crcs = ByteBuffer.allocateDirect(written.count() * CRC_BYTES);
      for (int page = 0; page < written.count(); page++) {
        int begin = bytes.position() + page * Pages.BYTES;
        crcs.putInt(crc(bytes.duplicate().position(begin)));
      }
      file().write(bytes.duplicate(), place(written.begin()));
      file().write(crcs.flip(), TABLE_OFFSET + (long) written.first() * CRC_BYTES);
      return pages.add(written) * Pages.BYTES;
    } finally {
      changing.unlock();
    }
  }

  /** The checksum of the next page; never 0, which stands for a page that is absent. */
  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.limit(Math.min(bytes.limit(), bytes.position() + Pages.BYTES)));
    int value = (int) crc.getValue();
    return value == 0 ? 1 : value;
  }

  /**
   * Removes the pages that nobody has asked for since the last call; blocks.
   *
   * @return false if the disk cannot free parts of a file
   */
  boolean trim() throws IOException {
    changing.lock();
    try {
      return isGone || remove(pages.removeUnasked());
    } finally {
      changing.unlock();
    }
  }

  private boolean remove(BitSet removed) throws IOException {
    if (removed.isEmpty()) {
      return true;
    }
    ByteBuffer table = table();
    removed.stream().forEach(page -> table.putInt(page * CRC_BYTES, 0));
    file().write(table, TABLE_OFFSET);
    boolean done = true;
    for (int first = removed.nextSetBit(0); done && first >= 0; ) {
      int end = removed.nextClearBit(first);
      done = file().punch(place((long) first * Pages.BYTES), (long) (end - first) * Pages.BYTES);
      first = removed.nextSetBit(end);
    }
    return done;
  }

  /** Verifies all pages and removes those that are damaged; blocks. Returns whether none was. */
  boolean verify() throws IOException {
    boolean whole = true;
    BitSet present = pages.present();
    for (int first = present.nextSetBit(0); first >= 0; ) {
      int end = present.nextClearBit(first);
      whole &= verify(new Pages(first, end - 1));
      first = present.nextSetBit(end);
    }
    return whole;
  }

  /** Verifies those of these pages that are present. */
  private boolean verify(Pages some) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(Pages.BYTES);
    boolean whole = true;
    changing.lock();
    try {
      ByteBuffer table = table();
      for (int page = some.first(); page <= some.last(); page++) {
        int expected = table.getInt(page * CRC_BYTES);
        if (expected != 0 && !isWhole(page, expected, bytes)) {
          LOG.warn("Page {} of the cached {} is damaged, and is dropped", page, unit);
          pages.remove(page);
          BitSet damaged = new BitSet();
          damaged.set(page);
          remove(damaged);
          whole = false;
        }
      }
      return whole;
    } finally {
      changing.unlock();
    }
  }

  private boolean isWhole(int page, int expected, ByteBuffer bytes) throws IOException {
    Pages one = new Pages(page, page);
    bytes.clear().limit((int) (one.end(unit) - one.begin()));
    try {
      file().read(bytes, place(one.begin()));
    } catch (EOFException e) {
      LOG.debug("{} ends before its page {}", name, page, e);
      return false;
    }
    return crc(bytes.flip()) == expected;
  }

  /** From now on nothing is written: the file has been removed. */
  void gone() {
    changing.lock();
    try {
      isGone = true;
      pages.clear(); // Who reads now may see another file of this name.
    } finally {
      changing.unlock();
    }
  }
}
