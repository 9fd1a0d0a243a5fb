package dev.tarn.targetnode.lifecycle;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadPage.UploadEntry;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.targetnode.lifecycle.LifecycleMeters.Deed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One walk through a bucket, which expires what the bucket's rules say is due. Blocks. */
final class BucketWalk {
  private static final int UNDERWAY_MAX = 32;

  /** Conditions compare times by whole seconds: only times at least this far apart differ. */
  private static final long SECOND_MS = 1000;

  private final ObjectTarget target;
  private final Bucket bucket;
  private final CallScope scope;
  private final List<LifecycleRule> rules;
  private final long nowMs;
  private final LifecycleMeters meters;
  private final BooleanSupplier stands;
  private final Queue<CompletableFuture<?>> underway = new ArrayDeque<>();

  /**
   * Prepares a walk.
   *
   * @param stands called before every page and every deletion; the walk stops if the rules are no
   *     longer valid
   */
  BucketWalk(
      ObjectTarget target,
      Bucket bucket,
      long nowMs,
      LifecycleMeters meters,
      BooleanSupplier stands) {
    this.target = target;
    this.bucket = bucket;
    this.scope =
        new CallScope(
            bucket.id(),
            bucket.settingsVersion(),
            CallScope.BY_OWN_MAP,
            CallContext.background("lifecycle-" + bucket.name()));
    this.rules =
        bucket.configuration().lifecycle().stream().filter(LifecycleRule::enabled).toList();
    this.nowMs = nowMs;
    this.meters = meters;
    this.stands = stands;
  }

