package dev.tarn.sharder.verify;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.index.HashedStream;
import dev.tarn.sharder.index.ScannedShard;
import dev.tarn.sharder.inspect.OpenIndex;
import dev.tarn.sharder.inspect.ShardAccess;
import dev.tarn.sharder.inspect.ShardPlace;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.verify.Problem.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads shards again and compares them with what their indexes and a manifest say: lengths and
 * SHA-256 of the files, the archive's structure to its end, each member's name, place and CRC32C.
 * So each byte is hashed once. If the samples' digests are to be computed too, it is twice, and the
 * index is made anew for the comparison.
 *
 * <p>For use by many threads at once.
 */
public final class ShardVerifier {
  private final ShardAccess access;
  private final boolean deep;
  private final Progress progress;

  /**
   * @param deep whether the samples' digests are computed anew
   * @param progress told of members and stored bytes
   */
  public ShardVerifier(ShardAccess access, boolean deep, Progress progress) {
    this.access = requireNonNull(access, "access is null");
    this.deep = deep;
    this.progress = requireNonNull(progress, "progress is null");
  }

  /** What is wrong with a shard; nothing if all is right. */
  public List<Problem> verify(ShardPlace shard) {
    List<Problem> problems = new ArrayList<>();
    try (OpenIndex index = index(shard, problems)) {
      if (deep) {
        readDeep(shard, index, problems);
      } else {
        read(shard, index == null ? null : index.index(), problems);
      }
    } catch (IOException e) {
      problems.add(Problem.of(kind(e), shard, reason(shard, e)));
    }
    boolean isShardRight =
        problems.stream().allMatch(problem -> problem.place().equals(shard.index().toString()));
    return isShardRight ? problems.stream().map(p -> repairable(shard, p)).toList() : problems;
  }

  /** What is wrong with the index alone can be made from the shard. */
  private static Problem repairable(ShardPlace shard, Problem problem) {
    return new Problem(
        problem.kind(),
        problem.place(),
        problem.text(),
        Optional.of("sharder index --force " + shard));
  }

  private static Kind kind(IOException e) {
    return switch (e) {
      case StorageException failure when failure.kind() == StorageException.Kind.MISSING ->
          Kind.SHARD_MISSING;
      case ShardFormatException _, ZipException _, EOFException _ -> Kind.SHARD_CORRUPT;
      default -> Kind.SHARD_UNREADABLE;
    };
  }

  /** Most messages begin with the place, which is said already. */
  private static String reason(ShardPlace shard, IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    String place = shard.toString();
    return message.startsWith(place)
        ? message.substring(place.length()).replaceFirst("^:? ", "")
        : message;
  }

  private @Nullable OpenIndex index(ShardPlace shard, List<Problem> problems) throws IOException {
    OpenIndex index;
    try {
      index = access.index(shard);
    } catch (ShardFormatException e) {
      problems.add(Problem.of(Kind.INDEX_CORRUPT, shard.index(), reason(shard, e)));
      return null;
    }
    if (index == null) {
      problems.add(Problem.of(Kind.INDEX_MISSING, shard.index(), "the shard has no index"));
      return null;
    }
    try {
      compare(shard, index, problems);
      return index;
    } catch (ShardFormatException e) {
      problems.add(Problem.of(Kind.INDEX_CORRUPT, shard.index(), reason(shard, e)));
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
              shard.index(),
              "the SHA-256 is %s, the manifest says %s".formatted(sha256, stated.sha256())));
    }
    Sha256 samples = Sha256.digest(index.index().sampleDigests());
    if (!samples.equals(entry.samplesSha256())) {
      problems.add(
          Problem.of(
              Kind.SAMPLES_SHA256,
              shard.index(),
              "the SHA-256 of the samples' digests is %s, the manifest says %s"
                  .formatted(samples, entry.samplesSha256())));
    }
  }

  private void read(ShardPlace shard, @Nullable ShardIndex index, List<Problem> problems)
      throws IOException {
    try (ObjectStream stored = access.storage().open(shard.url())) {
      HashedStream hashed = new HashedStream(stored, progress);
      MemberComparison members = new MemberComparison(shard, index, problems);
      long length;
      try (TarReader reader =
          TarReader.of(shard.toString(), access.streams().open(shard.toString(), hashed))) {
        members.read(reader, progress);
        length = reader.position();
      }
      StatedShard stated = StatedShard.of(shard, index);
      stated.compare(shard, stored.end(), hashed.sha256(), problems);
      stated.compareCounts(shard, members.samples(), members.members(), problems);
      members.finish(length);
    }
  }

  private void readDeep(ShardPlace shard, @Nullable OpenIndex index, List<Problem> problems)
      throws IOException {
    ScannedShard scanned = ScannedShard.scan(access, shard, progress);
    StatedShard stated = StatedShard.of(shard, index == null ? null : index.index());
    stated.compare(shard, scanned.size(), scanned.sha256(), problems);
    stated.compareCounts(shard, scanned.samples(), scanned.members(), problems);
    if (shard.entry().isPresent()
        && !scanned.samplesSha256().equals(shard.entry().orElseThrow().samplesSha256())) {
      problems.add(
          Problem.of(
              Kind.SAMPLES_SHA256,
              shard,
              "the SHA-256 of the samples' digests is %s, the manifest says %s"
                  .formatted(
                      scanned.samplesSha256(), shard.entry().orElseThrow().samplesSha256())));
    }
    if (index != null && !index.bytes().equals(scanned.index())) {
      problems.add(
          Problem.of(
              Kind.INDEX_DIFFERS,
              shard.index(),
              "the index is another one than is made from the shard"));
    }
  }
}
