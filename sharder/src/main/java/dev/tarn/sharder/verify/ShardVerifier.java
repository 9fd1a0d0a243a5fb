package dev.tarn.sharder.verify;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.scan.ShardScan;
import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.TemporaryFileException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.verify.Problem.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads shards again and compares them with their indexes and a manifest.
 *
 * <p>Verifies the lengths and CRC32C of the files, the SHA-256 of the indexes, and the archive's
 * structure to its end. Also verifies each sample's digest, each member's name, offset and CRC32C,
 * and the restarts of a compressed shard. Each byte of a sample is hashed once, and every changed
 * byte is detected.
 *
 * <p>Thread-safe.
 */
public final class ShardVerifier {
  private final ShardAccess access;
  private final Progress progress;

  /**
   * @param progress receives members and stored bytes
   */
  public ShardVerifier(ShardAccess access, Progress progress) {
    this.access = requireNonNull(access, "access is null");
    this.progress = requireNonNull(progress, "progress is null");
  }

  /**
   * Returns the problems of a shard; empty if all is right.
   *
   * @throws TemporaryFileException if a temporary file failed, so that the result is unknown
   */
  public List<Problem> verify(ShardPlace shard) throws TemporaryFileException {
    List<Problem> problems = new ArrayList<>();
    try (OpenIndex index = index(shard, problems)) {
      read(shard, index == null ? null : index.index(), problems);
    } catch (TemporaryFileException e) {
      throw e;
    } catch (IOException e) {
      problems.add(Problem.of(kind(e), shard, reason(shard.toString(), e)));
    }
    boolean isShardRight =
        problems.stream().allMatch(problem -> problem.place().equals(indexPlace(shard)));
    return isShardRight ? problems.stream().map(p -> repairable(shard, p)).toList() : problems;
  }

  private static String indexPlace(ShardPlace shard) {
    return shard.index().printable();
  }

  /** Adds the repair command: a wrong index can be made again from a shard without problems. */
  private static Problem repairable(ShardPlace shard, Problem problem) {
    if (problem.kind() == Kind.INDEX_UNREADABLE) {
      return problem;
    }
    return new Problem(
        problem.kind(), problem.place(), problem.text(), Optional.of(shard.indexing()));
  }

  private static Kind kind(IOException e) {
    return switch (e) {
      case StorageException failure when failure.kind() == StorageException.Kind.MISSING ->
          Kind.SHARD_MISSING;
      case ShardFormatException _ -> Kind.SHARD_CORRUPT;
      default -> Kind.SHARD_UNREADABLE;
    };
  }

  /** Returns the message without the place, which the problem already has. */
  private static String reason(String place, IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.startsWith(place)
        ? message.substring(place.length()).replaceFirst("^:? ", "")
        : message;
  }

  private @Nullable OpenIndex index(ShardPlace shard, List<Problem> problems) throws IOException {
    OpenIndex index;
    try {
      index = OpenIndex.open(access.storage(), shard, access.temporary());
    } catch (ShardFormatException e) {
      problems.add(Problem.of(Kind.INDEX_CORRUPT, indexPlace(shard), reason(indexPlace(shard), e)));
      return null;
    } catch (StorageException e) {
      problems.add(Problem.of(Kind.INDEX_UNREADABLE, indexPlace(shard), e.what()));
      return null;
    }
    if (index == null) {
      problems.add(Problem.of(Kind.INDEX_MISSING, indexPlace(shard), "the shard has no index"));
      return null;
    }
    try {
      compare(shard, index, problems);
      return index;
    } catch (ShardFormatException e) {
      problems.add(Problem.of(Kind.INDEX_CORRUPT, indexPlace(shard), reason(indexPlace(shard), e)));
      index.close();
      return null;
    }
  }

  private static void compare(ShardPlace shard, OpenIndex index, List<Problem> problems)
      throws ShardFormatException {
    index.index().verify();
    if (shard.entry().isEmpty()) {
      return;
    }
    ShardEntry entry = shard.entry().orElseThrow();
    FileEntry stated = entry.index();
    Sha256 sha256 = Sha256.digest(index.bytes());
    if (!sha256.equals(stated.sha256())) {
      problems.add(
          Problem.of(
              Kind.INDEX_SHA256,
              indexPlace(shard),
              "the SHA-256 is %s, the manifest says %s".formatted(sha256, stated.sha256())));
    }
    Sha256 samples = Sha256.of(index.index().samplesSha256());
    if (!samples.equals(entry.samplesSha256())) {
      problems.add(
          Problem.of(
              Kind.SAMPLES_SHA256,
              indexPlace(shard),
              "the SHA-256 of the samples' digests is %s, the manifest says %s"
                  .formatted(samples, entry.samplesSha256())));
    }
  }

  private void read(ShardPlace shard, @Nullable ShardIndex index, List<Problem> problems)
      throws IOException {
    SampleComparison samples = new SampleComparison(shard, index, problems);
    ShardScan scan = access.scan(shard, progress, samples);
    scan.trailing()
        .ifPresent(
            e -> problems.add(Problem.of(Kind.SHARD_TRAILING, shard, reason(shard.toString(), e))));
    compareFiles(shard, index, scan, problems);
    samples.finish(scan);
  }

  /**
   * Compares the file with the manifest, or with the index if there is no manifest; does nothing
   * without both.
   */
  private static void compareFiles(
      ShardPlace shard, @Nullable ShardIndex index, ShardScan scan, List<Problem> problems) {
    if (shard.entry().isPresent()) {
      ShardEntry entry = shard.entry().orElseThrow();
      compareFile(shard, scan, "the manifest", entry.size(), entry.crc32c(), problems);
    } else if (index != null) {
      compareFile(shard, scan, "its index", index.storedLength(), index.storedCrc32c(), problems);
    }
  }

  private static void compareFile(
      ShardPlace shard, ShardScan scan, String by, long size, int crc32c, List<Problem> problems) {
    if (scan.stored().size() != size) {
      problems.add(
          Problem.of(
              Kind.SHARD_SIZE,
              shard,
              "the file has %d bytes, %s says %d".formatted(scan.stored().size(), by, size)));
    }
    if (scan.storedCrc32c() != crc32c) {
      problems.add(
          Problem.of(
              Kind.SHARD_CRC32C,
              shard,
              "the CRC32C is %08x, %s says %08x".formatted(scan.storedCrc32c(), by, crc32c)));
    }
  }
}