  /** Why the walk ended early. */
  static final class BrokenOffException extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenOffException(Failure failure) {
      super(failure.message());
    }
  }

  void run() throws BrokenOffException {
    try {
      for (String prefix : prefixes(BucketWalk::endsVersions)) {
        walkVersions(prefix);
      }
      for (String prefix : prefixes(rule -> rule.abortUploadsAfterDays().isPresent())) {
        walkUploads(prefix);
      }
    } finally {
      while (!underway.isEmpty()) {
        underway.remove().join();
      }
    }
  }

  private static boolean endsVersions(LifecycleRule rule) {
    return rule.expiration().isPresent() || rule.noncurrentDays().isPresent();
  }

  /** The prefixes of these rules; none of them begins with another. */
  private List<String> prefixes(Predicate<LifecycleRule> wanted) {
    List<String> apart = new ArrayList<>();
    rules.stream()
        .filter(wanted)
        .map(rule -> rule.filter().prefix())
        .sorted()
        .forEach(prefix -> {
          if (apart.isEmpty() || !prefix.startsWith(apart.getLast())) {
            apart.add(prefix);
          }
        });
    return apart;
  }

  private void walkVersions(String prefix) throws BrokenOffException {
    DueVersions due = new DueVersions(rules, nowMs);
    VersionEntry marker = null;
    VersionEntry current = null;
    String afterKey = "";
    String afterVersion = "";
    boolean more = true;
    while (more && stands.getAsBoolean()) {
      VersionPage page =
          await(
              target.call(
                  new ListRequest.ListVersions(
                      scope, prefix, "", afterKey, afterVersion, TargetRequest.PAGE_MAX)));
      for (VersionPage.Entry entry : page.entries()) {
        VersionEntry version = (VersionEntry) entry;
        if (marker != null && !marker.key().equals(version.key())) {
          endLoneMarker(due, marker);
        }
        marker = version.latest() && version.deleteMarker() ? version : null;
        current = version.latest() ? version : current;
        if (due.isDue(version, new Tags(version))) {
          end(version, current);
        }
        afterKey = version.key().text();
        afterVersion = version.version().text();
      }
      more = page.truncated() && !page.entries().isEmpty();
    }
    if (marker != null && !more) {
      endLoneMarker(due, marker);
    }
  }

  private void endLoneMarker(DueVersions due, VersionEntry marker) {
    if (due.isLoneMarkerDue(marker)) {
      delete(marker, Preconditions.NONE, Deed.MARKER_REMOVED);
    }
  }

  /**
   * The tags of a version, fetched once; empty for a delete marker or a version that does not exist
   * any more.
   */
  private final class Tags implements Supplier<Map<String, String>> {
    private final VersionEntry version;
    private @Nullable Map<String, String> known;

    Tags(VersionEntry version) {
      this.version = version;
    }

    @Override
    public Map<String, String> get() {
      Map<String, String> tags = known;
      if (tags == null) {
        tags = version.deleteMarker() ? Map.of() : ask();
        known = tags;
      }
      return tags;
    }

    private Map<String, String> ask() {
      TargetRequest.Head head =
          TargetRequest.Head.ofWhole(scope, version.key(), Optional.of(version.version().text()));
      return target.call(head).toCompletableFuture().join()
              instanceof Outcome.Success<ObjectHead> found
          ? found.value().metadata().attributes().tags()
          : Map.of();
    }
  }

  private void end(VersionEntry version, @Nullable VersionEntry current) {
    if (!version.latest()) {
      delete(version, unlessCurrent(version, current), Deed.VERSION_REMOVED);
    } else if (bucket.configuration().versioning() == Versioning.OFF) {
      delete(version, Preconditions.NONE, Deed.OBJECT_EXPIRED);
    } else {
      // The conditions protect a version that was put after the listing. They fail for a key that
      // was deleted after it: a second delete marker would hide nothing.
      Preconditions unchanged =
          new Preconditions(
              List.of(version.etag()),
              List.of(),
              OptionalLong.empty(),
              OptionalLong.empty(),
              OptionalLong.empty(),
              OptionalLong.of(version.modifiedMs()));
      delete(version.key(), Optional.empty(), unchanged, Deed.OBJECT_EXPIRED);
    }
  }

  /**
   * The condition under which a noncurrent version is removed. It protects a version that has
   * become current since the listing, because the versions above it were removed. Its ETag tells it
   * from the current version; if the ETags are equal, its time does.
   */
  private static Preconditions unlessCurrent(VersionEntry version, @Nullable VersionEntry current) {
    if (current == null || !current.etag().equals(version.etag())) {
      return new Preconditions(
          List.of(), List.of(version.etag()), OptionalLong.empty(), OptionalLong.empty());
    }
    Preconditions replaced =
        new Preconditions(
            List.of(), List.of(), OptionalLong.of(version.modifiedMs()), OptionalLong.empty());
    return current.modifiedMs() - version.modifiedMs() < SECOND_MS ? Preconditions.NONE : replaced;
  }

  /**
   * Removes exactly this version. Its own text, even of a null version, never names a later null
   * version.
   */
  private void delete(VersionEntry version, Preconditions preconditions, Deed deed) {
    delete(version.key(), Optional.of(version.version().text()), preconditions, deed);
  }

  private void delete(
      ObjectKey key, Optional<String> version, Preconditions preconditions, Deed deed) {
    start(
        () -> target.call(new TargetRequest.Delete(scope, key, version, preconditions)),
        Deleted::existed,
        deed);
  }

  private void walkUploads(String prefix) throws BrokenOffException {
    DueVersions due = new DueVersions(rules, nowMs);
    String afterKey = "";
    String afterUploadId = "";
    boolean more = true;
    while (more && stands.getAsBoolean()) {
      UploadPage page =
          await(
              target.call(
                  new ListRequest.ListUploads(
                      scope, prefix, "", afterKey, afterUploadId, TargetRequest.PAGE_MAX)));
      for (UploadPage.Entry entry : page.entries()) {
        UploadEntry upload = (UploadEntry) entry;
        if (due.isUploadDue(upload.key(), upload.initiatedMs())) {
          start(
              () -> target.call(new UploadRequest.Abort(scope, upload.key(), upload.uploadId())),
              aborted -> true,
              Deed.UPLOAD_ABORTED);
        }
        afterKey = upload.key().text();
        afterUploadId = upload.uploadId();
      }
      more = page.truncated() && !page.entries().isEmpty();
    }
  }

  private <T> void start(Supplier<CompletionStage<Outcome<T>>> call, Predicate<T> did, Deed deed) {
    if (!stands.getAsBoolean()) {
      return;
    }
    if (underway.size() == UNDERWAY_MAX) {
      underway.remove().join();
    }
    underway.add(
        call.get()
            .handle((outcome, thrown) -> {
              count(outcome, did, deed);
              return deed;
            })
            .toCompletableFuture());
  }

  private <T> void count(@Nullable Outcome<T> outcome, Predicate<T> did, Deed deed) {
    if (outcome instanceof Outcome.Success<T>(T value)) {
      if (did.test(value)) {
        meters.count(deed);
      }
    } else if (!(outcome instanceof Outcome.Failed<T> failed && isNoFault(failed.failure()))) {
      meters.count(Deed.FAILURE);
    }
  }

  /** Whether another call changed the object or upload first, or object lock keeps the version. */
  private static boolean isNoFault(Failure failure) {
    return failure instanceof Failure.Locked
        || failure instanceof Failure.PreconditionFailed
        || failure instanceof Failure.NoSuchKey
        || failure instanceof Failure.NoSuchUpload;
  }

  private static <T> T await(CompletionStage<Outcome<T>> call) throws BrokenOffException {
    return switch (call.toCompletableFuture().join()) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failed<T>(Failure failure) -> throw new BrokenOffException(failure);
    };
  }
}
