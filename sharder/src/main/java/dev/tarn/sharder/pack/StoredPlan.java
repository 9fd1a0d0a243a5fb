package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.verify.Datasets;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The plan of a pack that is under way, kept in its destination until the manifest is there: what
 * is started again with the same arguments makes the same plan, and goes on with it.
 */
public final class StoredPlan {
  private static final String FOLDER = ".packing/";

  private final Storage storage;
  private final StorageUrl dataset;
  private final StorageUrl url;

  /**
   * @param dataset the folder that is packed into
   */
  public StoredPlan(Storage storage, StorageUrl dataset) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.url = dataset.child(FOLDER + "plan");
  }

  /** Whether a pack is under way, or was broken off. */
  public boolean exists() throws IOException {
    try {
      return storage.stat(url).size() >= 0;
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return false;
      }
      throw e;
    }
  }

  /** Whether a plan is stored of which the dataset's manifest names all shards. */
  public boolean isCommitted() throws IOException {
    if (!exists()) {
      return false;
    }
    try (Plan before = Plan.open(storage, url)) {
      Set<String> named =
          Datasets.open(storage, dataset).shards().stream()
              .map(ShardEntry::name)
              .collect(Collectors.toSet());
      return before.shards().stream().map(PlannedShard::name).allMatch(named::contains);
    } catch (StorageException e) {
      throw e;
    } catch (IOException e) {
      // A plan that cannot be read was not committed as far as anybody can tell.
      return false;
    }
  }

  /**
   * Takes a plan on: stores it, if none is stored, or compares it with the one that is.
   *
   * @return whether it goes on with what is there
   * @throws IOException saying what has changed, if the stored one is another
   */
  public boolean begin(Plan plan) throws IOException {
    storage.discardUnfinished(dataset);
    if (holds(plan)) {
      return true;
    }
    new FinishedShards(plan, storage, dataset).forget();
    plan.store(storage, url);
    return false;
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

  private static final String RESTART =
      "pack with --restart to throw away what it packed, and begin anew";

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

  /** Throws away the plan and all shards that were packed by it. */
  public void discard() throws IOException {
    storage.discardUnfinished(dataset);
    if (!exists()) {
      return;
    }
    try (Plan before = Plan.open(storage, url)) {
      new FinishedShards(before, storage, dataset).delete();
    } catch (StorageException e) {
      throw e;
    } catch (IOException e) {
      // A plan that cannot be read names no shards; those of the next plan are packed anew.
    }
    remove();
  }

  /** Removes the plan, when the manifest is there. */
  public void remove() throws IOException {
    storage.delete(url);
    if (dataset.scheme() == StorageUrl.Scheme.FILE) {
      storage.delete(dataset.child(FOLDER));
    }
  }
}
