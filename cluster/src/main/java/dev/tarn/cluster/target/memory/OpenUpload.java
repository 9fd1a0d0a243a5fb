package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** An upload that is neither completed nor aborted. Guarded by its target's lock. */
final class OpenUpload {
  private final TargetRequest.CreateUpload request;
  private final long initiatedMs;
  private final NavigableMap<Integer, StoredPart> parts = new TreeMap<>();

  OpenUpload(TargetRequest.CreateUpload request, long initiatedMs) {
    this.request = request;
    this.initiatedMs = initiatedMs;
  }

  TargetRequest.CreateUpload request() {
    return request;
  }

  long initiatedMs() {
    return initiatedMs;
  }

  NavigableMap<Integer, StoredPart> parts() {
    return parts;
  }

  long sizeBytes() {
    return parts.values().stream().mapToLong(stored -> stored.bytes().length).sum();
  }

  /** The parts that the request names, in its order, or what is wrong with them. */
  Outcome<List<StoredPart>> choose(Complete complete) {
    if (complete.parts().isEmpty()) {
      return Outcome.failed(new Failure.InvalidRequest("You must specify at least one part."));
    }
    List<StoredPart> chosen = new ArrayList<>();
    int before = 0;
    for (CompletedPart named : complete.parts()) {
      if (named.number() <= before) {
        return Outcome.failed(new Failure.InvalidPartOrder(named.number()));
      }
      before = named.number();
      StoredPart stored = parts.get(named.number());
      if (stored == null || !matches(named, stored.part())) {
        return Outcome.failed(new Failure.InvalidPart(named.number()));
      }
      chosen.add(stored);
    }
    for (StoredPart stored : chosen.subList(0, chosen.size() - 1)) {
      ObjectPart part = stored.part();
      if (part.sizeBytes() < UploadRequest.PART_BYTES_MIN) {
        return Outcome.failed(
            new Failure.PartTooSmall(
                part.number(), part.sizeBytes(), UploadRequest.PART_BYTES_MIN));
      }
    }
    return Outcome.success(chosen);
  }

  private static boolean matches(CompletedPart named, ObjectPart part) {
    return (named.etag().isEmpty() || named.etag().equals(part.etag()))
        && named.checksums().stream()
            .allMatch(checksum ->
                part.checksums().stream()
                    .anyMatch(other ->
                        other.algorithm() == checksum.algorithm()
                            && other.value().equals(checksum.value())));
  }

  /** The checksums of the object that these parts make. */
  List<ObjectChecksum> checksums(List<ObjectPart> chosen, byte[] bytes) {
    List<ObjectChecksum> checksums = new ArrayList<>();
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      boolean everyPartHasIt =
          chosen.stream()
              .allMatch(
                  part -> part.checksums().stream().anyMatch(c -> c.algorithm() == algorithm));
      if (everyPartHasIt && request.checksum().orElse(algorithm) == algorithm) {
        ChecksumType type =
            request.checksumType().orElseGet(() -> ChecksumType.defaultOf(algorithm));
        checksums.add(
            type == ChecksumType.COMPOSITE
                ? ByteDigests.composite(algorithm, chosen)
                : ByteDigests.ofBytes(algorithm, bytes));
      }
    }
    return checksums;
  }

  /** What the object is not that the client expects, if anything. */
  static Optional<Failure> refuse(Complete complete, List<ObjectChecksum> checksums, byte[] bytes) {
    if (complete.sizeBytes().isPresent() && complete.sizeBytes().orElseThrow() != bytes.length) {
      return Optional.of(
          new Failure.InvalidRequest(
              "The parts have "
                  + bytes.length
                  + " bytes, you specified "
                  + complete.sizeBytes().orElseThrow()
                  + "."));
    }
    return complete
        .checksum()
        .filter(expected ->
            checksums.stream()
                .noneMatch(actual ->
                    actual.algorithm() == expected.algorithm()
                        && actual.value().equals(expected.value())))
        .map(expected -> new Failure.BadChecksum(expected.algorithm()));
  }

  static byte[] join(List<StoredPart> chosen) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    chosen.forEach(stored -> joined.writeBytes(stored.bytes()));
    return joined.toByteArray();
  }
}
