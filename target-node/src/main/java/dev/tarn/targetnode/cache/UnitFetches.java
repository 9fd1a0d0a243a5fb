package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.UnitFetch.State;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.DiskFault;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.extent.UnitWriter;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.room.CacheRoom.Admission;
import dev.tarn.transport.body.DirectBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The units that are being fetched: one fetch of each, however many readers want it. */
final class UnitFetches {
  private static final Logger LOG = LoggerFactory.getLogger(UnitFetches.class);
  private static final int CHUNK_BYTES = 256 << 10;

  /**
   * If fewer bytes of a unit come before its first reader, they are fetched with it. No object that
   * the log keeps is larger, so the first answer has all of such an object.
   */
  private static final long BEFORE_MIN = DirectBuffers.BYTES_MAX;

  /** How many fetches readers may expect at a time. */
  private static final int EXPECTED_MAX = 64;

  /** The source of a unit for a reader: the disk, a fetch, or the backend. */
  sealed interface Source {
    /** On the disk; the reader releases the file. */
    record Present(OpenFile file) implements Source {}

    record Underway(UnitFetch fetch) implements Source {}

    /** Only at the backend: the object has been replaced, or the cache keeps what it has. */
    record Elsewhere() implements Source {}
  }

  private final CacheEntries entries;
  private final CacheMeters meters;
  private final SharedPasses passes;
  private final Executor threads;
  private final ConcurrentHashMap<Unit, UnitFetch> underway = new ConcurrentHashMap<>();
  private final AtomicInteger expected = new AtomicInteger();

  UnitFetches(CacheEntries entries, CacheMeters meters, Executor threads) {
    this.entries = entries;
    this.meters = meters;
    this.passes = new SharedPasses(meters);
    this.threads = threads;
  }

  /** Whether a whole unit is being fetched. */
  boolean isUnderway(Unit unit) {
    return underway.containsKey(unit);
  }

  /** The reads of units that are not kept. */
  SharedPasses passes() {
    return passes;
  }

  /**
   * The offset in an object from which the unit of a byte is fetched for a reader who begins with
   * this byte. If much of the unit comes before it, that is fetched afterwards, with a request of
   * its own.
   */
  static long beginFor(long offset) {
    long inUnit = offset % Unit.BYTES;
    long before =
        inUnit < BEFORE_MIN ? 0 : inUnit / UnitWriter.BLOCK_BYTES * UnitWriter.BLOCK_BYTES;
    return offset - inUnit + before;
  }

  /**
   * Finds the unit of a byte of this object, or begins to fetch it. Readers of the fetch find it
   * again.
   *
   * @param offset of the byte in the object
   * @param isCounted whether this read has asked for the unit before: a read is one reference
   */
  Source findOrFetch(Backend backend, ObjectRecord object, long offset, boolean isCounted)
      throws IOException {
    return findOrFetch(backend, object, offset, isCounted, null);
  }

  /**
   * Begins to fetch the unit of a byte with an open answer of the backend, which begins where
   * {@link #beginFor} says. The answer is closed in any case.
   */
  Source findOrFetch(Backend backend, ObjectRecord object, long offset, BackendRead open)
      throws IOException {
    return findOrFetch(backend, object, offset, false, open);
  }

  private Source findOrFetch(
      Backend backend,
      ObjectRecord object,
      long offset,
      boolean isCounted,
      @Nullable BackendRead open)
      throws IOException {
    Unit unit = object.unit(Unit.numberAt(offset));
    UnitFetch fetch = new UnitFetch(beginFor(offset) - unit.begin(), unit.length());
    fetch.demand();
    Source source = findOrFetch(backend, object, unit, isCounted, open, fetch);
    if (source instanceof Source.Underway(UnitFetch underwayOne)) {
      underwayOne.demand();
    }
    return source;
  }

