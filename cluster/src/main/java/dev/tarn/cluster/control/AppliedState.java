package dev.tarn.cluster.control;

import dev.tarn.cluster.object.BucketId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state as the state machine makes it. A change copies the one map it touches: changes are rare
 * and small, reads are on every request and take no lock.
 */
final class AppliedState implements ControlState {
  static final AppliedState EMPTY =
      new AppliedState(0, 1, new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  private final long version;
  private final long nextBucketId;
  private final SortedMap<String, Bucket> bucketsByName;
  private final SortedMap<String, User> usersByName;
  private final SortedMap<String, AccessKey> keysById;
  private final Map<BucketId, Bucket> bucketsById = new HashMap<>();
  private final Map<String, User> usersById = new HashMap<>();

  private AppliedState(
      long version,
      long nextBucketId,
      SortedMap<String, Bucket> bucketsByName,
      SortedMap<String, User> usersByName,
      SortedMap<String, AccessKey> keysById) {
    this.version = version;
    this.nextBucketId = nextBucketId;
    this.bucketsByName = bucketsByName;
    this.usersByName = usersByName;
    this.keysById = keysById;
    bucketsByName.values().forEach(bucket -> bucketsById.put(bucket.id(), bucket));
    usersByName.values().forEach(user -> usersById.put(user.id(), user));
  }

  /** The state that a snapshot describes. */
  static AppliedState of(
      long version,
      long nextBucketId,
      List<Bucket> buckets,
      List<User> users,
      List<AccessKey> accessKeys) {
    SortedMap<String, Bucket> bucketsByName = new TreeMap<>();
    buckets.forEach(bucket -> bucketsByName.put(bucket.name(), bucket));
    SortedMap<String, User> usersByName = new TreeMap<>();
    users.forEach(user -> usersByName.put(user.name(), user));
    SortedMap<String, AccessKey> keysById = new TreeMap<>();
    accessKeys.forEach(key -> keysById.put(key.id(), key));
    return new AppliedState(version, nextBucketId, bucketsByName, usersByName, keysById);
  }

  AppliedState withNewBucket(Bucket bucket) {
    SortedMap<String, Bucket> buckets = new TreeMap<>(bucketsByName);
    buckets.put(bucket.name(), bucket);
    return new AppliedState(version + 1, nextBucketId + 1, buckets, usersByName, keysById);
  }

  AppliedState withBucket(Bucket bucket) {
    SortedMap<String, Bucket> buckets = new TreeMap<>(bucketsByName);
    buckets.put(bucket.name(), bucket);
    return new AppliedState(version + 1, nextBucketId, buckets, usersByName, keysById);
  }

  AppliedState withoutBucket(String name) {
    SortedMap<String, Bucket> buckets = new TreeMap<>(bucketsByName);
    buckets.remove(name);
    return new AppliedState(version + 1, nextBucketId, buckets, usersByName, keysById);
  }

  AppliedState withUser(User user) {
    SortedMap<String, User> users = new TreeMap<>(usersByName);
    users.put(user.name(), user);
    return new AppliedState(version + 1, nextBucketId, bucketsByName, users, keysById);
  }

  AppliedState withoutUser(User user) {
    SortedMap<String, User> users = new TreeMap<>(usersByName);
    users.remove(user.name());
    SortedMap<String, AccessKey> keys = new TreeMap<>(keysById);
    keys.values().removeIf(key -> key.userId().equals(user.id()));
    return new AppliedState(version + 1, nextBucketId, bucketsByName, users, keys);
  }

  AppliedState withAccessKey(AccessKey key) {
    SortedMap<String, AccessKey> keys = new TreeMap<>(keysById);
    keys.put(key.id(), key);
    return new AppliedState(version + 1, nextBucketId, bucketsByName, usersByName, keys);
  }

  AppliedState withoutAccessKey(String id) {
    SortedMap<String, AccessKey> keys = new TreeMap<>(keysById);
    keys.remove(id);
    return new AppliedState(version + 1, nextBucketId, bucketsByName, usersByName, keys);
  }

  /** The id of the bucket made next: a counter that only grows, so that no id returns. */
  BucketId nextBucketId() {
    return new BucketId(nextBucketId);
  }

  boolean hasUserName(String name) {
    return usersByName.containsKey(name);
  }

  List<Bucket> bucketsOf(String userId) {
    List<Bucket> owned = new ArrayList<>(bucketsByName.values());
    owned.removeIf(bucket -> !bucket.ownerId().equals(userId));
    return owned;
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public @Nullable Bucket bucket(String name) {
    return bucketsByName.get(name);
  }

  @Override
  public @Nullable Bucket bucket(BucketId id) {
    return bucketsById.get(id);
  }

  @Override
  public Collection<Bucket> buckets() {
    return Collections.unmodifiableCollection(bucketsByName.values());
  }

  @Override
  public @Nullable User user(String id) {
    return usersById.get(id);
  }

  @Override
  public Collection<User> users() {
    return Collections.unmodifiableCollection(usersByName.values());
  }

  @Override
  public @Nullable AccessKey accessKey(String id) {
    return keysById.get(id);
  }

  @Override
  public Collection<AccessKey> accessKeys() {
    return Collections.unmodifiableCollection(keysById.values());
  }
}
