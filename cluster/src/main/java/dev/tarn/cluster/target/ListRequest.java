package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A request for a page of a bucket; every member contributes.
 *
 * @param <R> the value of a success
 */
public sealed interface ListRequest<R> extends TargetRequest<R> {
  /** The prefix of the listed keys; empty for all. */
  String prefix();

  /** The greatest number of entries of the page. */
  int entriesMax();

  @Override
  default boolean readsOnly() {
    return true;
  }

  /** Merges the pages of all members into one; empty if there are none. */
  R merged(List<R> pages);

  /** Merges the pages of the members that are there, and marks the page as partial. */
  default R mergedInPart(List<R> pages) {
    return merged(pages);
  }

  /**
   * Lists a page of objects and common prefixes in the order of the keys' bytes. Keys whose newest
   * version is a delete marker are left out.
   *
   * @param prefix of the listed keys; empty for all
   * @param delimiter groups the keys that contain it after the prefix; empty for no groups
   * @param after a key or a common prefix of an earlier page: only later entries are listed; empty
   *     for the beginning
   * @param entriesMax 0 to 1000; common prefixes count
   */
  record ListObjects(CallScope scope, String prefix, String delimiter, String after, int entriesMax)
      implements ListRequest<ListPage> {
    public ListObjects {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(delimiter, "delimiter is null");
      requireNonNull(after, "after is null");
      MergedPages.checkSize(entriesMax);
    }

    @Override
    public ListObjects at(long since, Deadline deadline) {
      return new ListObjects(scope.at(since, deadline), prefix, delimiter, after, entriesMax);
    }

    @Override
    public ListPage merged(List<ListPage> pages) {
      return MergedPages.objects(pages, entriesMax);
    }

    @Override
    public ListPage mergedInPart(List<ListPage> pages) {
      return merged(pages).asPartial();
    }

    @Override
    public <C> CompletionStage<Outcome<ListPage>> on(TargetHandler<C> handler, C call) {
      return handler.listObjects(this, call);
    }
  }

  /**
   * Lists a page of versions, delete markers and common prefixes in the order of the keys' bytes.
   * The versions of one key are listed newest first.
   *
   * @param prefix of the listed keys; empty for all
   * @param delimiter groups the keys that contain it after the prefix; empty for no groups
   * @param afterKey a key or a common prefix of an earlier page: only later entries are listed;
   *     empty for the beginning
   * @param afterVersion the entries follow this version of {@code afterKey}, whether or not it
   *     still exists; a {@code null} version that does not exist any more comes before all
   *     versions. Empty if the entries follow all versions of {@code afterKey}.
   * @param entriesMax 0 to 1000; common prefixes count
   */
  record ListVersions(
      CallScope scope,
      String prefix,
      String delimiter,
      String afterKey,
      String afterVersion,
      int entriesMax)
      implements ListRequest<VersionPage> {
    public ListVersions {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(delimiter, "delimiter is null");
      requireNonNull(afterKey, "afterKey is null");
      requireNonNull(afterVersion, "afterVersion is null");
      MergedPages.checkSize(entriesMax);
    }

    @Override
    public ListVersions at(long since, Deadline deadline) {
      return new ListVersions(
          scope.at(since, deadline), prefix, delimiter, afterKey, afterVersion, entriesMax);
    }

    @Override
    public VersionPage merged(List<VersionPage> pages) {
      return MergedPages.versions(pages, entriesMax);
    }

    @Override
    public VersionPage mergedInPart(List<VersionPage> pages) {
      return merged(pages).asPartial();
    }

    @Override
    public <C> CompletionStage<Outcome<VersionPage>> on(TargetHandler<C> handler, C call) {
      return handler.listVersions(this, call);
    }
  }

  /**
   * Lists a page of a bucket's open uploads in order of key, then of upload id.
   *
   * @param prefix of the listed keys; empty for all
   * @param delimiter groups the keys that contain it after the prefix; empty for no groups
   * @param afterKey uploads of greater keys are listed, and those of this key whose id is greater
   *     than a non-empty {@code afterUploadId}; empty for the beginning
   * @param entriesMax 0 to 1000; common prefixes count
   */
  record ListUploads(
      CallScope scope,
      String prefix,
      String delimiter,
      String afterKey,
      String afterUploadId,
      int entriesMax)
      implements ListRequest<UploadPage> {
    public ListUploads {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(delimiter, "delimiter is null");
      requireNonNull(afterKey, "afterKey is null");
      requireNonNull(afterUploadId, "afterUploadId is null");
      MergedPages.checkSize(entriesMax);
    }

    @Override
    public ListUploads at(long since, Deadline deadline) {
      return new ListUploads(
          scope.at(since, deadline), prefix, delimiter, afterKey, afterUploadId, entriesMax);
    }

    @Override
    public UploadPage merged(List<UploadPage> pages) {
      return MergedPages.uploads(pages, entriesMax);
    }

    @Override
    public UploadPage mergedInPart(List<UploadPage> pages) {
      return merged(pages).asPartial();
    }

    @Override
    public <C> CompletionStage<Outcome<UploadPage>> on(TargetHandler<C> handler, C call) {
      return handler.listUploads(this, call);
    }
  }

  /**
   * Drops cached objects of a bucket with a backend from the disks of each member that is in
   * service. The backend keeps all its objects. A bucket without a backend is refused, because its
   * objects have no other copy.
   *
   * <p>A read that has begun before caches nothing that it has asked the backend for.
   *
   * @param prefix of the keys; empty for all
   * @param after only objects with greater keys are dropped; empty for all
   * @param entriesMax how many objects each disk drops at most, 0 to 1000
   * @param keys if there are any, only these objects are dropped, at most 1000; prefix and after
   *     are empty then
   */
  record Evict(CallScope scope, String prefix, String after, int entriesMax, List<OutdatedKey> keys)
      implements ListRequest<Evicted> {
    /** The refusal of a bucket without a backend. */
    public static final Failure NOT_CACHED =
        new Failure.InvalidRequest(
            "Eviction failed: the bucket has no backend, so its objects have no other copy; only a"
                + " bucket with a backend has cached bytes.");

    public Evict {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(after, "after is null");
      MergedPages.checkSize(entriesMax);
      keys = List.copyOf(requireNonNull(keys, "keys is null"));
      MergedPages.checkSize(keys.size());
      if (!keys.isEmpty() && !(prefix.isEmpty() && after.isEmpty())) {
        throw new IllegalArgumentException("an eviction names keys and a prefix");
      }
    }

    /** A step of the eviction of all objects whose keys begin with a prefix. */
    public Evict(CallScope scope, String prefix, String after, int entriesMax) {
      this(scope, prefix, after, entriesMax, List.of());
    }

    /** The eviction of these objects. */
    public static Evict ofKeys(CallScope scope, List<OutdatedKey> keys) {
      return new Evict(scope, "", "", TargetRequest.PAGE_MAX, keys);
    }

    @Override
    public boolean readsOnly() {
      return false;
    }

    @Override
    public Evict at(long since, Deadline deadline) {
      return new Evict(scope.at(since, deadline), prefix, after, entriesMax, keys);
    }

    @Override
    public Evicted merged(List<Evicted> steps) {
      return Evicted.sum(steps);
    }

    @Override
    public <C> CompletionStage<Outcome<Evicted>> on(TargetHandler<C> handler, C call) {
      return handler.evict(this, call);
    }
  }
}
