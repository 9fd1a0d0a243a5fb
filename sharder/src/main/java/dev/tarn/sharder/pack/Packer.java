package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.pack.ShardAssembly.Finished;
import dev.tarn.sharder.plan.ClassesFile;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Executes a plan: writes its shards with their indexes, each at once or not at all, and the
 * manifest last.
 *
 * <p>The plan's order decides every byte; the workers only share the reading. Memory is bounded by
 * the number of buffers, not by the plan's sizes.
 */
public final class Packer {
  /** Changes whenever the same plan would give other bytes. */
  public static final String ENCODER = "tarn-tar-2";

  /** Each has a buffer; more would make them too small. */
  public static final int MAXIMUM_JOBS = 256;

  private final Storage storage;
  private final StorageUrl dataset;
  private final int jobs;

  /**
   * @param storage where the dataset is written
   * @param dataset its folder
   * @param jobs how many workers read at once
   */
  public Packer(Storage storage, StorageUrl dataset, int jobs) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    if (jobs < 1 || jobs > MAXIMUM_JOBS) {
      throw new IllegalArgumentException("jobs is " + jobs + ", not from 1 to " + MAXIMUM_JOBS);
    }
    this.jobs = jobs;
  }

  /**
   * Makes sure that no dataset is there yet.
   *
   * @throws FileAlreadyExistsException if there is one
   */
  public void requireNoDataset() throws IOException {
    requireNoDataset(storage, dataset);
  }

  static void requireNoDataset(Storage storage, StorageUrl dataset) throws IOException {
    StorageUrl manifest = dataset.child(DatasetManifest.FILE_NAME);
    try {
      storage.stat(manifest);
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return;
      }
      throw e;
    }
    throw new FileAlreadyExistsException(
        manifest + ": a dataset is there already; choose another destination or delete that one");
  }

  /**
   * Packs.
   *
   * @return the manifest that was written
   * @throws IOException naming the first file or shard that failed; finished shards stay, the
   *     manifest is not written
   */
  public DatasetManifest pack(Plan plan, List<? extends Source> sources, Progress progress)
      throws IOException, InterruptedException {
    requireNoDataset();
    List<Finished> shards = new PackRun(plan, storage, dataset, jobs).run(sources, progress);
    requireUntouched(shards);
    requireNoDataset();
    PackEntry pack = new PackEntry(ENCODER, plan.header().options().texts(), shards.size());
    DatasetManifest manifest =
        new DatasetManifest(
            List.of(pack),
            writeClasses(plan.header().classes()),
            shards.stream().map(Finished::entry).toList());
    storage.write(dataset.child(DatasetManifest.FILE_NAME), ByteBuffer.wrap(manifest.toJson()));
    return manifest;
  }

  private Optional<FileEntry> writeClasses(List<String> classes) throws IOException {
    if (classes.isEmpty()) {
      return Optional.empty();
    }
    ByteBuffer file = ByteBuffer.wrap(ClassesFile.write(classes));
    storage.write(dataset.child(ClassesFile.NAME), file.duplicate());
    return Optional.of(
        new FileEntry(ClassesFile.NAME, file.remaining(), Sha256.digest(file.duplicate())));
  }

  /**
   * Makes sure that the files are still those that this run stored: of two runs into one place at
   * once, the one whose files were replaced must not write a manifest over the other's.
   */
  private void requireUntouched(List<Finished> shards) throws IOException {
    Map<StorageUrl, StoredObject> missing = new HashMap<>();
    shards.forEach(shard -> shard.files().forEach(file -> missing.put(file.url(), file)));
    try (Stream<StoredObject> files = storage.list(dataset)) {
      files.forEach(file -> {
        StoredObject ours = missing.get(file.url());
        if (ours != null && isSame(ours, file)) {
          missing.remove(file.url());
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          missing.keySet().iterator().next()
              + ": replaced or deleted by somebody else while this run packed into "
              + dataset
              + "; no dataset was written: make sure that one run at a time packs into a place");
    }
  }

  /** Some servers quote an ETag in one answer and not in another. */
  private static boolean isSame(StoredObject left, StoredObject right) {
    String etag = left.etag();
    String other = right.etag();
    return left.size() == right.size()
        && (etag == null
            || other == null
            || etag.replace("\"", "").equals(other.replace("\"", "")));
  }
}
