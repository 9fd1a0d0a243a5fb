package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.extent.Pages;
import dev.tarn.targetnode.store.extent.SparseUnits.Absent;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.read.FileSlice;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.room.CacheRoom.Admission;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads short ranges of large objects: only the pages that hold the range are fetched and kept. A
 * whole unit would be up to 2,000 times the bytes that were asked for.
 */
final class PageReads {
  private static final Logger LOG = LoggerFactory.getLogger(PageReads.class);

  /** A range is read by pages if its unit is at least so many times as long. */
  private static final int PARTS_MIN = 16;

  private final CacheEntries entries;
  private final UnitFetches fetches;
  private final CacheMeters meters;
  private final ConcurrentHashMap<PagesOfUnit, CompletableFuture<ByteBuffer>> underway =
      new ConcurrentHashMap<>();

  private record PagesOfUnit(Unit unit, Pages pages) {}

  PageReads(CacheEntries entries, UnitFetches fetches, CacheMeters meters) {
    this.entries = entries;
    this.fetches = fetches;
    this.meters = meters;
  }

  /**
   * Bytes of an object that have been fetched.
   *
   * @param begin their offset in the object
   */
  record Fetched(long begin, ByteBuffer bytes) {
    private boolean covers(long offset, long length) {
      return begin <= offset && offset + length <= begin + bytes.remaining();
    }

    private ByteBuffer slice(long offset, int length) {
      return bytes.slice(bytes.position() + (int) (offset - begin), length);
    }
  }

  /** The range that is selected, if its pages in one unit may be what is read. */
  static Optional<Selection.Range> rangeOfPages(Selection selection) {
    return selection instanceof Selection.Range range
            && isShort(range)
            && Unit.numberAt(range.first()) == Unit.numberAt(range.last())
        ? Optional.of(range)
        : Optional.empty();
  }

  /** Whether a range is short beside the units of an object that is large enough. */
  static boolean isShort(Selection.Range range) {
    return range.last() - range.first() < Unit.BYTES / PARTS_MIN;
  }

  /** Whether a range is short beside the units of an object of this size. */
  static boolean isShort(long sizeBytes, long offset, long length) {
    long unitBytes = Math.min(Unit.BYTES, sizeBytes - Unit.numberAt(offset) * Unit.BYTES);
    return length > 0 && length <= unitBytes / PARTS_MIN;
  }

  /** Whether a range of an object is read by pages: its units are neither here nor on their way. */
  boolean isByPages(ObjectRecord object, long offset, long length) {
    return object.isInUnits()
        && isShort(object.metadata().sizeBytes(), offset, length)
        && isAbsent(object.unit(Unit.numberAt(offset)))
        && isAbsent(object.unit(Unit.numberAt(offset + length - 1)));
  }

  private boolean isAbsent(Unit unit) {
    return !entries.diskOf(unit.object()).residents().isResident(Units.idOf(unit))
        && !fetches.isUnderway(unit);
  }

  /**
   * The bytes of a range, and whether all of them were here.
   *
   * @param bytes from index 0 on
   */
  record Result(ByteBuffer bytes, boolean wereHere) {}

