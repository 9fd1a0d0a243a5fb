package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * GET and HEAD. A read is first tried on the caller's thread, with the parts of the index and the
 * files that are in memory. If the read would wait for the device, a worker starts it again.
 */
public final class LocalReads {
  private static final int ATTEMPTS_MAX = 5;

  private final ObjectReader reader;
  private final Work work;

  LocalReads(ObjectReader reader, Work work) {
    this.reader = reader;
    this.work = work;
  }

  /** Whether the kernel may send a body from so many files now. */
  public boolean maySendFrom(int files) {
    return reader.maySendFrom(files);
  }

  /**
   * Reads metadata.
   *
   * @param lookup the result of {@link #lookUpNow} for the request
   */
  public CompletionStage<Outcome<ObjectHead>> head(DiskStore store, Lookup lookup, Head request) {
    if (lookup instanceof Lookup.WouldWait) {
      return work.onWorker(
          request.scope().deadline(),
          store,
          () -> headOf(lookUp(store, request.name(), request.version()), request));
    }
    return completedFuture(store.attempt(() -> headOf(entry(lookup), request)));
  }

  private static Outcome<ObjectHead> headOf(@Nullable IndexEntry entry, Head request) {
    return find(entry, request.version())
        .then(object -> select(object.metadata(), request.preconditions(), request.selection()));
  }

  /** Whether a read must verify the bytes on the disk. */
  public static boolean isVerified(Get request, BucketSettings settings) {
    return request.verified() || settings.verify() == BucketSettings.Verify.ALWAYS;
  }

  /**
   * Reads bytes.
   *
   * @param lookup the result of {@link #lookUpNow} for the request
   */
  public CompletionStage<Outcome<ObjectRead>> get(
      DiskStore store, Lookup lookup, Get request, boolean verify) {
    if (!(lookup instanceof Lookup.WouldWait)) {
      Outcome<Optional<ObjectRead>> now =
          store.attempt(() -> getNow(store, entry(lookup), request, verify));
      if (now instanceof Outcome.Failed<Optional<ObjectRead>> failed) {
        if (!(failed.failure() instanceof Failure.Corrupt)) {
          return completedFuture(Outcome.failed(failed.failure()));
        }
      } else if (now instanceof Outcome.Success<Optional<ObjectRead>> success
          && success.value().isPresent()) {
        return completedFuture(Outcome.success(success.value().orElseThrow()));
      }
    }
    return work.onWorker(
        request.scope().deadline(), store, () -> getWaiting(store, request, verify));
  }

  private Outcome<Optional<ObjectRead>> getNow(
      DiskStore store, @Nullable IndexEntry entry, Get request, boolean verify) throws IOException {
    Outcome<ObjectHead> head = selected(entry, request);
    if (head instanceof Outcome.Success<ObjectHead> success
        && entry != null
        && entry.entry() instanceof LogEntry.ObjectStored stored) {
      ObjectHead selected = success.value();
      OutgoingBody body =
          reader.readNow(
              store,
              stored.object(),
              entry.location(),
              selected.offset(),
              selected.length(),
              verify);
      return Outcome.success(Optional.ofNullable(body).map(b -> new ObjectRead(selected, b)));
    }
    return head.map(selected -> Optional.empty());
  }

  private Outcome<ObjectRead> getWaiting(DiskStore store, Get request, boolean verify)
      throws IOException {
    return using(
        store,
        request.name(),
        request.version(),
        (entry, object) ->
            switch (select(object.metadata(), request.preconditions(), request.selection())) {
              case Outcome.Failed<ObjectHead> failed -> Outcome.failed(failed.failure());
              case Outcome.Success<ObjectHead>(ObjectHead head) ->
                  Outcome.success(
                      new ObjectRead(
                          head,
                          reader.read(
                              store,
                              object,
                              entry.location(),
                              head.offset(),
                              head.length(),
                              verify)));
            });
  }

  /** Uses the stored bytes of an object. */
  @FunctionalInterface
  interface Use<T> {
    Outcome<T> of(IndexEntry entry, ObjectRecord object) throws IOException;
  }