  /**
   * Begins to fetch a unit that a reader will come to. A unit that is not kept is only opened at
   * the backend, and only if it is the reader's next.
   *
   * @param end behind the last byte that the reader wants of the object
   * @param isCounted as in {@link #findOrFetch(Backend, ObjectRecord, long, boolean)}
   * @return to be run when the reader has come to the unit, or has left; null if the unit is here,
   *     or is not fetched ahead
   */
  @Nullable Runnable expect(
      Backend backend, ObjectRecord object, int number, long end, boolean isNext, boolean isCounted)
      throws IOException {
    expected.incrementAndGet();
    Runnable leave = null;
    try {
      leave = begun(backend, object, number, end, isNext, isCounted);
    } finally {
      if (leave == null) {
        expected.decrementAndGet();
      }
    }
    Runnable left = leave;
    return left == null
        ? null
        : () -> {
          left.run();
          expected.decrementAndGet();
        };
  }

  /** Whether another unit may be fetched ahead: all readers together have a bound. */
  boolean mayExpect() {
    return expected.get() < EXPECTED_MAX;
  }

  private @Nullable Runnable begun(
      Backend backend, ObjectRecord object, int number, long end, boolean isNext, boolean isCounted)
      throws IOException {
    Unit unit = object.unit(number);
    UnitFetch fetch = new UnitFetch(0, unit.length());
    fetch.expect();
    return switch (findOrFetch(backend, object, unit, isCounted, null, fetch)) {
      case Source.Present present -> {
        present.file().release();
        yield null;
      }
      case Source.Elsewhere elsewhere ->
          isNext ? passes.expect(backend, object, unit, end, threads) : null;
      case Source.Underway(UnitFetch underwayOne) -> {
        if (underwayOne != fetch) {
          underwayOne.expect();
        }
        yield underwayOne::unexpect;
      }
    };
  }

  private Source findOrFetch(
      Backend backend,
      ObjectRecord object,
      Unit unit,
      boolean isCounted,
      @Nullable BackendRead open,
      UnitFetch begun)
      throws IOException {
    UnitFetch fetch = underway.putIfAbsent(unit, begun);
    if (fetch != null) {
      close(open);
      return new Source.Underway(fetch);
    }
    boolean handedOn = false;
    @Nullable Admission admission = null;
    try {
      // No other fetch of this unit runs now. An earlier one named its file before it ended.
      DiskStore disk = entries.diskOf(unit.object());
      Reference reference = isCounted ? Reference.REPEATED : disk.units().referenced(unit);
      Optional<OpenFile> present = entries.hold(unit);
      if (present.isPresent()) {
        begun.done(present.orElseThrow()); // For readers that joined meanwhile.
        return new Source.Present(present.orElseThrow());
      }
      if (!entries.isCurrent(object) || !Units.isNameable(unit)) {
        return new Source.Elsewhere();
      }
      Optional<Admission> admitted = disk.cacheRoom().admit(unit, reference);
      if (admitted.isEmpty()) {
        if (disk.residents().count() == 0 && !disk.cacheRoom().isFreeFor(unit.length())) {
          passForRoom(unit);
        }
        return new Source.Elsewhere();
      }
      Admission room = admitted.orElseThrow();
      admission = room;
      threads.execute(() -> fetch(backend, object, unit, room, begun, open));
      handedOn = true;
      return new Source.Underway(begun);
    } finally {
      if (!handedOn) {
        underway.remove(unit);
        begun.endedIfRunning(State.NOT_STORED);
        close(open);
        if (admission != null) {
          admission.close();
        }
      }
    }
  }

  /** A unit's file, as {@link CacheEntries#hold}. */
  Optional<OpenFile> hold(Unit unit) {
    return entries.hold(unit);
  }

