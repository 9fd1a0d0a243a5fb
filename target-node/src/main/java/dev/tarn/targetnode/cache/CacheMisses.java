package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.CacheEntries.Asked;
import dev.tarn.targetnode.cache.PageReads.Fetched;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.room.CacheRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks up objects without an entry at the backend: one call for each object, however many readers
 * wait. The answer with the metadata also begins with the requested bytes, so an uncached object of
 * one unit costs a single request.
 */
final class CacheMisses {
  /** The result of a look-up at the backend. */
  sealed interface Found {
    /**
     * The object has an entry now.
     *
     * @param asked whether this call asked the backend; otherwise another call made the entry
     * @param fetched bytes that came with the backend's answer
     */
    record Entry(ObjectRecord object, boolean asked, Optional<Fetched> fetched) implements Found {
      Entry(ObjectRecord object, boolean asked) {
        this(object, asked, Optional.empty());
      }
    }

    /** The object is small, and these are its bytes; it may have an entry now. */
    record Small(ObjectMetadata metadata, ByteBuffer bytes) implements Found {}

    /** The object cannot be cached. */
    record Uncached(BackendObject object) implements Found {}
  }

  /**
   * The key of a call. What was noted separates readers after a write, or after the slot moved,
   * from calls made before.
   */
  private record Question(ObjectName name, Asked asked) {}

  private final CacheEntries entries;
  private final UnitFetches fetches;
  private final PageReads pages;
  private final CacheMeters meters;
  private final ConcurrentHashMap<Question, CompletableFuture<Found>> underway =
      new ConcurrentHashMap<>();

  CacheMisses(CacheEntries entries, UnitFetches fetches, PageReads pages, CacheMeters meters) {
    this.entries = entries;
    this.fetches = fetches;
    this.pages = pages;
    this.meters = meters;
  }

  /**
   * Waits for the call for this object that is underway, if there is one: its answer may be older
   * than the caller's request.
   */
  void awaitUnderway(ObjectName name) {
    CompletableFuture<Found> call = underway.get(new Question(name, entries.asking(name)));
    if (call != null) {
      call.handle((found, failure) -> name).join();
    }
  }

  /**
   * Looks up the object, and begins to fetch the first unit of the selection.
   *
   * @param validatedMs recorded with the entry that this call makes, as the time when the backend
   *     confirmed it
   */
  Found find(Backend backend, ObjectName name, Selection selection, long validatedMs)
      throws IOException {
    Question question = new Question(name, entries.asking(name));
    CompletableFuture<Found> mine = new CompletableFuture<>();
    CompletableFuture<Found> first = underway.putIfAbsent(question, mine);
    if (first != null) {
      return join(first);
    }
    try {
      Found found = ask(backend, question, selection, validatedMs);
      underway.remove(question); // First: a caller of awaitUnderway must not join this call.
      mine.complete(found);
      return found;
    } catch (IOException | RuntimeException | Error e) {
      underway.remove(question);
      mine.completeExceptionally(e);
      throw e;
    }
  }

