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

/** The state that the state machine makes: its tables at one version. Reads take no lock. */
final class AppliedState implements ControlState {
  static final AppliedState EMPTY = new AppliedState(0, StateTables.EMPTY);

  private final long version;
  private final StateTables tables;
  private final Map<BucketId, Bucket> bucketsById = new HashMap<>();
  private final Map<String, User> usersById = new HashMap<>();

  AppliedState(long version, StateTables tables) {
    this.version = version;
    this.tables = tables;
    tables.bucketsByName().values().forEach(bucket -> bucketsById.put(bucket.id(), bucket));
    tables.usersByName().values().forEach(user -> usersById.put(user.id(), user));
  }

  StateTables tables() {
    return tables;
  }

  /** The state after one more command, with these tables. */
  AppliedState next(StateTables changed) {
    return new AppliedState(version + 1, changed);
  }

  boolean hasUserName(String name) {
    return tables.usersByName().containsKey(name);
  }

  List<Bucket> bucketsOf(String userId) {
    return tables.bucketsByName().values().stream()
        .filter(bucket -> bucket.ownerId().equals(userId))
        .toList();
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public Optional<String> clusterId() {
    return tables.clusterId();
  }

  @Override
  public @Nullable Bucket bucket(String name) {
    return tables.bucketsByName().get(name);
  }

  @Override
  public @Nullable Bucket bucket(BucketId id) {
    return bucketsById.get(id);
  }

  @Override
  public boolean isDeleted(BucketId id) {
    return !bucketsById.containsKey(id) && tables.isAssigned(id.value());
  }

  @Override
  public Collection<Bucket> buckets() {
    return Collections.unmodifiableCollection(tables.bucketsByName().values());
  }

  @Override
  public @Nullable User user(String id) {
    return usersById.get(id);
  }

  @Override
  public Collection<User> users() {
    return Collections.unmodifiableCollection(tables.usersByName().values());
  }

  @Override
  public @Nullable AccessKey accessKey(String id) {
    return tables.keysById().get(id);
  }

  @Override
  public Collection<AccessKey> accessKeys() {
    return Collections.unmodifiableCollection(tables.keysById().values());
  }

  @Override
  public Optional<ClusterMap> map() {
    return tables.map();
  }

  @Override
  public @Nullable AnnouncedTarget announced(TargetId id) {
    return tables.announced().get(id);
  }

  @Override
  public Collection<AnnouncedTarget> announced() {
    return Collections.unmodifiableCollection(tables.announced().values());
  }

  @Override
  public ControlState withoutIdentities() {
    return new AppliedState(version, tables.withoutIdentities());
  }
}
