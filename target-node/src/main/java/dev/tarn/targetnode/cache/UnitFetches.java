package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.UnitFetch.State;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.DiskFault;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The units that are being fetched: one fetch of each, however many readers want it. */
final class UnitFetches {
  private static final Logger LOG = LoggerFactory.getLogger(UnitFetches.class);
  private static final int CHUNK_BYTES = 256 << 10;

  private record UnitName(ObjectName name, ObjectVersion version, int unit) {}

  /** Where a reader finds a unit: on the disk, or in a fetch. */
  sealed interface Source {
    record Present(Piece.ExtentRange piece) implements Source {}

    record Underway(UnitFetch fetch) implements Source {}

    /** Only at the backend: the object has been replaced, or the disk has no room for the unit. */
    record Elsewhere() implements Source {}
  }

  private final CacheEntries entries;
  private final CacheFigures figures;
  private final Executor threads;
  private final ConcurrentHashMap<UnitName, UnitFetch> underway = new ConcurrentHashMap<>();

  UnitFetches(CacheEntries entries, CacheFigures figures, Executor threads) {
    this.entries = entries;
    this.figures = figures;
    this.threads = threads;
  }

  /** Finds a unit of this object, or begins to fetch it. */
  Source find(Backend backend, ObjectRecord object, int unit) throws IOException {
    return find(backend, object, unit, null);
  }

  /**
   * As {@link #find(Backend, ObjectRecord, int)}, but with an open answer of the backend that
   * begins with the unit. The answer is closed in any case.
   */
  Source find(Backend backend, ObjectRecord object, int unit, @Nullable BackendRead open)
      throws IOException {
    UnitName name = new UnitName(object.metadata().name(), object.metadata().version(), unit);
    UnitFetch begun = new UnitFetch();
    UnitFetch fetch = underway.putIfAbsent(name, begun);
    if (fetch != null) {
      close(open);
      return new Source.Underway(fetch);
    }
    boolean handedOn = false;
    try {
      // No other fetch of this unit runs now. An earlier one recorded its piece before it ended.
      Optional<ObjectRecord> present =
          entries
              .find(name.name())
              .filter(found -> found.metadata().version().equals(name.version()));
      if (present.isEmpty()) {
        return new Source.Elsewhere();
      }
      if (present.orElseThrow().pieces().get(unit) instanceof Piece.ExtentRange piece) {
        begun.done(piece); // Readers that joined meanwhile read it from there, too.
        return new Source.Present(piece);
      }
      if (!hasRoomFor(name, object)) {
        figures.countPassedForRoom();
        LOG.debug("No room for unit {} of {}: passed through", name.unit(), name.name());
        return new Source.Elsewhere();
      }
      threads.execute(() -> fetch(backend, object, name, begun, open));
      handedOn = true;
      return new Source.Underway(begun);
    } finally {
      if (!handedOn) {
        underway.remove(name);
        begun.endedIfRunning(State.NOT_STORED);
        close(open);
      }
    }
  }

  private boolean hasRoomFor(UnitName name, ObjectRecord object) throws IOException {
    long length = Units.length(name.unit(), object.metadata().sizeBytes());
    return entries.diskOf(name.name()).hasRoomFor(length);
  }

  private void fetch(
      Backend backend,
      ObjectRecord object,
      UnitName name,
      UnitFetch fetch,
      @Nullable BackendRead open) {
    long length = Units.length(name.unit(), object.metadata().sizeBytes());
    boolean stored = false;
    try (BackendRead read = open != null ? open : read(backend, object, name.unit(), length)) {
      store(read, name, length, fetch);
      stored = true;
    } catch (BackendException | TruncatedUnitException e) {
      fetch.ended(State.FAILED, e);
    } catch (CallRefusedException | IOException e) {
      noRoom(name, e);
      fetch.ended(State.NOT_STORED, null);
    } catch (RuntimeException e) {
      LOG.error(
          "Fetch of unit {} of {} failed: defect of this target; report it",
          name.unit(),
          name.name(),
          e);
      fetch.ended(State.FAILED, e);
    } finally {
      fetch.endedIfRunning(State.NOT_STORED);
      underway.remove(name);
    }
    if (stored) {
      figures.countUnitFetched();
    }
  }

  private void store(BackendRead read, UnitName name, long length, UnitFetch fetch)
      throws IOException {
    DiskStore disk = entries.diskOf(name.name());
    ExtentWriter writer = disk.createExtent();
    boolean settled = false;
    try {
      copy(read.body(), writer, length, fetch);
      writer.finish(false);
      var piece = new Piece.ExtentRange(writer.id(), 0, length, writer.tableCrc());
      settled = settle(writer, entries.fill(name.name(), name.version(), name.unit(), piece));
      if (settled) {
        fetch.done(piece);
      }
    } finally {
      if (!settled) {
        writer.abandon();
      }
    }
  }

  /** Keeps the extent if a record names it or may name it; false if the caller must abandon it. */
  static boolean settle(ExtentWriter writer, CommitResult<ObjectRecord> result) {
    switch (result) {
      case CommitResult.Committed<ObjectRecord> committed -> writer.committed();
      case CommitResult.InDoubt<ObjectRecord> inDoubt -> {
        writer.leaveInDoubt();
        throw new CallRefusedException(inDoubt.failure());
      }
      case CommitResult.Refused<ObjectRecord> refused -> {
        return false;
      }
    }
    return true;
  }

  private static BackendRead read(Backend backend, ObjectRecord object, int unit, long length) {
    long begin = Units.begin(unit);
    Optional<Origin> origin = Optional.ofNullable(object.metadata().origin());
    return backend.read(
        object.metadata().name().key(),
        origin.map(Origin::version),
        begin,
        begin + length - 1,
        origin.map(Origin::etag));
  }

  private void copy(InputStream body, ExtentWriter writer, long length, UnitFetch fetch)
      throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long done = 0;
    while (done < length) {
      int count = readSome(body, chunk, (int) Math.min(chunk.length, length - done), done, length);
      writer.write(ByteBuffer.wrap(chunk, 0, count));
      done += count;
      figures.countBytesFetched(count);
      fetch.advanced(writer.id(), done);
    }
  }

  private static int readSome(InputStream body, byte[] chunk, int wanted, long done, long length) {
    try {
      int count = body.read(chunk, 0, wanted);
      if (count > 0) {
        return count;
      }
      throw new TruncatedUnitException(done, length, null);
    } catch (IOException e) {
      throw new TruncatedUnitException(done, length, e);
    }
  }

  private void noRoom(UnitName name, Exception e) {
    if (e instanceof IOException failed && DiskFault.of(failed) == DiskFault.FULL) {
      figures.countPassedForRoom();
      LOG.debug("No room for unit {} of {}: passed through", name.unit(), name.name());
    } else {
      LOG.warn(
          "Unit {} of {} could not be cached: {}; readers get it from the backend",
          name.unit(),
          name.name(),
          Failure.reasonOf(e));
    }
  }

  private static void close(@Nullable BackendRead open) {
    if (open != null) {
      open.close();
    }
  }
}
