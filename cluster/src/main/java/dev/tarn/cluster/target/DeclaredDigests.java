package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectChecksum;
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
}
