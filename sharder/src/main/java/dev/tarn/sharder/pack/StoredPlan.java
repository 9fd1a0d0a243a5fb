package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.shard.Datasets;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a pack that is under way, kept in its destination until the manifest is there: what
 * is started again with the same arguments makes the same plan, and goes on with it.
 */
public final class StoredPlan {
  /** In the destination: what is there only while it is packed into. */
  private static final String FOLDER = ".packing/";

  private static final String NAME = "plan";
  private static final String RESTART =
      "pack with --restart to throw away what it packed, and begin anew";

  /** In a local destination: what a run locks. */
  static final String LOCK = FOLDER + "lock";

  private final Storage storage;
  private final StorageUrl dataset;
  private final StorageUrl url;

  /**
   * @param dataset the folder that is packed into
   */
  public StoredPlan(Storage storage, StorageUrl dataset) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.url = dataset.child(FOLDER + NAME);
  }

  /** Whether a pack is under way, or was broken off. */
  public boolean exists() throws IOException {
    return storage.exists(url);
  }

  /** Whether a plan is stored of which the dataset's manifest names all shards. */
  public boolean isCommitted() throws IOException {
    try (@Nullable Plan before = openReadable()) {
      if (before == null) {
        return false;
      }
      Set<String> named = namedShards();
      return before.shards().stream().map(PlannedShard::name).allMatch(named::contains);
    }
  }

  /** The stored plan; null if none is stored, or it cannot be read. */
  private @Nullable Plan openReadable() throws IOException {
    try {
      return exists() ? Plan.open(storage, url) : null;
    } catch (StorageException e) {
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  /** The shards that the dataset's manifest names; none if there is no dataset. */
  private Set<String> namedShards() throws IOException {
    try {
      return Datasets.open(storage, dataset).shards().stream()
          .map(ShardEntry::name)
          .collect(Collectors.toSet());
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return Set.of();
      }
      throw e;
    }
  }

  /**
   * Takes a plan on: stores it, if none is stored, or compares it with the one that is.
   *
   * @return whether it goes on with what is there
   * @throws IOException saying what has changed, if the stored one is another
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

  /** Tidies up after the tasks of a plan that is committed. */
  public void end(Plan plan) throws IOException {
    discardUnfinished(plan);
    remove();
  }

  /** Discards what killed runs of a plan had begun to write, and nobody else's files. */
  private void discardUnfinished(Plan plan) throws IOException {
    Set<String> names = new HashSet<>(FinishedShards.names(plan));
    names.add(FOLDER + NAME);
    names.addAll(new ManifestPlace(storage, dataset, plan.header().base()).names());
    storage.discardUnfinished(dataset, names);
  }

  /**
   * Whether a plan is the one that is stored.
   *
   * @return false if none is stored
   * @throws IOException saying what has changed, if the stored one is another
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
          "an unfinished pack is there, of which the plan cannot be read: %s; %s"
              .formatted(e.getMessage(), RESTART),
          e);
    }
  }

  /**
   * Throws away the plan and the shards that were packed by it, but for those that a dataset names.
   * A plan that cannot be read names none; those of the next plan are packed anew.
   */
  public void discard() throws IOException {
    try (@Nullable Plan before = openReadable()) {
      if (before != null) {
        discardUnfinished(before);
        new FinishedShards(before, storage, dataset).delete(namedShards());
      }
    }
    delete();
  }

  /** Deletes the plan alone: its run goes on with another. */
  public void delete() throws IOException {
    storage.delete(url);
  }

  /**
   * Removes all that a run needs, when the manifest is there. The plan goes last: who is killed
   * before that is started again, and removes the rest.
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
