package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.BackendPart;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.CurrentObjects.Belief;
import dev.tarn.targetnode.cache.CurrentObjects.Current;
import dev.tarn.targetnode.local.LocalReads;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.transport.body.ChunkPublisher;
import dev.tarn.transport.body.ChunkSource;
import dev.tarn.transport.body.DirectBuffers;
import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads of buckets with a backend. The local target serves a fresh object whose bytes are all on
 * the disk, in a bounded number of files. Otherwise the backend is called, and the bytes go to the
 * reader while they are stored.
 */
final class CachedReads {
  private static final Logger LOG = LoggerFactory.getLogger(CachedReads.class);

  /** How often an object is looked up that changes meanwhile. */
  private static final int ATTEMPTS_MAX = 4;

  private final KeptBytes keptBytes;
  private final CacheEntries entries;
  private final UnitFetches fetches;
  private final PageReads pages;
  private final CurrentObjects objects;
  private final CacheMeters meters;
  private final DirectBuffers buffers;
  private final Executor threads;

  CachedReads(
      LocalReads local,
      CacheEntries entries,
      UnitFetches fetches,
      PageReads pages,
      CurrentObjects objects,
      CacheMeters meters,
      DirectBuffers buffers,
      Executor threads) {
    this.keptBytes = new KeptBytes(local, entries);
    this.entries = entries;
    this.fetches = fetches;
    this.pages = pages;
    this.objects = objects;
    this.meters = meters;
    this.buffers = buffers;
    this.threads = threads;
  }

  /**
   * Whether the disk can serve the selection without waiting; never blocks.
   *
   * @param lookup of the object
   * @param verify whether the bytes must be verified: damaged units then come from the backend
   */
  boolean isFreshAndHere(
      DiskStore store, Lookup lookup, Selection selection, Freshness freshness, boolean verify) {
    ObjectRecord object = fresh(lookup, freshness);
    if (object == null || (verify && !object.isInline())) {
      return false;
    }
    if (!(ObjectHead.select(object.metadata(), selection)
        instanceof Outcome.Success<ObjectHead>(ObjectHead head))) {
      return true;
    }
    return keptBytes.areHereNow(store, object, head);
  }

  /** Whether the entry that a look-up found may be believed without asking the backend. */
  boolean isFresh(Lookup lookup, Freshness freshness) {
    return fresh(lookup, freshness) != null;
  }

  private @Nullable ObjectRecord fresh(Lookup lookup, Freshness freshness) {
    ObjectRecord object =
        lookup instanceof Lookup.Found found ? CacheEntries.objectOf(found.entry()) : null;
    return object != null && objects.isFresh(object.metadata(), freshness) ? object : null;
  }

  /** Counts a read that the local target served. */
  void countHit(ObjectHead head) {
    BucketId bucket = head.metadata().name().bucket();
    meters.countRead(bucket, true);
    meters.countHit(bucket, head.length());
  }

