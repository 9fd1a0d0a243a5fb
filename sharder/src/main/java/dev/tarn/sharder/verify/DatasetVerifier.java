package dev.tarn.sharder.verify;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.verify.Problem.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Verifies the shards of a dataset, and the other files that its manifest names. */
public final class DatasetVerifier {
  private static final int CLASSES_BYTES_MAX = 256 * 1024 * 1024;

  private final ShardAccess access;
  private final StorageUrl dataset;
  private final int jobs;

  /**
   * @param jobs the number of shards that are read in parallel
   */
  public DatasetVerifier(ShardAccess access, StorageUrl dataset, int jobs) {
    this.access = requireNonNull(access, "access is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.jobs = jobs;
  }

  /**
   * Verifies every shard, even after a problem was found.
   *
   * @return the problems; empty if all is right
   */
  public List<Problem> verify(DatasetManifest manifest, Progress progress)
      throws IOException, InterruptedException {
    List<Problem> problems = new ArrayList<>();
    verify(manifest, progress, problems::add);
    return problems;
  }

  /**
   * Verifies every shard, even after a problem was found.
   *
   * @param problems receives the problems, in the order of the shards
   */
  public void verify(DatasetManifest manifest, Progress progress, Consumer<Problem> problems)
      throws IOException, InterruptedException {
    manifest.classes().ifPresent(classes -> verifyClasses(classes, problems));
    List<ShardPlace> shards =
        manifest.shards().stream().map(entry -> ShardPlace.of(dataset, entry)).toList();
    ShardVerifier verifier = new ShardVerifier(access, progress);
    ParallelShards.run(shards, jobs, verifier::verify, found -> found.forEach(problems));
  }

  private void verifyClasses(FileEntry classes, Consumer<Problem> problems) {
    StorageUrl url = dataset.child(classes.name());
    try {
      byte[] bytes = access.storage().readAll(url, CLASSES_BYTES_MAX);
      Sha256 sha256 = Sha256.digest(ByteBuffer.wrap(bytes));
      if (!sha256.equals(classes.sha256())) {
        problems.accept(
            Problem.of(
                Kind.CLASSES,
                url,
                "the SHA-256 is %s, the manifest says %s".formatted(sha256, classes.sha256())));
      }
    } catch (StorageException e) {
      problems.accept(Problem.of(Kind.CLASSES, url, e.what()));
    } catch (IOException e) {
      problems.accept(Problem.of(Kind.CLASSES, url, String.valueOf(e.getMessage())));
    }
  }
}
