package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.shard.ClassesFile;
import dev.tarn.sharder.shard.Datasets;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plan of an unfinished pack, kept in the destination until the manifest is written. A run that
 * is restarted with the same arguments makes the same plan, and resumes it.
 */
public final class StoredPlan {
  /** Folder in the destination that exists only while a pack is unfinished. */
  private static final String FOLDER = ".packing/";

  private static final String NAME = "plan";
  private static final String RESTART = "pack with --restart to discard its shards and start again";

  /** The file that a run locks in a local destination. */
  static final String LOCK = FOLDER + "lock";

  private final Storage storage;
  private final StorageUrl dataset;
  private final StorageUrl url;

  /**
   * @param dataset the destination folder
   */
  public StoredPlan(Storage storage, StorageUrl dataset) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.url = dataset.child(FOLDER + NAME);
  }

  /** Returns whether a pack is running or was interrupted. */
  public boolean exists() throws IOException {
    return storage.exists(url);
  }

  /** Returns whether a plan is stored and the dataset's manifest names all its shards. */
  public boolean isCommitted() throws IOException {
    try (@Nullable Plan before = openReadable()) {
      if (before == null) {
        return false;
      }
      Set<String> named = namedShards();
      return before.shards().stream().map(PlannedShard::name).allMatch(named::contains);
    }
  }

  /** Returns the stored plan; null if none is stored, or if it cannot be read. */
  private @Nullable Plan openReadable() throws IOException {
    try {
      return exists() ? Plan.open(storage, url) : null;
    } catch (StorageException e) {
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns the shards that the dataset's manifest names; empty if there is no dataset. */
  private Set<String> namedShards() throws IOException {
    return namedShards(manifest());
  }

  private static Set<String> namedShards(Optional<DatasetManifest> manifest) {
    return manifest.stream()
        .flatMap(dataset -> dataset.shards().stream())
        .map(ShardEntry::name)
        .collect(Collectors.toSet());
  }

  private Optional<DatasetManifest> manifest() throws IOException {
    try {
      return Optional.of(Datasets.open(storage, dataset));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns the files that a new plan would replace or be mixed with, although neither the
   * dataset's manifest names them nor a run of the stored plan made them.
   *
   * @param ours more shards of the caller
   */
  public UnnamedFiles unnamed(PlanOptions options, Set<String> ours)
      throws IOException, InterruptedException {
    Optional<DatasetManifest> manifest = manifest();
    Set<String> named = new HashSet<>(ours);
    named.addAll(namedShards(manifest));
    boolean ownClasses = !ours.isEmpty();
    try (@Nullable Plan before = openReadable()) {
      if (before != null) {
        Set<String> made = made(before);
        named.addAll(made);
        ownClasses |= !made.isEmpty();
      }
    }
    String classes =
        manifest
            .map(present -> ClassesFile.name(present.packs().size() + 1))
            .orElse(ClassesFile.NAME);
    return UnnamedFiles.find(
        storage, dataset, options, named, ownClasses ? Optional.empty() : Optional.of(classes));
  }

  /** Returns the shards at the destination that runs of a plan made, as their indexes show. */
  public Set<String> made(Plan plan) throws IOException, InterruptedException {
    return new FinishedShards(plan, storage, dataset).made();
  }

  /**
   * Begins a plan: stores it, or compares it with the stored one.
   *
   * @return whether the run resumes a stored plan
   * @throws IOException naming the difference, if the stored plan is another one
   */
  public boolean begin(Plan plan) throws IOException {
    boolean goesOn = holds(plan);
    discardUnfinished(plan);
    if (!goesOn) {
      new FinishedShards(plan, storage, dataset).forget();
      plan.store(storage, url);
    }
    return goesOn;
  }

  /** Cleans up after the tasks of a committed plan. */
  public void end(Plan plan) throws IOException {
    discardUnfinished(plan);
    remove();
  }

  /** Discards the unfinished files of killed runs of a plan, and no other files. */
  private void discardUnfinished(Plan plan) throws IOException {
    Set<String> names = new HashSet<>(FinishedShards.names(plan));
    names.add(FOLDER + NAME);
    names.addAll(new ManifestPlace(storage, dataset, plan.header().base()).names());
    storage.discardUnfinished(dataset, names);
  }

  /**
   * Returns whether a plan is the stored one.
   *
   * @return false if none is stored
   * @throws IOException naming the difference, if the stored plan is another one
   */
  public boolean holds(Plan plan) throws IOException {
    if (!exists()) {
      return false;
    }
    try (Plan before = open()) {
      Optional<String> difference = PlanDifference.between(before, plan);
      if (difference.isPresent()) {
        throw new IOException(
            "%s: an unfinished pack is there, but %s; %s"
                .formatted(dataset, difference.orElseThrow(), RESTART));
      }
    }
    return true;
  }

  private Plan open() throws IOException {
    try {
      return Plan.open(storage, url);
    } catch (StorageException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "an unfinished pack is there, but its plan cannot be read: %s; %s"
              .formatted(e.getMessage(), RESTART),
          e);
    }
  }

  /**
   * Discards the plan and the shards that its runs made, except shards that a dataset names. If the
   * plan cannot be read, its shards are unknown and stay.
   */
  public DiscardedShards discard() throws IOException, InterruptedException {
    DiscardedShards discarded;
    try (@Nullable Plan before = openReadable()) {
      discarded = before == null ? new DiscardedShards(List.of()) : discard(before);
    }
    delete();
    return discarded;
  }

  /**
   * Discards the shards that a plan made, which is stored elsewhere. Shards that a dataset names
   * stay. A shard without its index stays: another program may have written it.
   */
  public DiscardedShards discard(Plan before) throws IOException, InterruptedException {
    discardUnfinished(before);
    return new FinishedShards(before, storage, dataset).delete(namedShards());
  }

  /** Deletes only the plan: its run continues with another. */
  public void delete() throws IOException {
    storage.delete(url);
  }

  /**
   * Removes all files that only a run needs, after the manifest is written. The plan is removed
   * last: a run that is killed before that can be restarted, and removes the rest.
   */
  public void remove() throws IOException {
    boolean local = dataset.scheme() == StorageUrl.Scheme.FILE;
    if (local) {
      storage.delete(dataset.child(LOCK));
    }
    delete();
    if (local) {
      storage.delete(dataset.child(FOLDER));
    }
  }
}
