package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.WrittenFiles;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.compress.Compressors;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.ShardCompression;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Executes a plan: writes its shards with their indexes, then the manifest. Each file appears whole
 * or not at all.
 *
 * <p>The plan's order decides every byte; the workers only share the reading. Memory is bounded by
 * the number of buffers, not by the plan's sizes.
 */
public final class Packer {
  /** Writes plain shards. Changes whenever the same plan would give other bytes. */
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

  /** What writes shards, and its version: another may write other bytes for the same plan. */
  public static String encoder(ShardCompression compression) {
    return compression
        .method()
        .map(method -> ENCODER + "+" + Compressors.encoder(method))
        .orElse(ENCODER);
  }

  /**
   * Makes sure that no dataset is there yet.
   *
   * @throws FileAlreadyExistsException if there is one
   */
  public void requireNoDataset() throws IOException {
    new ManifestPlace(storage, dataset, Optional.empty()).require();
  }

  /**
   * Makes a new plan's shards unfinished, whatever other runs left of the same names; once, before
   * the first of its slices is packed.
   */
  public void forget(Plan plan) throws IOException {
    new FinishedShards(plan, storage, dataset).forget();
  }

  /** Packs all of a plan anew, without a report of errors. */
  public DatasetManifest pack(Plan plan, List<? extends Source> sources, Progress progress)
      throws IOException, InterruptedException {
    try (Faults faults = Faults.of(plan.header().options())) {
      return pack(plan, sources, faults, progress);
    }
  }

  /**
   * Packs all of a plan anew, whatever other runs left of it.
   *
   * @return the manifest that was written
   * @throws IOException naming the first file or shard that failed; finished shards stay, the
   *     manifest is not written
   */
  public DatasetManifest pack(
      Plan plan, List<? extends Source> sources, Faults faults, Progress progress)
      throws IOException, InterruptedException {
    requireEncoder(plan);
    manifestOf(plan).require();
    forget(plan);
    return resume(plan, sources, faults, progress);
  }

  /**
   * Packs what is missing of a plan: the shards that are there were packed by the same one.
   *
   * @return the manifest that was written
   * @throws IOException as {@link #pack} does
   */
  public DatasetManifest resume(
      Plan plan, List<? extends Source> sources, Faults faults, Progress progress)
      throws IOException, InterruptedException {
    requireEncoder(plan);
    Map<Integer, FinishedShard> finished =
        packMissing(plan, Slice.WHOLE.shards(plan), sources, faults, progress);
    WrittenFiles.requireUntouched(
        storage,
        dataset,
        finished.values().stream().flatMap(shard -> shard.files().stream()).toList());
    return writeManifest(plan, finished.values());
  }

  /**
   * Packs what is missing of a slice of a plan; {@link #commit} follows when all slices are packed.
   *
   * @return how many shards the slice has
   * @throws IOException as {@link #pack} does
   */
  public int packSlice(
      Plan plan, Slice slice, List<? extends Source> sources, Faults faults, Progress progress)
      throws IOException, InterruptedException {
    requireEncoder(plan);
    return packMissing(plan, slice.shards(plan), sources, faults, progress).size();
  }

  /**
   * Writes the manifest of a plan that is packed.
   *
   * @param progress told of the shards that are there
   * @throws MissingShardsException naming the shards that are missing, if any are
   */
  public DatasetManifest commit(Plan plan, Progress progress)
      throws IOException, InterruptedException {
    return writeManifest(plan, requireAll(plan, progress));
  }

  /**
   * Makes sure that all of a plan is packed, and that its manifest is there or can be written.
   *
   * @param progress told of the shards that are there
   * @return how many shards it has
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
              + " again, or go on with the sharder that made the plan");
    }
  }

  private Map<Integer, FinishedShard> packMissing(
      Plan plan,
      List<Integer> shards,
      List<? extends Source> sources,
      Faults faults,
      Progress progress)
      throws IOException, InterruptedException {
    Map<Integer, FinishedShard> finished =
        new TreeMap<>(new FinishedShards(plan, storage, dataset).find(shards, progress));
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
        // Its sample is known now; shards that were finished meanwhile stay.
      }
      finished.putAll(run.finished());
    }
    return finished;
  }

  /** Writes the manifest, unless that was done before the run was broken off. */
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
