package dev.tarn.targetnode.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.targetnode.backend.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The known data of the open uploads of buckets with a backend: the algorithm that an upload
 * declares, and the size and verified checksums of each part. Backends get no checksums, so only
 * this target can verify those that a client names to complete its upload. A restart loses the
 * knowledge, and so does a new owner of the key; checksums that cannot be verified then are
 * refused.
 */
final class KnownUploads {
  /** Bounds what is known: an upload counts as one part more than it has. */
  private static final long PARTS_MAX = 200_000;

  private static final Duration IDLE_MAX = Duration.ofDays(7);

  private record Upload(BucketId bucket, String id) {}

  /** One upload. */
  private record Known(Optional<ChecksumAlgorithm> algorithm, Map<Integer, ObjectPart> parts) {
    Known with(ObjectPart part) {
      Map<Integer, ObjectPart> more = parts;
      more.put(part.number(), part);
      return new Known(algorithm, more);
    }
  }

  private final Cache<Upload, Known> uploads =
      Caffeine.newBuilder()
          .maximumWeight(PARTS_MAX)
          .weigher((Upload upload, Known known) -> known.parts().size() + 1)
          .expireAfterAccess(IDLE_MAX)
          .build();

  /** Remembers an upload that has begun. */
  void began(TargetRequest.CreateUpload request, String uploadId) {
    Upload upload = new Upload(request.scope().bucket(), uploadId);
    uploads.put(upload, new Known(request.checksum(), new ConcurrentHashMap<>()));
  }

  /** The algorithm that the upload declares; empty if none or unknown. */
  Optional<ChecksumAlgorithm> algorithmOf(UploadRequest<?> request) {
    return Optional.ofNullable(uploads.getIfPresent(uploadOf(request))).flatMap(Known::algorithm);
  }

  /** Remembers a stored part. */
  void stored(UploadRequest<ObjectPart> request, ObjectPart part) {
    uploads
        .asMap()
        .compute(
            uploadOf(request),
            (upload, known) ->
                (known == null ? new Known(Optional.empty(), new ConcurrentHashMap<>()) : known)
                    .with(part));
  }

  /** Forgets an upload that has ended. */
  void ended(UploadRequest<?> request) {
    uploads.invalidate(uploadOf(request));
  }

  private static Upload uploadOf(UploadRequest<?> request) {
    return new Upload(request.scope().bucket(), request.uploadId());
  }

  /**
   * Why an upload cannot be completed as the client expects it; empty if nothing speaks against it.
   */
  Optional<Failure> refuse(Complete request, Backend backend) {
    boolean namesChecksums = request.parts().stream().anyMatch(part -> !part.checksums().isEmpty());
    if (request.sizeBytes().isEmpty() && request.checksum().isEmpty() && !namesChecksums) {
      return Optional.empty();
    }
    List<ObjectPart> known = new ArrayList<>(request.parts().size());
    Known remembered = uploads.getIfPresent(uploadOf(request));
    Map<Integer, ObjectPart> stored = remembered == null ? Map.of() : remembered.parts();
    boolean allRemembered =
        request.parts().stream().allMatch(named -> isNamed(stored.get(named.number()), named));
    Map<Integer, ObjectPart> listed = allRemembered ? Map.of() : listed(request, backend);
    for (CompletedPart named : request.parts()) {
      ObjectPart part = stored.get(named.number());
      if (!isNamed(part, named)) {
        part = listed.get(named.number());
      }
      if (part == null || !isNamed(part, named)) {
        return Optional.of(new Failure.InvalidPart(named.number()));
      }
      Optional<Failure> refusal = refusePart(part, named);
      if (refusal.isPresent()) {
        return refusal;
      }
      known.add(part);
    }
    return request.refuseSize(known).or(() -> refuseChecksum(request, known));
  }

  private static boolean isNamed(@Nullable ObjectPart part, CompletedPart named) {
    return part != null && (named.etag().isEmpty() || named.etag().equals(part.etag()));
  }

  private static Optional<Failure> refusePart(ObjectPart part, CompletedPart named) {
    for (ObjectChecksum checksum : named.checksums()) {
      Optional<String> value = part.checksum(checksum.algorithm());
      if (value.isEmpty()) {
        return Optional.of(unverifiable(checksum, "part " + named.number()));
      }
      if (!value.orElseThrow().equals(checksum.value())) {
        return Optional.of(new Failure.InvalidPart(named.number()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Failure> refuseChecksum(Complete request, List<ObjectPart> known) {
    if (request.checksum().isEmpty() || known.isEmpty()) {
      return Optional.empty();
    }
    ObjectChecksum expected = request.checksum().orElseThrow();
    Optional<ObjectChecksum> actual;
    try {
      actual = ChecksumValues.ofParts(expected.algorithm(), expected.type(), known);
    } catch (IllegalArgumentException e) {
      actual = Optional.empty();
    }
    if (actual.isEmpty()) {
      return Optional.of(unverifiable(expected, "the object"));
    }
    return actual.orElseThrow().isNamedBy(expected)
        ? Optional.empty()
        : Optional.of(new Failure.BadChecksum(expected.algorithm()));
  }

  private static Failure unverifiable(ObjectChecksum checksum, String what) {
    return new Failure.InvalidRequest(
        "CompleteMultipartUpload failed: the "
            + checksum.algorithm()
            + " of "
            + what
            + " cannot be verified, because the target no longer knows the parts or they were sent"
            + " without it; complete the upload without checksums.");
  }

  /** The parts of the upload that the backend lists, by number. */
  private static Map<Integer, ObjectPart> listed(Complete request, Backend backend) {
    Map<Integer, ObjectPart> listed = new HashMap<>();
    int after = 0;
    boolean more = true;
    while (more) {
      PartPage page =
          backend.listParts(request.key(), request.uploadId(), after, TargetRequest.PAGE_MAX);
      page.parts().forEach(part -> listed.put(part.number(), part));
      more = page.truncated();
      after = page.parts().isEmpty() ? after : page.parts().getLast().number();
    }
    return listed;
  }
}