  /**
   * Looks up an object and uses its bytes. Repeats both if compaction or an overwrite removes the
   * file that the entry names. Blocks.
   *
   * @param version as S3 shows it; empty for the newest
   */
  static <T> Outcome<T> using(
      DiskStore store, ObjectName name, Optional<String> version, Use<T> use) throws IOException {
    IndexEntry last = null;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      IndexEntry entry = lookUp(store, name, version);
      Outcome<ObjectRecord> found = find(entry, version);
      if (entry == null || !(found instanceof Outcome.Success<ObjectRecord>(ObjectRecord object))) {
        return found.then(none -> Outcome.failed(new Failure.NoSuchKey()));
      }
      try {
        return use.of(entry, object);
      } catch (NoSuchFileException e) {
        if (object.isInUnits()) {
          return Outcome.failed(new Failure.NoSuchKey()); // Not here: the backend has it.
        }
        if (last != null && last.location().equals(entry.location())) {
          return damaged(store, name, e);
        }
        last = entry;
      } catch (UnreadableFormatException | EOFException e) {
        return damaged(store, name, e);
      }
    }
    return Outcome.failed(
        new Failure.Overloaded(
            "Read failed: the object was replaced during each of "
                + ATTEMPTS_MAX
                + " attempts; retry."));
  }

  private static <T> Outcome<T> damaged(DiskStore store, ObjectName name, IOException damage) {
    return Outcome.failed(
        new Failure.Corrupt(
            "Read of object "
                + name.key().text()
                + " failed: "
                + store.health().failureOf(damage).message()
                + "; put the object again."));
  }

  private static Outcome<ObjectHead> selected(@Nullable IndexEntry entry, Get request) {
    return find(entry, request.version())
        .then(object -> select(object.metadata(), request.preconditions(), request.selection()));
  }

  /** The object of an entry that was looked up for this version, unless it is a delete marker. */
  static Outcome<ObjectRecord> find(@Nullable IndexEntry entry, Optional<String> version) {
    if (entry == null || !(entry.entry() instanceof LogEntry.ObjectStored stored)) {
      return Outcome.failed(
          version.isPresent() ? new Failure.NoSuchVersion() : new Failure.NoSuchKey());
    }
    ObjectMetadata metadata = stored.object().metadata();
    if (metadata.deleteMarker()) {
      return Outcome.failed(
          version.isPresent()
              ? new Failure.VersionIsDeleteMarker(metadata.versionText(), metadata.modifiedMs())
              : new Failure.NoSuchKey(Optional.of(metadata.versionText())));
    }
    return Outcome.success(stored.object());
  }

  /** The entry of a version as S3 shows it, or of the newest; null if there is none. Blocks. */
  static @Nullable IndexEntry lookUp(DiskStore store, ObjectName name, Optional<String> version)
      throws IOException {
    if (version.isEmpty()) {
      return store.index().find(name);
    }
    if (version.orElseThrow().equals(ObjectVersion.NULL_TEXT)) {
      return store.index().findNull(name);
    }
    Optional<ObjectVersion> named = ObjectVersion.ofText(version.orElseThrow());
    return named.isEmpty() ? null : store.index().find(name, named.orElseThrow());
  }

  private static Outcome<ObjectHead> select(
      ObjectMetadata metadata, Preconditions preconditions, Selection selection) {
    return preconditions
        .refuseRead(metadata)
        .map(Outcome::<ObjectHead>failed)
        .orElseGet(() -> ObjectHead.select(metadata, selection));
  }

  /** Looks up a version as S3 shows it, or the newest, without waiting for the device. */
  public static Lookup lookUpNow(DiskStore store, ObjectName name, Optional<String> version) {
    try {
      Lookup newest = store.index().findNow(name);
      return version.isPresent()
              && newest instanceof Lookup.Found found
              && !isVersion(found.entry(), version.orElseThrow())
          ? new Lookup.WouldWait()
          : newest;
    } catch (IOException e) {
      return new Lookup.WouldWait();
    }
  }

  private static boolean isVersion(IndexEntry entry, String version) {
    return entry.entry() instanceof LogEntry.ObjectStored stored
        && stored.object().metadata().versionText().equals(version);
  }

  private static @Nullable IndexEntry entry(Lookup lookup) {
    return lookup instanceof Lookup.Found found ? found.entry() : null;
  }
}