  /** Waits for the result of another call, which may be a failure of the backend. */
  static <T> T join(CompletableFuture<T> first) throws IOException {
    try {
      return first.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof BackendException backend) {
        throw backend;
      }
      throw new IOException("Read of the object by another call failed", e);
    }
  }

  private Found ask(Backend backend, Question question, Selection selection, long validatedMs)
      throws IOException {
    ObjectName name = question.name();
    Asked asked = question.asked();
    Optional<ObjectRecord> meanwhile = entries.find(name);
    if (meanwhile.isPresent()) {
      return new Found.Entry(meanwhile.orElseThrow(), false);
    }
    Optional<Selection.Range> range = PageReads.rangeOfPages(selection);
    if (range.isPresent()) {
      Found found = askForPages(backend, question, range.orElseThrow(), validatedMs);
      if (found != null) {
        return found;
      }
    }
    // A full cache may refuse the unit: its bytes are requested when that is decided.
    boolean isFree = entries.diskOf(name).cacheRoom().isFreeFor(Unit.BYTES);
    long begin = isFree ? beginOf(selection) : -1;
    @Nullable BackendRead read = begin < 0 ? null : readUnit(backend, name, begin);
    if (read == null) {
      BackendObject object = backend.head(name.key(), Optional.empty());
      boolean hasSmall = object.sizeBytes() > 0 && isSmall(name, object);
      begin = 0;
      read = hasSmall ? readUnit(backend, name, 0) : null;
      if (read == null) {
        return install(name, object, asked, validatedMs);
      }
    }
    try {
      BackendObject object = read.object();
      if (isSmall(name, object)) {
        return keepSmall(name, read, asked, validatedMs);
      }
      Found found = install(name, object, asked, validatedMs);
      if (found instanceof Found.Entry entry) {
        BackendRead handedOver = read;
        read = null;
        if (fetches.findOrFetch(backend, entry.object(), begin, handedOver)
            instanceof UnitFetches.Source.Present present) {
          present.file().release(); // The reader finds it again.
        }
      }
      return found;
    } finally {
      if (read != null) {
        read.close();
      }
    }
  }

  /** Looks the object up with a read of some pages; null if more than these are to be read. */
  private @Nullable Found askForPages(
      Backend backend, Question question, Selection.Range range, long validatedMs)
      throws IOException {
    ObjectName name = question.name();
    long begin = PageReads.begin(range);
    try (BackendRead read =
        read(backend, name.key(), Optional.empty(), begin, PageReads.last(range))) {
      if (read == null) {
        return null;
      }
      BackendObject object = read.object();
      if (isSmall(name, object) && begin == 0 && read.length() == object.sizeBytes()) {
        return keepSmall(name, read, question.asked(), validatedMs);
      }
      long length = Math.min(range.last() + 1, object.sizeBytes()) - range.first();
      if (isSmall(name, object)) {
        return null;
      }
      if (!PageReads.isShort(object.sizeBytes(), range.first(), length)) {
        return install(name, object, question.asked(), validatedMs);
      }
      Fetched fetched =
          pages.read(
              name.bucket(),
              read,
              begin,
              PageReads.last(range) + 1); // First: readers look for it beside the entry.
      Found found = install(name, object, question.asked(), validatedMs);
      if (!(found instanceof Found.Entry entry)) {
        return found;
      }
      pages.keep(entry.object(), fetched);
      return new Found.Entry(entry.object(), true, Optional.of(fetched));
    }
  }

  private boolean isSmall(ObjectName name, BackendObject object) {
    return entries.isSmall(name, object.sizeBytes());
  }

  /** Where the fetch of the selection's first unit begins; -1 if that depends on the size. */
  private static long beginOf(Selection selection) {
    return switch (selection) {
      case Selection.Whole whole -> 0;
      case Selection.Range range when PageReads.isShort(range) -> -1;
      case Selection.Range range -> UnitFetches.beginFor(range.first());
      case Selection.Suffix suffix -> -1;
      case Selection.Part part -> -1;
    };
  }

  private static @Nullable BackendRead readUnit(Backend backend, ObjectName name, long begin) {
    long last = begin - begin % Unit.BYTES + Unit.BYTES - 1;
    return read(backend, name.key(), Optional.empty(), begin, last);
  }

  /** Begins to read bytes; null if the object has none of them. */
  static @Nullable BackendRead read(
      Backend backend, ObjectKey key, Optional<String> version, long first, long last) {
    try {
      return backend.read(key, version, first, last, Optional.empty());
    } catch (BackendException e) {
      if (e.failure() instanceof Failure.RangeNotSatisfiable) {
        return null; // An empty object, or a range after its end: the metadata decides.
      }
      throw e;
    }
  }

  private Found install(ObjectName name, BackendObject object, Asked asked, long validatedMs)
      throws IOException {
    if (object.sizeBytes() == 0) {
      return small(name, object, ByteBuffer.allocate(0), asked, validatedMs);
    }
    return entries
        .install(name, object, Optional.empty(), asked, validatedMs)
        .<Found>map(kept -> new Found.Entry(kept, true))
        .orElseGet(() -> new Found.Uncached(object));
  }

  private Found keepSmall(ObjectName name, BackendRead read, Asked asked, long validatedMs)
      throws IOException {
    BackendObject object = read.object();
    byte[] bytes = read.body().readNBytes((int) object.sizeBytes());
    if (bytes.length < object.sizeBytes()) {
      throw new TruncatedUnitException(bytes.length, object.sizeBytes(), null);
    }
    meters.countFetched(name.bucket(), bytes.length);
    return small(name, object, ByteBuffer.wrap(bytes), asked, validatedMs);
  }

  private Found small(
      ObjectName name, BackendObject object, ByteBuffer bytes, Asked asked, long validatedMs) {
    Optional<CacheRoom.Admission> admitted =
        entries.diskOf(name).cacheRoom().admitSmall(name, object.sizeBytes());
    if (admitted.isEmpty()) {
      return new Found.Small(entries.unkept(name, object), bytes);
    }
    try (CacheRoom.Admission admission = admitted.orElseThrow()) {
      admission.begin();
      Optional<ObjectRecord> kept =
          entries.installInline(name, object, bytes.duplicate(), asked, validatedMs);
      kept.ifPresent(entry -> admission.writtenWhole());
      return new Found.Small(
          kept.map(ObjectRecord::metadata).orElseGet(() -> entries.unkept(name, object)), bytes);
    }
  }
}
