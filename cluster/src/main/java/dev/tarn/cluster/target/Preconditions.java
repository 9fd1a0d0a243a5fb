package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which a call is to be carried out, evaluated by the owner in one step with
 * the read or the commit. The order is that of S3: If-Match, If-Unmodified-Since (only where there
 * is no If-Match), If-None-Match, If-Modified-Since (only where there is no If-None-Match).
 *
 * @param ifMatch ETags without quotes, or {@code *}; empty for no condition
 * @param ifNoneMatch ETags without quotes, or {@code *}; empty for no condition
 * @param ifModifiedSinceMs milliseconds since 1970, compared by whole seconds
 * @param ifUnmodifiedSinceMs milliseconds since 1970, compared by whole seconds
 */
public record Preconditions(
    List<String> ifMatch,
    List<String> ifNoneMatch,
    OptionalLong ifModifiedSinceMs,
    OptionalLong ifUnmodifiedSinceMs) {
  /** No condition. */
  public static final Preconditions NONE =
      new Preconditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.empty());

  public Preconditions {
    ifMatch = List.copyOf(requireNonNull(ifMatch, "ifMatch is null"));
    ifNoneMatch = List.copyOf(requireNonNull(ifNoneMatch, "ifNoneMatch is null"));
    requireNonNull(ifModifiedSinceMs, "ifModifiedSinceMs is null");
    requireNonNull(ifUnmodifiedSinceMs, "ifUnmodifiedSinceMs is null");
  }

  /** Whether there is no condition at all. */
  public boolean isEmpty() {
    return ifMatch.isEmpty()
        && ifNoneMatch.isEmpty()
        && ifModifiedSinceMs.isEmpty()
        && ifUnmodifiedSinceMs.isEmpty();
  }

  /** Why a read of this object must not be carried out, if it must not. */
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

  /** Why this object must not be copied, if it must not: a copy is never "not modified". */
  public Optional<Failure> refuseCopyFrom(ObjectMetadata source) {
    return refuseRead(source)
        .map(failure ->
            failure instanceof Failure.NotModified
                ? new Failure.PreconditionFailed(
                    ifNoneMatch.isEmpty() ? "If-Modified-Since" : "If-None-Match")
                : failure);
  }

  /**
   * Why a write must not be committed, if it must not. A condition that an object must meet is met
   * by none that is not there: {@link Failure.NoSuchKey}.
   *
   * @param present the newest version, or null where there is none or it is a delete marker
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

  private Optional<Failure> refuseChanged(ObjectMetadata object) {
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
    return Math.floorDiv(object.modifiedMs(), 1000) > Math.floorDiv(timeMs.orElseThrow(), 1000);
  }
}