  /**
   * Reads a range; blocks.
   *
   * @param verify whether to verify the checksums of bytes on the disk
   * @param given bytes of the object that have been fetched for this read
   */
  Result read(
      Backend backend,
      ObjectRecord object,
      long offset,
      int length,
      boolean verify,
      Optional<Fetched> given)
      throws IOException {
    if (given.filter(bytes -> bytes.covers(offset, length)).isPresent()) {
      return new Result(given.orElseThrow().slice(offset, length), false);
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    boolean wereHere = true;
    int last = Unit.numberAt(offset + length - 1);
    for (int number = Unit.numberAt(offset); number <= last; number++) {
      FileSlice.OfUnit slice = FileSlice.ofUnit(object.unit(number), offset, offset + length);
      int begin = (int) (slice.unit().begin() + slice.offset() - offset);
      wereHere &= isRead(backend, object, slice, all.slice(begin, (int) slice.length()), verify);
    }
    return new Result(all, wereHere);
  }

  /** Fills a buffer with a slice; returns whether all of it was here. */
  private boolean isRead(
      Backend backend, ObjectRecord object, FileSlice.OfUnit slice, ByteBuffer into, boolean verify)
      throws IOException {
    Optional<Absent> absent = readHere(slice, into, verify);
    if (absent.isEmpty()) {
      meters.countHit(object.metadata().name().bucket(), slice.length());
      return true;
    }
    Pages pages = absent.orElseThrow().pages();
    ByteBuffer bytes = fetchOnce(backend, object, slice.unit(), absent.orElseThrow());
    long begin = Math.max(slice.offset(), pages.begin());
    long end = Math.min(slice.offset() + slice.length(), pages.end(slice.unit()));
    int length = (int) (end - begin);
    into.put((int) (begin - slice.offset()), bytes, (int) (begin - pages.begin()), length);
    meters.countHit(object.metadata().name().bucket(), slice.length() - length);
    return false;
  }

  private Optional<Absent> readHere(FileSlice.OfUnit slice, ByteBuffer into, boolean verify) {
    DiskStore disk = entries.diskOf(slice.unit().object());
    disk.units().referencedPages(slice.unit());
    try {
      return disk.units().sparse().read(slice.unit(), into, slice.offset(), verify);
    } catch (IOException e) {
      disk.health().failureOf(e); // Counts and logs it.
      return Optional.of(new Absent(Pages.of(slice.offset(), slice.length()), false));
    }
  }

  /** Fetches pages; readers of the same pages at the same time share the fetch. */
  private ByteBuffer fetchOnce(Backend backend, ObjectRecord object, Unit unit, Absent absent)
      throws IOException {
    PagesOfUnit wanted = new PagesOfUnit(unit, absent.pages());
    CompletableFuture<ByteBuffer> mine = new CompletableFuture<>();
    CompletableFuture<ByteBuffer> first = underway.putIfAbsent(wanted, mine);
    if (first != null) {
      return CacheMisses.join(first);
    }
    try {
      ByteBuffer bytes = fetch(backend, object, unit, absent.pages());
      mine.complete(bytes);
      keep(object, unit, absent, bytes);
      return bytes;
    } catch (IOException | RuntimeException | Error e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      underway.remove(wanted);
    }
  }

  private ByteBuffer fetch(Backend backend, ObjectRecord object, Unit unit, Pages pages)
      throws IOException {
    Optional<Origin> origin = Optional.ofNullable(object.metadata().origin());
    long begin = unit.begin() + pages.begin();
    long end = unit.begin() + pages.end(unit);
    try (BackendRead read =
        backend.read(
            unit.object().key(),
            origin.map(Origin::version),
            begin,
            end - 1,
            origin.map(Origin::etag))) {
      return bytesOf(unit.object().bucket(), read, (int) (end - begin));
    }
  }

  private ByteBuffer bytesOf(BucketId bucket, BackendRead read, int length) throws IOException {
    byte[] bytes = read.body().readNBytes(length);
    meters.countFetched(bucket, bytes.length);
    if (bytes.length < length) {
      throw new TruncatedUnitException(bytes.length, length, null);
    }
    return ByteBuffer.wrap(bytes);
  }

  /** The offset of the first page of a range. */
  static long begin(Selection.Range range) {
    return Pages.of(range.first(), 1).begin();
  }

  /** The offset of the last byte of the last page of a range, in an object that is large enough. */
  static long last(Selection.Range range) {
    return Pages.of(range.last(), 1).begin() + Pages.BYTES - 1;
  }

  /**
   * Reads the body of an answer whose range begins with a page; blocks.
   *
   * @param end behind the last byte that was requested
   */
  Fetched read(BucketId bucket, BackendRead read, long begin, long end) throws IOException {
    long length = Math.min(end, read.object().sizeBytes()) - begin;
    return new Fetched(begin, bytesOf(bucket, read, (int) length));
  }

  /** Keeps pages that are in one unit of an object; blocks. */
  void keep(ObjectRecord object, Fetched fetched) {
    Unit unit = object.unit(Unit.numberAt(fetched.begin()));
    Pages pages = Pages.of(fetched.begin() - unit.begin(), fetched.bytes().remaining());
    DiskStore disk = entries.diskOf(unit.object());
    disk.units().referencedPages(unit);
    try {
      boolean askedBefore = disk.units().sparse().ask(unit, pages);
      keep(object, unit, new Absent(pages, askedBefore), fetched.bytes());
    } catch (IOException e) {
      disk.health().failureOf(e); // Counts and logs it.
    }
  }

  private void keep(ObjectRecord object, Unit unit, Absent absent, ByteBuffer bytes) {
    DiskStore disk = entries.diskOf(unit.object());
    try {
      if (!Units.isNameable(unit) || !entries.isCurrent(object)) {
        return;
      }
      Optional<Admission> admitted =
          disk.cacheRoom().admitPages(unit, absent.pages().count(), absent.askedBefore());
      if (admitted.isEmpty()) {
        return;
      }
      try (Admission room = admitted.orElseThrow()) {
        room.begin();
        room.written(disk.units().sparse().write(unit, absent.pages(), bytes.duplicate()));
      }
    } catch (IOException e) {
      LOG.warn("Pages of {} could not be cached: {}", unit, Failure.reasonOf(e));
    }
  }
}
