package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.plan.PackPlan;
import dev.tarn.sharder.plan.PlannedSample;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Executes a plan: writes its shards with their indexes, each at once or not at all, and the
 * manifest last.
 *
 * <p>The plan's order decides every byte; the workers only share the reading. Memory is bounded by
 * the number of buffers, not by the plan's sizes.
 */
public final class Packer {
  /** Changes whenever the same plan would give other bytes. */
  public static final String ENCODER = "tarn-tar-1";

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
    StorageUrl manifest = dataset.resolve(DatasetManifest.FILE_NAME);
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
  public DatasetManifest pack(PackPlan plan, Source source, PackProgress progress)
      throws IOException, InterruptedException {
    requireNoDataset();
    long largestSample =
        plan.shards().stream()
            .flatMap(shard -> shard.samples().stream())
            .mapToLong(PlannedSample::tarLength)
            .max()
            .orElse(0);
    Buffers buffers = new Buffers(jobs, largestSample);
    List<ShardAssembly> assemblies = Collections.synchronizedList(new ArrayList<>());
    SegmentQueue queue =
        new SegmentQueue(
            plan,
            buffers.capacity(),
            shard -> {
              ShardAssembly assembly = new ShardAssembly(shard, storage, dataset);
              assemblies.add(assembly);
              return assembly;
            });
    try {
      run(() -> worker(queue, buffers, plan, source, progress));
    } finally {
      for (ShardAssembly assembly : assemblies) {
        assembly.discard();
      }
    }
    List<ShardEntry> shards = new ArrayList<>();
    for (ShardAssembly assembly : assemblies) {
      shards.add(requireNonNull(assembly.entry(), "a shard is not finished"));
    }
    DatasetManifest manifest = new DatasetManifest(ENCODER, plan.options(), shards);
    storage.write(dataset.resolve(DatasetManifest.FILE_NAME), ByteBuffer.wrap(manifest.toJson()));
    return manifest;
  }

  private static Worker worker(
      SegmentQueue queue, Buffers buffers, PackPlan plan, Source source, PackProgress progress) {
    return new Worker(queue, buffers, new SampleReading(source, plan.options().time(), progress));
  }

  private interface WorkerFactory {
    Worker create();
  }

  /** Runs the workers; the first failure stops all. */
  private void run(WorkerFactory factory) throws IOException, InterruptedException {
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("pack-", 1).factory());
    try {
      ExecutorCompletionService<@Nullable Void> running = new ExecutorCompletionService<>(threads);
      for (int i = 0; i < jobs; i++) {
        running.submit(factory.create());
      }
      for (int i = 0; i < jobs; i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
      threads.close();
    }
  }
}