  /**
   * Reads bytes; blocks. The first bytes are there before the answer begins. An object that changes
   * at the backend between look-up and read is looked up again, so the answer is of one version.
   *
   * @param lookup of the object on this disk
   */
  Outcome<ObjectRead> get(
      TargetRequest.Get request, Lookup lookup, Backend backend, BucketSettings settings)
      throws IOException {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        return attempt(
            request,
            attempt > 1 ? new Lookup.WouldWait() : lookup,
            backend,
            settings,
            belief(request, attempt > 1));
      } catch (ChangedObjectException e) {
        LOG.debug("{} changed while it was looked up", request.name());
      }
    }
    return Outcome.failed(
        new Failure.BackendFailed(
            0,
            "",
            "Read of "
                + request.key().text()
                + " failed: the object changed at the backend during each of "
                + ATTEMPTS_MAX
                + " attempts; retry."));
  }

  /** The object at the backend is another one than its look-up found. */
  private static final class ChangedObjectException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    ChangedObjectException(BackendException cause) {
      super(cause);
    }
  }

  /**
   * When a read believes an entry.
   *
   * @param again whether the object changed under an earlier attempt
   */
  private static Belief belief(TargetRequest<?> request, boolean again) {
    if (request.scope().answerer() == Answerer.STAND_IN) {
      return Belief.NEVER; // The owner may have seen writes since.
    }
    return again ? Belief.IF_UNREACHABLE : Belief.IF_FRESH;
  }

  private Outcome<ObjectRead> attempt(
      TargetRequest.Get request,
      Lookup lookup,
      Backend backend,
      BucketSettings settings,
      Belief belief)
      throws IOException, ChangedObjectException {
    if (request.selection() instanceof Selection.Part part) {
      return getPart(request, part.number(), backend, settings, belief);
    }
    boolean isBypassed = CachingTarget.isBypassed(request, settings);
    if (isBypassed || request.version().isPresent()) {
      Outcome<ObjectRead> passed = pass(request, backend);
      if (isBypassed && passed instanceof Outcome.Success<ObjectRead>) {
        meters.countRead(request.name().bucket(), false);
      }
      return passed;
    }
    Current current = find(request, lookup, backend, settings, belief);
    ObjectMetadata metadata = current.metadata();
    Optional<Failure> refusal = request.preconditions().refuseRead(metadata);
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    Outcome<ObjectHead> selected = ObjectHead.select(metadata, request.selection());
    if (!(selected instanceof Outcome.Success<ObjectHead> success)) {
      return selected.map(head -> new ObjectRead(head, EMPTY));
    }
    ObjectHead head = success.value();
    boolean verify = LocalReads.isVerified(request, settings);
    return switch (current) {
      case Current.Kept kept -> kept(request, head, kept, backend, verify);
      case Current.Small small -> {
        meters.countRead(request.name().bucket(), false);
        ByteBuffer bytes =
            small.bytes().slice((int) head.offset(), (int) head.length()).asReadOnlyBuffer();
        yield Outcome.success(new ObjectRead(head, new OutgoingBody.Bytes(bytes, () -> {})));
      }
      case Current.Elsewhere elsewhere -> {
        OutgoingBody body = passing(head, Optional.empty(), backend, null);
        meters.countRead(request.name().bucket(), false);
        yield Outcome.success(new ObjectRead(head, body));
      }
    };
  }

  private Outcome<ObjectRead> kept(
      TargetRequest.Get request,
      ObjectHead head,
      Current.Kept kept,
      Backend backend,
      boolean verify)
      throws IOException, ChangedObjectException {
    ObjectRecord object = kept.object();
    boolean isStreamed = verify && !object.isInline(); // Which counts references by itself.
    boolean here =
        isStreamed ? keptBytes.arePresent(object, head) : keptBytes.areHere(object, head);
    if (here && !isStreamed) {
      Optional<Outcome<ObjectRead>> read = keptBytes.read(request, object, verify);
      if (read.isPresent()) {
        BucketId bucket = request.name().bucket();
        meters.countRead(bucket, kept.before());
        meters.countHit(bucket, kept.before() ? head.length() : 0);
        return read.orElseThrow();
      }
      here = false;
    }
    if (pages.isByPages(object, head.offset(), head.length())
        && fetches.passes().isTakenForOne(head.length())) {
      return Outcome.success(new ObjectRead(head, byPages(head, kept, backend, verify)));
    }
    OutgoingBody body =
        object.isInUnits()
            ? stream(head, object, !kept.before(), backend, verify)
            : passing(head, Optional.empty(), backend, null);
    meters.countRead(request.name().bucket(), kept.before() && here);
    return Outcome.success(new ObjectRead(head, body));
  }

  /** Reads a short range, for which memory has been taken. */
  private OutgoingBody byPages(ObjectHead head, Current.Kept kept, Backend backend, boolean verify)
      throws IOException, ChangedObjectException {
    Runnable giveBack = OutgoingBody.once(() -> fetches.passes().giveBack(head.length()));
    boolean done = false;
    try {
      PageReads.Result result =
          pages.read(
              backend, kept.object(), head.offset(), (int) head.length(), verify, kept.fetched());
      meters.countRead(
          kept.object().metadata().name().bucket(), kept.before() && result.wereHere());
      done = true;
      return new OutgoingBody.Bytes(result.bytes().asReadOnlyBuffer(), giveBack);
    } catch (BackendException e) {
      throw changed(e);
    } finally {
      if (!done) {
        giveBack.run();
      }
    }
  }

  /** Reads a part: the backend alone knows its place. */
  private Outcome<ObjectRead> getPart(
      TargetRequest.Get request,
      int number,
      Backend backend,
      BucketSettings settings,
      Belief belief)
      throws IOException, ChangedObjectException {
    BackendPart part = backend.headPart(request.key(), request.version(), number);
    Outcome<ObjectHead> head = partHead(request.name(), request.preconditions(), part);
    if (!(head instanceof Outcome.Success<ObjectHead>(ObjectHead found)) || found.length() == 0) {
      return head.map(none -> new ObjectRead(none, EMPTY));
    }
    TargetRequest.Get ofRange =
        new TargetRequest.Get(
            request.scope(),
            request.key(),
            request.version(),
            new Selection.Range(found.offset(), found.offset() + found.length() - 1),
            new Preconditions(
                List.of(found.metadata().etag()),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty()),
            request.verified());
    Outcome<ObjectRead> read = attempt(ofRange, new Lookup.WouldWait(), backend, settings, belief);
    if (read instanceof Outcome.Failed<ObjectRead>(Failure.PreconditionFailed changed)) {
      throw new ChangedObjectException(new BackendException(changed, false, null));
    }
    return read.map(range -> new ObjectRead(found, range.body()));
  }

  /** A look-up sets no precondition, so a backend that reports one just replaces the object. */
  private Current find(
      TargetRequest.Get request,
      Lookup lookup,
      Backend backend,
      BucketSettings settings,
      Belief belief)
      throws IOException, ChangedObjectException {
    try {
      return objects.find(request.name(), lookup, request.selection(), backend, settings, belief);
    } catch (BackendException e) {
      if (e.failure() instanceof Failure.PreconditionFailed) {
        throw new ChangedObjectException(e);
      }
      throw e;
    }
  }

  private Outcome<ObjectHead> partHead(
      ObjectName name, Preconditions preconditions, BackendPart part) {
    ObjectMetadata metadata = entries.unkept(name, part.object());
    Optional<Failure> refusal = preconditions.refuseRead(metadata);
    return refusal.isPresent()
        ? Outcome.failed(refusal.orElseThrow())
        : Outcome.success(
            new ObjectHead(metadata, part.span().offset(), part.span().length(), part.count()));
  }

  /** Reads metadata; blocks. */
  Outcome<ObjectHead> head(
      TargetRequest.Head request, Lookup lookup, Backend backend, BucketSettings settings)
      throws IOException {
    if (request.selection() instanceof Selection.Part(int number)) {
      return partHead(
          request.name(),
          request.preconditions(),
          backend.headPart(request.key(), request.version(), number));
    }
    ObjectMetadata metadata = headMetadata(request, lookup, backend, settings);
    Optional<Failure> refusal = request.preconditions().refuseRead(metadata);
    return refusal.isPresent()
        ? Outcome.failed(refusal.orElseThrow())
        : ObjectHead.select(metadata, request.selection());
  }

  private ObjectMetadata headMetadata(
      TargetRequest.Head request, Lookup lookup, Backend backend, BucketSettings settings)
      throws IOException {
    ObjectName name = request.name();
    Optional<ObjectRecord> entry =
        request.version().isPresent() || CachingTarget.isBypassed(request, settings)
            ? Optional.empty()
            : entries.find(name, lookup);
    ObjectMetadata metadata =
        entry.isPresent()
            ? objects
                .revalidated(entry.orElseThrow(), backend, settings, belief(request, false))
                .metadata()
            : entries.unkept(name, backend.head(request.key(), request.version()));
    return request.tagged()
        ? metadata.with(metadata.attributes().with(backend.tags(request.key(), request.version())))
        : metadata;
  }

  private OutgoingBody stream(
      ObjectHead head, ObjectRecord object, boolean isNew, Backend backend, boolean verify)
      throws IOException, ChangedObjectException {
    ObjectName name = head.metadata().name();
    CachedObjectReader reader =
        new CachedObjectReader(
            object,
            backend,
            fetches,
            meters,
            entries.diskOf(name),
            new CachedObjectReader.Verifying(verify, buffers),
            isNew,
            head.offset(),
            head.length());
    return streamOf(reader, reader::begin, head.length());
  }

  /** Reads past the cache. */
  private Outcome<ObjectRead> pass(TargetRequest.Get request, Backend backend)
      throws IOException, ChangedObjectException {
    @Nullable BackendRead begun = begin(request, backend);
    try {
      BackendObject object =
          begun == null ? backend.head(request.key(), request.version()) : begun.object();
      ObjectMetadata metadata = entries.unkept(request.name(), object);
      Optional<Failure> refusal = request.preconditions().refuseRead(metadata);
      if (refusal.isPresent()) {
        return Outcome.failed(refusal.orElseThrow());
      }
      Outcome<ObjectHead> selected = ObjectHead.select(metadata, request.selection());
      if (!(selected instanceof Outcome.Success<ObjectHead>(ObjectHead head))) {
        return selected.map(none -> new ObjectRead(none, EMPTY));
      }
      BackendRead first = begun;
      begun = null;
      return Outcome.success(
          new ObjectRead(head, passing(head, request.version(), backend, first)));
    } finally {
      if (begun != null) {
        begun.close();
      }
    }
  }

  /** Requests the bytes at once; null if the object's metadata decides whether they are wanted. */
  private static @Nullable BackendRead begin(TargetRequest.Get request, Backend backend) {
    if (!request.preconditions().isEmpty()) {
      return null;
    }
    return switch (request.selection()) {
      case Selection.Whole whole ->
          CacheMisses.read(backend, request.key(), request.version(), 0, Long.MAX_VALUE);
      case Selection.Range(long first, long last) ->
          CacheMisses.read(backend, request.key(), request.version(), first, last);
      case Selection.Suffix suffix -> null;
      case Selection.Part part -> null;
    };
  }

  private OutgoingBody passing(
      ObjectHead head, Optional<String> version, Backend backend, @Nullable BackendRead begun)
      throws IOException, ChangedObjectException {
    PassingReader reader = new PassingReader(head, version, backend, meters, begun);
    if (head.length() == 0) {
      reader.close();
      return EMPTY;
    }
    return streamOf(reader, reader::begin, head.length());
  }

  /** Obtains the first bytes of a body. */
  private interface Beginning {
    void begin() throws IOException;
  }

  private OutgoingBody streamOf(ChunkSource source, Beginning beginning, long length)
      throws IOException, ChangedObjectException {
    try {
      beginning.begin();
    } catch (BackendException e) {
      source.close();
      throw changed(e);
    } catch (IOException | RuntimeException e) {
      source.close();
      throw e;
    }
    ChunkPublisher publisher = new ChunkPublisher(source, length, buffers, threads);
    return new OutgoingBody.Stream(publisher, length, publisher::close);
  }

  /** Throws the failure, as a change of the object if it shows one. */
  private static ChangedObjectException changed(BackendException e) {
    if (e.isAboutObject()) {
      return new ChangedObjectException(e);
    }
    throw e;
  }

  private static final OutgoingBody EMPTY =
      new OutgoingBody.Bytes(ByteBuffer.allocate(0), () -> {});
}
