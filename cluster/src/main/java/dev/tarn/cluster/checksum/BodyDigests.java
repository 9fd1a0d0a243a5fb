package dev.tarn.cluster.checksum;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes several digests over one body that arrives in chunks, and compares them with the
 * declared ones. One thread at a time; for one body.
 */
public final class BodyDigests {
  private final @Nullable StreamingDigest md5;
  private final Map<ChecksumAlgorithm, StreamingDigest> checksums =
      new EnumMap<>(ChecksumAlgorithm.class);

  /** Computes these checksums, and the MD5 if requested. */
  public BodyDigests(boolean wantsMd5, Set<ChecksumAlgorithm> algorithms) {
    md5 = wantsMd5 ? StreamingDigest.md5() : null;
    for (ChecksumAlgorithm algorithm : algorithms) {
      checksums.put(algorithm, StreamingDigest.of(algorithm));
    }
  }

  /** Adds the bytes from position to limit; leaves the buffer unchanged. */
  public void update(ByteBuffer bytes) {
    if (md5 != null) {
      md5.update(bytes);
    }
    checksums.values().forEach(digest -> digest.update(bytes));
  }

  /** Ends the digests and returns their values. */
  public Computed finish() {
    List<ObjectChecksum> values = new ArrayList<>(checksums.size());
    checksums.forEach(
        (algorithm, digest) -> values.add(ChecksumValues.ofBytes(algorithm, digest.finish())));
    return new Computed(
        md5 == null ? Optional.empty() : Optional.of(HexFormat.of().formatHex(md5.finish())),
        values);
  }

  /**
   * The digests of a body.
   *
   * @param md5Hex in lower-case hexadecimal, if requested
   * @param checksums in the order of the algorithms
   */
  public record Computed(Optional<String> md5Hex, List<ObjectChecksum> checksums) {
    public Computed {
      checksums = List.copyOf(checksums);
    }

    /** The failure if the body does not match its declared digests; empty if it does. */
    public Optional<Failure> contradiction(DeclaredDigests declared) {
      if (declared.md5Hex().isPresent() && !declared.md5Hex().equals(md5Hex)) {
        return Optional.of(new Failure.BadDigest());
      }
      for (ObjectChecksum checksum : declared.checksums()) {
        if (!checksums.contains(checksum)) {
          return Optional.of(new Failure.BadChecksum(checksum.algorithm()));
        }
      }
      return Optional.empty();
    }
  }
}
