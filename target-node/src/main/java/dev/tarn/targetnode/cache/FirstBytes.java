package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.extent.Pages;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests the first bytes of a selection that are not here. The answer also describes the object,
 * so it takes the place of a HEAD.
 */
final class FirstBytes {
  private final CacheEntries entries;
  private final UnitFetches fetches;
  private final PageReads pages;

  FirstBytes(CacheEntries entries, UnitFetches fetches, PageReads pages) {
    this.entries = entries;
    this.fetches = fetches;
    this.pages = pages;
  }

  /**
   * The request that a read of this selection begins with; blocks.
   *
   * @param entry that may be older than the backend's object
   * @return empty if the bytes are here or on their way, or would not be kept
   */
  Optional<Request> absent(ObjectRecord entry, Selection selection) throws IOException {
    if (!entry.isInUnits()
        || !(ObjectHead.select(entry.metadata(), selection)
            instanceof Outcome.Success<ObjectHead>(ObjectHead head))
        || head.length() == 0) {
      return Optional.empty();
    }
    DiskStore disk = entries.diskOf(entry.metadata().name());
    Unit unit = entry.unit(Unit.numberAt(head.offset()));
    if (pages.isByPages(entry, head.offset(), head.length())) {
      long last = head.offset() + head.length() - 1;
      long offset = head.offset() - unit.begin();
      return Unit.numberAt(last) != unit.number()
              || disk.units().sparse().has(unit, offset, head.length())
          ? Optional.empty()
          : Optional.of(new Request(pageBegin(head.offset()), pageBegin(last) + Pages.BYTES, true));
    }
    return disk.residents().isResident(Units.idOf(unit))
            || fetches.isUnderway(unit)
            || !disk.cacheRoom().isFreeFor(Unit.BYTES)
        ? Optional.empty()
        : Optional.of(
            new Request(UnitFetches.beginFor(head.offset()), unit.begin() + Unit.BYTES, false));
  }

  private static long pageBegin(long offset) {
    return offset / Pages.BYTES * Pages.BYTES;
  }

  /** A request for some bytes of an object. One thread at a time. */
  final class Request implements AutoCloseable {
    private final long begin;
    private final long end;
    private final boolean arePages;
    private @Nullable BackendRead open;

    private Request(long begin, long end, boolean arePages) {
      this.begin = begin;
      this.end = end;
      this.arePages = arePages;
    }

    /** Sends the request, and returns what the answer says of the object; blocks. */
    BackendObject send(Backend backend, ObjectKey key) {
      try {
        BackendRead read = backend.read(key, Optional.empty(), begin, end - 1, Optional.empty());
        open = read;
        return read.object();
      } catch (BackendException e) {
        if (e.failure() instanceof Failure.RangeNotSatisfiable) {
          return backend.head(key, Optional.empty()); // It is shorter now.
        }
        throw e;
      }
    }

    /** Whether the backend has sent bytes. */
    boolean isAnswered() {
      return open != null;
    }

    /**
     * Keeps the bytes of the answer, if there was one; blocks.
     *
     * @param object that the answer described
     * @return the bytes, unless a fetch has them
     */
    Optional<PageReads.Fetched> keep(Backend backend, ObjectRecord object) throws IOException {
      BackendRead read = open;
      if (read == null || !object.isInUnits()) {
        return Optional.empty();
      }
      if (arePages) {
        PageReads.Fetched fetched = pages.read(object.metadata().name().bucket(), read, begin, end);
        pages.keep(object, fetched);
        return Optional.of(fetched);
      }
      open = null; // The fetch closes it.
      if (fetches.findOrFetch(backend, object, begin, read)
          instanceof UnitFetches.Source.Present present) {
        present.file().release(); // The reader finds it again.
      }
      return Optional.empty();
    }

    @Override
    public void close() {
      if (open != null) {
        open.close();
        open = null;
      }
    }
  }
}
