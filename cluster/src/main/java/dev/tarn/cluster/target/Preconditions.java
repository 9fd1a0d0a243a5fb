package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a call. The owner evaluates them in one step with the read or the commit, in
 * the order of S3: size and time, If-Match, If-Unmodified-Since (only without If-Match),
 * If-None-Match, If-Modified-Since (only without If-None-Match).
 *
 * @param ifMatch ETags without quotes, or {@code *}; empty for no condition
 * @param ifNoneMatch ETags without quotes, or {@code *}; empty for no condition
 * @param ifModifiedSinceMs milliseconds since 1970, compared by whole seconds
 * @param ifUnmodifiedSinceMs milliseconds since 1970, compared by whole seconds
 * @param ifSizeBytes the size of the object, if there is one
 * @param ifModifiedAtMs when the object was modified, if there is one; milliseconds since 1970,
 *     compared by whole seconds
 */
public record Preconditions(
    List<String> ifMatch,
    List<String> ifNoneMatch,
    OptionalLong ifModifiedSinceMs,
    OptionalLong ifUnmodifiedSinceMs,
    OptionalLong ifSizeBytes,
    OptionalLong ifModifiedAtMs) {
  /** No conditions. */
  public static final Preconditions NONE =
      new Preconditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.empty());

  public Preconditions {
    ifMatch = List.copyOf(requireNonNull(ifMatch, "ifMatch is null"));
    ifNoneMatch = List.copyOf(requireNonNull(ifNoneMatch, "ifNoneMatch is null"));
    requireNonNull(ifModifiedSinceMs, "ifModifiedSinceMs is null");
    requireNonNull(ifUnmodifiedSinceMs, "ifUnmodifiedSinceMs is null");
    requireNonNull(ifSizeBytes, "ifSizeBytes is null");
    requireNonNull(ifModifiedAtMs, "ifModifiedAtMs is null");
  }

  /** Conditions that HTTP knows. */
  public Preconditions(
      List<String> ifMatch,
      List<String> ifNoneMatch,
      OptionalLong ifModifiedSinceMs,
      OptionalLong ifUnmodifiedSinceMs) {
    this(
        ifMatch,
        ifNoneMatch,
        ifModifiedSinceMs,
        ifUnmodifiedSinceMs,
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** Whether there are conditions on size or time, which HTTP does not know. */
  public boolean isOfSizeOrTime() {
    return ifSizeBytes.isPresent() || ifModifiedAtMs.isPresent();
  }

  /** Whether there are no conditions. */
  public boolean isEmpty() {
    return ifMatch.isEmpty()
        && ifNoneMatch.isEmpty()
        && ifModifiedSinceMs.isEmpty()
        && ifUnmodifiedSinceMs.isEmpty()
        && !isOfSizeOrTime();
  }

  /** The failure of a read of this object; empty if the conditions allow the read. */
  public Optional<Failure> refuseRead(ObjectMetadata object) {
    if (isEmpty()) {
      return Optional.empty();
    }
    Optional<Failure> changed = refuseChanged(object);
    if (changed.isPresent()) {
      return changed;
    }
    if (!ifNoneMatch.isEmpty()) {
      return matches(ifNoneMatch, object)
          ? Optional.of(new Failure.NotModified(object))
          : Optional.empty();
    }
    return ifModifiedSinceMs.isPresent() && !modifiedSince(object, ifModifiedSinceMs)
        ? Optional.of(new Failure.NotModified(object))
        : Optional.empty();
  }

  /**
   * The failure of a copy of this object; empty if the conditions allow the copy. A copy fails with
   * a failed precondition where a read is "not modified".
   */
  public Optional<Failure> refuseCopyFrom(ObjectMetadata source) {
    return refuseRead(source)
        .map(failure ->
            failure instanceof Failure.NotModified
                ? new Failure.PreconditionFailed(
                    ifNoneMatch.isEmpty() ? "If-Modified-Since" : "If-None-Match")
                : failure);
  }

  /**
   * The failure of a write; empty if the conditions allow the commit. If there is no object,
   * If-Match fails with {@link Failure.NoSuchKey}, and the other conditions hold.
   *
   * @param present the newest version, or null if there is none or it is a delete marker
   */
  public Optional<Failure> refuseWrite(@Nullable ObjectMetadata present) {
    if (isEmpty()) {
      return Optional.empty();
    }
    if (present == null) {
      return ifMatch.isEmpty() ? Optional.empty() : Optional.of(new Failure.NoSuchKey());
    }
    return refuseCopyFrom(present);
  }

  /**
   * The failure of a delete; empty if the conditions allow it. Conditions on size and time apply to
   * the version that goes, and hold if there is none. The others apply to the newest version, as in
   * {@link #refuseWrite}.
   *
   * @param present the newest version, or null if there is none or it is a delete marker
   * @param deleted the version that the delete names, or {@code present} if it names none
   */
  public Optional<Failure> refuseDelete(
      @Nullable ObjectMetadata present, @Nullable ObjectMetadata deleted) {
    Optional<Failure> other = deleted == null ? Optional.empty() : refuseOtherSizeOrTime(deleted);
    return other.isPresent()
        ? other
        : new Preconditions(ifMatch, ifNoneMatch, ifModifiedSinceMs, ifUnmodifiedSinceMs)
            .refuseWrite(present);
  }

  /** A delete marker has a time, but no size. */
  private Optional<Failure> refuseOtherSizeOrTime(ObjectMetadata object) {
    if (ifSizeBytes.isPresent()
        && (object.deleteMarker() || ifSizeBytes.orElseThrow() != object.sizeBytes())) {
      return Optional.of(new Failure.PreconditionFailed("x-amz-if-match-size"));
    }
    return ifModifiedAtMs.isPresent()
            && seconds(ifModifiedAtMs.orElseThrow()) != seconds(object.modifiedMs())
        ? Optional.of(new Failure.PreconditionFailed("x-amz-if-match-last-modified-time"))
        : Optional.empty();
  }

  private Optional<Failure> refuseChanged(ObjectMetadata object) {
    Optional<Failure> other = refuseOtherSizeOrTime(object);
    if (other.isPresent()) {
      return other;
    }
    if (!ifMatch.isEmpty()) {
      return matches(ifMatch, object)
          ? Optional.empty()
          : Optional.of(new Failure.PreconditionFailed("If-Match"));
    }
    return ifUnmodifiedSinceMs.isPresent() && modifiedSince(object, ifUnmodifiedSinceMs)
        ? Optional.of(new Failure.PreconditionFailed("If-Unmodified-Since"))
        : Optional.empty();
  }

  private static boolean matches(List<String> etags, ObjectMetadata object) {
    return etags.contains("*") || etags.contains(object.etag());
  }

  private static boolean modifiedSince(ObjectMetadata object, OptionalLong timeMs) {
    return seconds(object.modifiedMs()) > seconds(timeMs.orElseThrow());
  }

  private static long seconds(long timeMs) {
    return Math.floorDiv(timeMs, 1000);
  }
}