  private void fetch(
      Backend backend,
      ObjectRecord object,
      Unit unit,
      Admission admission,
      UnitFetch fetch,
      @Nullable BackendRead open) {
    try (admission;
        BackendRead read =
            open != null ? open : read(backend, object, unit, fetch.begin(), unit.length())) {
      admission.begin();
      store(backend, read, object, unit, admission, fetch);
    } catch (BackendException | TruncatedUnitException e) {
      fetch.ended(State.FAILED, e);
    } catch (UnwantedException e) {
      LOG.debug("{} was fetched ahead of a reader that has left", unit);
      fetch.ended(State.NOT_STORED, null);
    } catch (CallRefusedException | IOException e) {
      notStored(unit, e);
      fetch.ended(State.NOT_STORED, null);
    } catch (RuntimeException e) {
      LOG.error("Fetch of {} failed: defect of this target; report it", unit, e);
      fetch.ended(State.FAILED, e);
    } finally {
      fetch.endedIfRunning(State.NOT_STORED);
      underway.remove(unit);
    }
  }

  private void store(
      Backend backend,
      BackendRead read,
      ObjectRecord object,
      Unit unit,
      Admission admission,
      UnitFetch fetch)
      throws IOException {
    UnitWriter writer = entries.diskOf(unit.object()).units().create();
    boolean published = false;
    try {
      writer.continueAt(fetch.begin());
      copy(unit, read.body(), writer, unit.length() - fetch.begin(), admission, fetch);
      if (fetch.begin() > 0) {
        writer.continueAt(0);
        try (BackendRead before = read(backend, object, unit, 0, fetch.begin())) {
          copy(unit, before.body(), writer, fetch.begin(), admission, fetch);
        }
      }
      if (entries.isCurrent(object)) { // Otherwise nobody looks for it any more.
        writer.publish(unit);
        published = true;
        meters.unitsFetched.increment();
      }
      fetch.done(writer.file());
    } finally {
      if (!published) {
        writer.abandon();
      }
    }
  }

  private static BackendRead read(
      Backend backend, ObjectRecord object, Unit unit, long begin, long end) {
    Optional<Origin> origin = Optional.ofNullable(object.metadata().origin());
    return backend.read(
        object.metadata().name().key(),
        origin.map(Origin::version),
        unit.begin() + begin,
        unit.begin() + end - 1,
        origin.map(Origin::etag));
  }

  private void copy(
      Unit unit,
      InputStream body,
      UnitWriter writer,
      long length,
      Admission admission,
      UnitFetch fetch)
      throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long done = 0;
    while (done < length) {
      if (!fetch.isWanted()) {
        throw new UnwantedException();
      }
      // The first bytes go to readers as they come; the others in chunks, for cheaper writes.
      int wanted = (int) Math.min(CHUNK_BYTES - done % CHUNK_BYTES, length - done);
      int count = readSome(body, chunk, 0, wanted, done, length);
      while (done > 0 && count < wanted) {
        count += readSome(body, chunk, count, wanted - count, done + count, length);
      }
      writer.write(ByteBuffer.wrap(chunk, 0, count));
      admission.written(count);
      done += count;
      meters.countFetched(unit.object().bucket(), count);
      fetch.advanced(writer.file(), writer.length());
    }
  }

  /** Nobody wants the unit any more that was fetched ahead. */
  private static final class UnwantedException extends IOException {
    @Serial private static final long serialVersionUID = 1L;
  }

  private static int readSome(
      InputStream body, byte[] chunk, int offset, int wanted, long done, long length) {
    try {
      int count = body.read(chunk, offset, wanted);
      if (count > 0) {
        return count;
      }
      throw new TruncatedUnitException(done, length, null);
    } catch (IOException e) {
      throw new TruncatedUnitException(done, length, e);
    }
  }

  private void notStored(Unit unit, Exception e) {
    if (e instanceof IOException failed && DiskFault.of(failed) == DiskFault.FULL) {
      passForRoom(unit);
    } else {
      LOG.warn(
          "The {} could not be cached: {}; readers get it from the backend",
          unit,
          Failure.reasonOf(e));
    }
  }

  private void passForRoom(Unit unit) {
    meters.countPassedForRoom();
    LOG.debug("The disk has no room for {}: passed through", unit);
  }

  private static void close(@Nullable BackendRead open) {
    if (open != null) {
      open.close();
    }
  }
}
