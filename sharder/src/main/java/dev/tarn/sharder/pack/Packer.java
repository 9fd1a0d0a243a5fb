package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.WrittenFiles;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.compress.Compressors;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.ShardCompression;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Executes a plan: writes its shards with their indexes, then the manifest. Each file appears
 * atomically.
 *
 * <p>The plan determines every byte; workers only share the reading. The number of buffers bounds
 * the memory, whatever the size of the plan.
 */
public final class Packer {
  /** The writer of plain shards. Must change whenever the same plan would give other bytes. */
  public static final String ENCODER = "tarn-tar-2";

  /** Each worker has a buffer; more workers would make the buffers too small. */
  public static final int MAXIMUM_JOBS = 256;

  private final Storage storage;
  private final StorageUrl dataset;
  private final int jobs;

  /**
   * @param storage the storage of the dataset
   * @param dataset the dataset's folder
   * @param jobs the number of workers that read in parallel, from 1 to {@link #MAXIMUM_JOBS}
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
   * Returns the name and version of the shard encoder. Another encoder may write other bytes for
   * the same plan.
   */
  public static String encoder(ShardCompression compression) {
    return compression
        .method()
        .map(method -> ENCODER + "+" + Compressors.encoder(method))
        .orElse(ENCODER);
  }

  /**
   * Verifies that the destination has no dataset yet.
   *
   * @throws FileAlreadyExistsException if there is one
   */
  public void requireNoDataset() throws IOException {
    new ManifestPlace(storage, dataset, Optional.empty()).require();
  }

  /**
   * Marks all shards of a new plan as unfinished, even if other runs left shards with these names.
   * Must be called once, before the first slice of the plan is packed.
   */
  public void forget(Plan plan) throws IOException {
    new FinishedShards(plan, storage, dataset).forget();
  }

  /** Packs a whole plan from the start, without a report of errors. */
  public DatasetManifest pack(Plan plan, List<? extends Source> sources, Progress progress)
      throws IOException, InterruptedException {
    try (Faults faults = Faults.of(plan.header().options())) {
      return pack(plan, sources, faults, progress);
    }
  }

  /**
   * Packs a whole plan from the start; replaces what other runs and programs left.
   *
   * @return the manifest that was written
   * @throws IOException naming the first file or shard that failed; finished shards are kept, and
   *     the manifest is not written
   */
  public DatasetManifest pack(
      Plan plan, List<? extends Source> sources, Faults faults, Progress progress)
      throws IOException, InterruptedException {
    requireEncoder(plan);
    manifestOf(plan).require();
    forget(plan);
    return packAll(plan, true, sources, faults, progress);
  }

  /**
   * Packs the missing shards of a plan; all of them, if there is none yet.
   *
   * @return the manifest that was written
   * @throws FileAlreadyExistsException naming the shards that would be replaced, although another
   *     program wrote them
   * @throws IOException as {@link #pack} does
   */
  public DatasetManifest packMissing(
      Plan plan, List<? extends Source> sources, Faults faults, Progress progress)
      throws IOException, InterruptedException {
    requireEncoder(plan);
    return packAll(plan, false, sources, faults, progress);
  }

  /**
   * Verifies that packing the missing shards of a plan replaces no shard of another program.
   *
   * @throws FileAlreadyExistsException as {@link #packMissing} does
   */
  public void requireNoOthers(Plan plan) throws IOException, InterruptedException {
    FinishedShards stored = new FinishedShards(plan, storage, dataset);
    try (Progress unseen = new Progress()) {
      stored.find(Slice.WHOLE.shards(plan), unseen);
    }
    stored.requireNoOthers();
  }

  private DatasetManifest packAll(
      Plan plan,
      boolean replacesOthers,
      List<? extends Source> sources,
      Faults faults,
      Progress progress)
      throws IOException, InterruptedException {
    Map<Integer, FinishedShard> finished =
        writeMissing(plan, Slice.WHOLE.shards(plan), replacesOthers, sources, faults, progress);
    WrittenFiles.requireUntouched(
        storage,
        dataset,
        finished.values().stream().flatMap(shard -> shard.files().stream()).toList());
    return writeManifest(plan, finished.values());
  }

