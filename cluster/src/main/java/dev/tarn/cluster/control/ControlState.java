package dev.tarn.cluster.control;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
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

  /** The version of the last change of the map, or a later one. */
  private final long mapVersion;

  /** The version of the last change of anything but the map, or a later one. */
  private final long restVersion;

  private final Map<BucketId, Bucket> bucketsById = new HashMap<>();
  private final Map<String, User> usersById = new HashMap<>();

  ControlState(long version, StateTables tables) {
    this(version, tables, version, version);
  }

  private ControlState(long version, StateTables tables, long mapVersion, long restVersion) {
    this.version = version;
    this.tables = tables;
    this.mapVersion = mapVersion;
    this.restVersion = restVersion;
    tables.bucketsByName().values().forEach(bucket -> bucketsById.put(bucket.id(), bucket));
    tables.usersByName().values().forEach(user -> usersById.put(user.id(), user));
  }

  StateTables tables() {
    return tables;
  }

  /** The state after one more command, with these tables. */
  ControlState next(StateTables changed) {
    boolean hasSameMap = changed.map().equals(tables.map());
    boolean hasSameRest = changed.hasSameRest(tables);
    return new ControlState(
        version + 1,
        changed,
        hasSameMap ? mapVersion : version + 1,
        hasSameRest ? restVersion : version + 1);
  }

  /** What a member lacks that knows the state of this version. */
  public StateChange since(long known) {
    return new StateChange(
        version,
        clusterId(),
        restVersion > known ? Optional.of(tables.with(Optional.empty())) : Optional.empty(),
        mapVersion > known ? tables.map() : Optional.empty());
  }

  /** The state after a change that {@link #since} has made for this version or an older one. */
  public ControlState with(StateChange change) {
    StateTables rest = change.rest().orElse(tables);
    return new ControlState(change.version(), rest.with(change.map().or(tables::map)));
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

  /** Which keys of its slot a key belongs to; those of primary buckets if the bucket is unknown. */
  public Slot.Keys keysOf(BucketId id, ObjectKey key) {
    Bucket bucket = bucketsById.get(id);
    return bucket == null ? Slot.Keys.PRIMARY : bucket.keysOf(key);
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
}
