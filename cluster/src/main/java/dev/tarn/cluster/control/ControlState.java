package dev.tarn.cluster.control;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The applied state of the control plane at one version: the tables that the state machine makes.
 * Immutable; reads take no lock.
 */
public final class ControlState {
  static final ControlState EMPTY = new ControlState(0, StateTables.EMPTY);

  private final long version;
  private final StateTables tables;
  private final Map<BucketId, Bucket> bucketsById = new HashMap<>();
  private final Map<String, User> usersById = new HashMap<>();

  ControlState(long version, StateTables tables) {
    this.version = version;
    this.tables = tables;
    tables.bucketsByName().values().forEach(bucket -> bucketsById.put(bucket.id(), bucket));
    tables.usersByName().values().forEach(user -> usersById.put(user.id(), user));
  }

  StateTables tables() {
    return tables;
  }

  /** The state after one more command, with these tables. */
  ControlState next(StateTables changed) {
    return new ControlState(version + 1, changed);
  }

  boolean hasUserName(String name) {
    return tables.usersByName().containsKey(name);
  }

  List<Bucket> bucketsOf(String userId) {
    return tables.bucketsByName().values().stream()
        .filter(bucket -> bucket.ownerId().equals(userId))
        .toList();
  }

  /** The number of commands applied. */
  public long version() {
    return version;
  }

  /** The id that identifies this cluster; empty before it was assigned. */
  public Optional<String> clusterId() {
    return tables.clusterId();
  }

  /** The bucket of this name, or null. */
  public @Nullable Bucket bucket(String name) {
    return tables.bucketsByName().get(name);
  }

  /** The bucket of this identity, or null. */
  public @Nullable Bucket bucket(BucketId id) {
    return bucketsById.get(id);
  }

  /** Whether the bucket of this identity is known and has a backend. */
  public boolean hasBackend(BucketId id) {
    Bucket bucket = bucketsById.get(id);
    return bucket != null && bucket.settings().backend().isPresent();
  }

  /**
   * Whether a bucket of this id existed and was deleted. Once true, it stays true in all newer
   * states. False for ids that were lost when the log was restored from a copy.
   */
  public boolean isDeleted(BucketId id) {
    return !bucketsById.containsKey(id) && tables.isAssigned(id.value());
  }

  /** All buckets in the order of their names. */
  public Collection<Bucket> buckets() {
    return Collections.unmodifiableCollection(tables.bucketsByName().values());
  }

  /** The user of this id, or null. */
  public @Nullable User user(String id) {
    return usersById.get(id);
  }

  /** All users in the order of their names. */
  public Collection<User> users() {
    return Collections.unmodifiableCollection(tables.usersByName().values());
  }

  /** The key pair of this access key id, or null. */
  public @Nullable AccessKey accessKey(String id) {
    return tables.keysById().get(id);
  }

  /** All key pairs in the order of their ids. */
  public Collection<AccessKey> accessKeys() {
    return Collections.unmodifiableCollection(tables.keysById().values());
  }

  /** The newest cluster map; empty until an administrator adds the first targets. */
  public Optional<ClusterMap> map() {
    return tables.map();
  }

  /** The announcement of the target of this id, or null. */
  public @Nullable AnnouncedTarget announced(TargetId id) {
    return tables.announced().get(id);
  }

  /** All targets that have announced themselves, members or not, in the order of their ids. */
  public Collection<AnnouncedTarget> announced() {
    return Collections.unmodifiableCollection(tables.announced().values());
  }

  /** This state without users and key pairs, which targets do not need. */
  public ControlState withoutIdentities() {
    return new ControlState(version, tables.withoutIdentities());
  }
}
