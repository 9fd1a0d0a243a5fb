package dev.tarn.targetnode.cache;

import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.local.LocalReads;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bytes of cached objects that the disk has. */
final class KeptBytes {
  private static final Logger LOG = LoggerFactory.getLogger(KeptBytes.class);

  private final LocalReads local;
  private final CacheEntries entries;

  KeptBytes(LocalReads local, CacheEntries entries) {
    this.local = local;
    this.entries = entries;
  }

  /** Whether the local target finds all these bytes in open files; never blocks. */
  boolean areHereNow(DiskStore store, ObjectRecord object, ObjectHead head) {
    try {
      return areHere(object, head, store, store.units()::holdNow)
          || areHereInPages(object, head, store.units());
    } catch (IOException e) {
      return false; // The slow path reports the same failure.
    }
  }

  /** A look for a unit's file. */
  private interface Look {
    /** The file, held; null if the unit is absent, or if that is not known without waiting. */
    @Nullable OpenFile hold(Unit unit) throws IOException;
  }

  /** Whether the local target finds all these bytes, and need not verify them first; blocks. */
  boolean areHere(ObjectRecord object, ObjectHead head) throws IOException {
    DiskStore disk = entries.diskOf(object.metadata().name());
    return areHere(object, head, disk, unit -> holdTrusted(disk, unit));
  }

  /** As {@link #areHere}, but it is no reference to the units; blocks. */
  boolean arePresent(ObjectRecord object, ObjectHead head) throws IOException {
    DiskStore disk = entries.diskOf(object.metadata().name());
    return arePresent(object, head, unit -> holdTrusted(disk, unit));
  }

  private static @Nullable OpenFile holdTrusted(DiskStore disk, Unit unit) {
    try {
      return disk.units().holdTrusted(unit);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      disk.health().failureOf(e); // Counts and logs it.
      return null;
    }
  }

  private boolean arePresent(ObjectRecord object, ObjectHead head, Look look) throws IOException {
    if (object.isInline() || head.length() == 0) {
      return true;
    }
    int first = Unit.numberAt(head.offset());
    int last = Unit.numberAt(head.offset() + head.length() - 1);
    if (!local.maySendFrom(last - first + 1)) {
      return false;
    }
    for (int number = first; number <= last; number++) {
      OpenFile file = look.hold(object.unit(number));
      if (file == null) {
        return false;
      }
      file.release();
    }
    return true;
  }

  private boolean areHere(ObjectRecord object, ObjectHead head, DiskStore disk, Look look)
      throws IOException {
    if (!arePresent(object, head, look)) {
      return false;
    }
    if (object.isInline()) {
      disk.cachedRecords().referenced(object.metadata().name());
    } else if (head.length() > 0) {
      int last = Unit.numberAt(head.offset() + head.length() - 1);
      for (int number = Unit.numberAt(head.offset()); number <= last; number++) {
        disk.units().referenced(object.unit(number));
      }
    }
    return true;
  }

  /** Whether a short range is here in pages, in an open file; never blocks. */
  private static boolean areHereInPages(ObjectRecord object, ObjectHead head, Units units)
      throws IOException {
    Unit unit = object.unit(Unit.numberAt(head.offset()));
    boolean isHere =
        head.length() <= ObjectReader.COPIED_BYTES_MAX
            && Unit.numberAt(head.offset() + head.length() - 1) == unit.number()
            && units.sparse().hasNow(unit, head.offset() - unit.begin(), head.length());
    if (isHere) {
      units.referencedPages(unit);
    }
    return isHere;
  }

  /** Reads from the disk; empty if the bytes are damaged or gone. */
  Optional<Outcome<ObjectRead>> read(
      TargetRequest.Get request, ObjectRecord object, boolean verify) {
    DiskStore store = entries.diskOf(request.name());
    // The call has begun: its deadline no longer applies.
    TargetRequest.Get begun = request.at(request.scope().since(), Deadline.NONE);
    Lookup lookup = LocalReads.lookUpNow(store, request.name(), Optional.empty());
    Outcome<ObjectRead> read = local.get(store, lookup, begun, verify).toCompletableFuture().join();
    if (!(read instanceof Outcome.Failed<ObjectRead>(Failure failure)) || !areLost(failure)) {
      return Optional.of(read);
    }
    if (failure instanceof Failure.Corrupt corrupt) {
      LOG.warn("Cached copy of {} is damaged: {}; it is fetched again", request.name(), corrupt);
      if (object.isInUnits()) {
        entries.diskOf(request.name()).units().remove(object);
      } else {
        entries.drop(request.name());
      }
    }
    return Optional.empty();
  }

  /** Whether a failure of the local target does not apply to the object at the backend. */
  static boolean areLost(Failure failure) {
    return failure instanceof Failure.Corrupt || failure instanceof Failure.NoSuchKey;
  }
}
