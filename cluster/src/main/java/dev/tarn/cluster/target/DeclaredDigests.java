package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import java.util.List;
import java.util.Optional;

/**
 * The digests that a sender declares for its body.
 *
 * @param md5Hex the MD5 in lower-case hexadecimal
 * @param checksums S3 checksums of the whole body
 */
public record DeclaredDigests(Optional<String> md5Hex, List<ObjectChecksum> checksums) {
  /** No declared digests. */
  public static final DeclaredDigests NONE = new DeclaredDigests(Optional.empty(), List.of());

  public DeclaredDigests {
    requireNonNull(md5Hex, "md5Hex is null");
    checksums = List.copyOf(requireNonNull(checksums, "checksums is null"));
  }

  /**
   * The digests that an object's metadata names for a selection of its bytes: an MD5 for the whole
   * of an object without parts, and for a part. Backends may use other ETags than an MD5.
   */
  public static DeclaredDigests of(ObjectMetadata object, Selection selection) {
    if (object.origin() != null) {
      return NONE;
    }
    Optional<String> md5 = Optional.empty();
    if (selection instanceof Selection.Whole && object.parts().isEmpty()) {
      md5 = Optional.of(object.etag());
    } else if (selection instanceof Selection.Part selected) {
      md5 =
          object.parts().stream()
              .filter(part -> part.number() == selected.number())
              .map(ObjectPart::etag)
              .findFirst();
    }
    return new DeclaredDigests(md5, List.of());
  }
}
