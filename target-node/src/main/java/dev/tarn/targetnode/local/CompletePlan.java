package dev.tarn.targetnode.local;

import static dev.tarn.cluster.target.UploadRequest.PART_BYTES_MIN;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.targetnode.store.record.PartRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.UploadRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The result of completing an upload: its parts, ETag and checksums. */
final class CompletePlan {
  private CompletePlan() {}

  /** The content of the object, or the failure if the request is wrong. */
  static Outcome<Commits.Content> of(
      Complete request, UploadRecord upload, List<PartRecord> stored) {
    return choose(request, stored).then(chosen -> content(request, upload, chosen));
  }

  private static Outcome<List<PartRecord>> choose(Complete request, List<PartRecord> stored) {
    if (request.parts().isEmpty()) {
      return Outcome.failed(new Failure.InvalidRequest("You must specify at least one part."));
    }
    Map<Integer, PartRecord> byNumber =
        stored.stream()
            .collect(Collectors.toMap(part -> part.part().number(), Function.identity()));
    List<PartRecord> chosen = new ArrayList<>(request.parts().size());
    int before = 0;
    for (CompletedPart named : request.parts()) {
      if (named.number() <= before) {
        return Outcome.failed(new Failure.InvalidPartOrder(named.number()));
      }
      before = named.number();
      PartRecord part = byNumber.get(named.number());
      if (part == null || !matches(named, part.part())) {
        return Outcome.failed(new Failure.InvalidPart(named.number()));
      }
      chosen.add(part);
    }
    return tooSmall(chosen)
        .map(Outcome::<List<PartRecord>>failed)
        .orElseGet(() -> Outcome.success(chosen));
  }

  private static Optional<Failure> tooSmall(List<PartRecord> chosen) {
    return chosen.subList(0, chosen.size() - 1).stream()
        .map(PartRecord::part)
        .filter(part -> part.sizeBytes() < PART_BYTES_MIN)
        .findFirst()
        .map(part -> new Failure.PartTooSmall(part.number(), part.sizeBytes(), PART_BYTES_MIN));
  }

  private static boolean matches(CompletedPart named, ObjectPart part) {
    return (named.etag().isEmpty() || named.etag().equals(part.etag()))
        && named.checksums().stream()
            .allMatch(checksum ->
                part.checksum(checksum.algorithm())
                    .filter(value -> value.equals(checksum.value()))
                    .isPresent());
  }

  private static Outcome<Commits.Content> content(
      Complete request, UploadRecord upload, List<PartRecord> chosen) {
    List<ObjectPart> parts = chosen.stream().map(PartRecord::part).toList();
    List<Piece> pieces = chosen.stream().flatMap(part -> part.pieces().stream()).toList();
    long sizeBytes = parts.stream().mapToLong(ObjectPart::sizeBytes).sum();
    List<ObjectChecksum> checksums = checksums(upload, parts);
    return refuse(request, parts, checksums)
        .map(Outcome::<Commits.Content>failed)
        .orElseGet(() ->
            Outcome.success(
                new Commits.Content(
                    request.name(),
                    sizeBytes,
                    etag(parts),
                    checksums,
                    upload.attributes(),
                    parts,
                    pieces,
                    upload.id(),
                    ByteBuffer.allocate(0))));
  }

  private static String etag(List<ObjectPart> parts) {
    StreamingDigest md5 = StreamingDigest.md5();
    for (ObjectPart part : parts) {
      md5.update(ByteBuffer.wrap(HexFormat.of().parseHex(part.etag())));
    }
    return HexFormat.of().formatHex(md5.finish()) + "-" + parts.size();
  }

  /** The checksums of the declared algorithm, or of each algorithm that every part has. */
  private static List<ObjectChecksum> checksums(UploadRecord upload, List<ObjectPart> parts) {
    List<ObjectChecksum> checksums = new ArrayList<>();
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      if (upload.checksum().orElse(algorithm) == algorithm) {
        ChecksumType type =
            upload.checksumType().orElseGet(() -> ChecksumType.defaultOf(algorithm));
        ChecksumValues.ofParts(algorithm, type, parts).ifPresent(checksums::add);
      }
    }
    return checksums;
  }

  private static Optional<Failure> refuse(
      Complete request, List<ObjectPart> parts, List<ObjectChecksum> checksums) {
    return request
        .refuseSize(parts)
        .or(() ->
            request
                .checksum()
                .filter(
                    expected -> checksums.stream().noneMatch(actual -> actual.isNamedBy(expected)))
                .map(expected -> new Failure.BadChecksum(expected.algorithm())));
  }
}
