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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this target knows of the open uploads of buckets with a backend: the algorithm that an
 * upload declares, and the size and verified checksums of each part. Backends get no checksums, so
 * only this target can verify those that a client names to complete its upload. The knowledge is
 * lost at a restart; what cannot be verified then is refused.
 */
final class KnownUploads {
  private static final long UPLOADS_MAX = 10_000;
  private static final long PARTS_MAX = 100_000;
  private static final int NOT_IMPLEMENTED = 501;

  private record Upload(BucketId bucket, String id) {}

  private record Part(Upload upload, int number) {}

  private final Cache<Upload, ChecksumAlgorithm> algorithms =
      Caffeine.newBuilder().maximumSize(UPLOADS_MAX).build();
  private final Cache<Part, ObjectPart> parts =
      Caffeine.newBuilder().maximumSize(PARTS_MAX).build();

  /** Remembers an upload that has begun. */
  void began(TargetRequest.CreateUpload request, String uploadId) {
    Upload upload = new Upload(request.scope().bucket(), uploadId);
    request.checksum().ifPresent(algorithm -> algorithms.put(upload, algorithm));
  }

  /** The algorithm that the upload declares; empty if none or unknown. */
  Optional<ChecksumAlgorithm> algorithmOf(UploadRequest<?> request) {
    return Optional.ofNullable(algorithms.getIfPresent(uploadOf(request)));
  }

  /** Remembers a stored part. */
  void stored(UploadRequest<ObjectPart> request, ObjectPart part) {
    parts.put(new Part(uploadOf(request), request.number()), part);
  }

  /** Forgets an upload that has ended. */
  void ended(UploadRequest<?> request) {
    algorithms.invalidate(uploadOf(request));
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
    Map<Integer, ObjectPart> listed = new HashMap<>();
    for (CompletedPart named : request.parts()) {
      ObjectPart part = parts.getIfPresent(new Part(uploadOf(request), named.number()));
      if (part == null || !isNamed(part, named)) {
        part = listed(request, backend, listed).get(named.number());
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

  private static boolean isNamed(ObjectPart part, CompletedPart named) {
    return named.etag().isEmpty() || named.etag().equals(part.etag());
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
    return new Failure.BackendFailed(
        NOT_IMPLEMENTED,
        "NotImplemented",
        "CompleteMultipartUpload failed: the "
            + checksum.algorithm()
            + " of "
            + what
            + " cannot be verified, because the parts were sent without it or before the target"
            + " restarted; complete the upload without checksums.");
  }

  /** The parts of the upload that the backend lists, by number; asked once for each request. */
  private static Map<Integer, ObjectPart> listed(
      Complete request, Backend backend, Map<Integer, ObjectPart> listed) {
    boolean more = listed.isEmpty();
    for (int after = 0; more; ) {
      PartPage page =
          backend.listParts(request.key(), request.uploadId(), after, TargetRequest.PAGE_MAX);
      page.parts().forEach(part -> listed.put(part.number(), part));
      more = page.truncated() && !page.parts().isEmpty();
      after = more ? page.parts().getLast().number() : after;
    }
    return listed;
  }
}