  /**
   * Packs the missing shards of a slice of a plan. Call {@link #commit} when all slices are packed.
   *
   * @return the number of shards in the slice
   * @throws FileAlreadyExistsException as {@link #packMissing} does
   * @throws IOException as {@link #pack} does
   */
  public int packSlice(
      Plan plan, Slice slice, List<? extends Source> sources, Faults faults, Progress progress)
      throws IOException, InterruptedException {
    requireEncoder(plan);
    return writeMissing(plan, slice.shards(plan), false, sources, faults, progress).size();
  }

  /**
   * Writes the manifest of a plan that is completely packed.
   *
   * @param progress receives the members and bytes of each finished shard
   * @throws MissingShardsException naming the missing shards, if there are any
   */
  public DatasetManifest commit(Plan plan, Progress progress)
      throws IOException, InterruptedException {
    return writeManifest(plan, requireAll(plan, progress));
  }

  /**
   * Verifies that a plan is completely packed, and that its manifest exists or can be written.
   *
   * @param progress receives the members and bytes of each finished shard
   * @return the number of shards in the plan
   * @throws MissingShardsException as {@link #commit} does
   */
  public int requirePacked(Plan plan, Progress progress) throws IOException, InterruptedException {
    Collection<FinishedShard> shards = requireAll(plan, progress);
    var _ = manifestOf(plan).written(entry(plan, shards), entries(shards));
    return shards.size();
  }

  private Collection<FinishedShard> requireAll(Plan plan, Progress progress)
      throws IOException, InterruptedException {
    List<Integer> shards = Slice.WHOLE.shards(plan);
    Map<Integer, FinishedShard> finished =
        new FinishedShards(plan, storage, dataset).find(shards, progress);
    if (finished.size() < shards.size()) {
      List<String> missing =
          shards.stream()
              .filter(number -> !finished.containsKey(number))
              .map(number -> plan.shards().get(number).name())
              .toList();
      throw new MissingShardsException(dataset, missing, shards.size());
    }
    return finished.values();
  }

  private static void requireEncoder(Plan plan) throws IOException {
    String ours = encoder(plan.header().options().compression());
    if (!plan.header().encoder().equals(ours)) {
      throw new IOException(
          "the plan is for the encoder %s, this sharder has %s, which may write other bytes: plan"
                  .formatted(plan.header().encoder(), ours)
              + " again, or use the sharder that made the plan");
    }
  }

  private Map<Integer, FinishedShard> writeMissing(
      Plan plan,
      List<Integer> shards,
      boolean replacesOthers,
      List<? extends Source> sources,
      Faults faults,
      Progress progress)
      throws IOException, InterruptedException {
    FinishedShards stored = new FinishedShards(plan, storage, dataset);
    Map<Integer, FinishedShard> finished = new TreeMap<>(stored.find(shards, progress));
    if (!replacesOthers) {
      stored.requireNoOthers();
    }
    LostSamples lostSamples = new LostSamples(faults);
    for (FinishedShard shard : finished.values()) {
      lostSamples.addAll(shard);
    }
    while (finished.size() < shards.size()) {
      List<Integer> missing =
          shards.stream().filter(number -> !finished.containsKey(number)).toList();
      PackRun run = new PackRun(plan, storage, dataset, jobs);
      try {
        run.run(missing, sources, lostSamples, progress);
      } catch (ShardRestartException e) {
        // The lost sample is recorded now; shards that finished in the meantime are kept.
      }
      finished.putAll(run.finished());
    }
    return finished;
  }

  /** Writes the manifest, unless an interrupted run already wrote it. */
  private DatasetManifest writeManifest(Plan plan, Collection<FinishedShard> shards)
      throws IOException {
    return manifestOf(plan).commit(entry(plan, shards), entries(shards), plan.header().classes());
  }

  private static PackEntry entry(Plan plan, Collection<FinishedShard> shards) {
    PlanHeader header = plan.header();
    return new PackEntry(header.encoder(), header.options().texts(), shards.size());
  }

  private static List<ShardEntry> entries(Collection<FinishedShard> shards) {
    return shards.stream().map(FinishedShard::entry).toList();
  }

  private ManifestPlace manifestOf(Plan plan) {
    return new ManifestPlace(storage, dataset, plan.header().base());
  }
}
