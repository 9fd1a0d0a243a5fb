package dev.tarn.cluster.control;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The content of a state. A change copies only the table that it changes: changes are rare and
 * small, while every request reads.
 *
 * @param clusterId empty until the cluster's id is assigned
 * @param nextBucketId a counter that only grows, so that no id is used again
 * @param bucketsByName the existing buckets
 * @param usersByName the existing users
 * @param keysById their key pairs
 * @param announced the targets that have announced themselves
 * @param map empty until an administrator adds the first targets
 * @param removedDisks the disks of removed targets, whose data no longer count
 * @param lostBucketIds ids that lost commands may have assigned before the log was restored
 */
record StateTables(
    Optional<String> clusterId,
    long nextBucketId,
    SortedMap<String, Bucket> bucketsByName,
    SortedMap<String, User> usersByName,
    SortedMap<String, AccessKey> keysById,
    SortedMap<TargetId, AnnouncedTarget> announced,
    Optional<ClusterMap> map,
    SortedSet<DiskId> removedDisks,
    BucketIds lostBucketIds) {
  /** The bucket ids from {@code first} to before {@code end}. */
  record BucketIds(long first, long end) {
    static final BucketIds NONE = new BucketIds(0, 0);

    /** The smallest range with these ids and those up to before {@code next}. */
    BucketIds and(long from, long next) {
      return new BucketIds(end == 0 ? from : first, next);
    }
  }

  static final StateTables EMPTY =
      new StateTables(
          Optional.empty(),
          1,
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          Optional.empty(),
          new TreeSet<>(),
          BucketIds.NONE);

  /**
   * Whether this id was assigned. Lost ids do not count: their buckets may exist in a newer copy of
   * the log.
   */
  boolean isAssigned(long id) {
    return id < nextBucketId && (id < lostBucketIds.first() || id >= lostBucketIds.end());
  }

  /** A table of these items by their key. */
  static <K extends Comparable<K>, V> SortedMap<K, V> table(List<V> items, Function<V, K> key) {
    SortedMap<K, V> table = new TreeMap<>();
    items.forEach(item -> table.put(key.apply(item), item));
    return table;
  }

  private static <K, V> SortedMap<K, V> with(SortedMap<K, V> table, K key, V value) {
    SortedMap<K, V> copy = new TreeMap<>(table);
    copy.put(key, value);
    return copy;
  }

  private static <K, V> SortedMap<K, V> without(SortedMap<K, V> table, K key) {
    SortedMap<K, V> copy = new TreeMap<>(table);
    copy.remove(key);
    return copy;
  }

  StateTables withClusterId(String id) {
    return new StateTables(
        Optional.of(id),
        nextBucketId,
        bucketsByName,
        usersByName,
        keysById,
        announced,
        map,
        removedDisks,
        lostBucketIds);
  }

  StateTables withNewBucket(Bucket bucket) {
    return withBuckets(nextBucketId + 1, with(bucketsByName, bucket.name(), bucket));
  }

  StateTables withBucket(Bucket bucket) {
    return withBuckets(nextBucketId, with(bucketsByName, bucket.name(), bucket));
  }

  StateTables withoutBucket(String name) {
    return withBuckets(nextBucketId, without(bucketsByName, name));
  }

  private StateTables withBuckets(long newNextId, SortedMap<String, Bucket> buckets) {
    return new StateTables(
        clusterId,
        newNextId,
        buckets,
        usersByName,
        keysById,
        announced,
        map,
        removedDisks,
        lostBucketIds);
  }

  StateTables withUser(User user) {
    return withIdentities(with(usersByName, user.name(), user), keysById);
  }

  /** The tables without the user and the user's key pairs. */
  StateTables withoutUser(User user) {
    SortedMap<String, AccessKey> keys = new TreeMap<>(keysById);
    keys.values().removeIf(key -> key.userId().equals(user.id()));
    return withIdentities(without(usersByName, user.name()), keys);
  }

  StateTables withAccessKey(AccessKey key) {
    return withIdentities(usersByName, with(keysById, key.id(), key));
  }

  StateTables withoutAccessKey(String id) {
    return withIdentities(usersByName, without(keysById, id));
  }

  StateTables withoutIdentities() {
    return withIdentities(new TreeMap<>(), new TreeMap<>());
  }

  private StateTables withIdentities(
      SortedMap<String, User> users, SortedMap<String, AccessKey> keys) {
    return new StateTables(
        clusterId,
        nextBucketId,
        bucketsByName,
        users,
        keys,
        announced,
        map,
        removedDisks,
        lostBucketIds);
  }

  StateTables withAnnounced(AnnouncedTarget target) {
    return withTargets(with(announced, target.id(), target), map);
  }

  StateTables withoutAnnounced(TargetId id) {
    return withTargets(without(announced, id), map);
  }

  StateTables withMap(ClusterMap newer) {
    return with(Optional.of(newer));
  }

  StateTables with(Optional<ClusterMap> newMap) {
    return withTargets(announced, newMap);
  }

  /**
   * Whether these tables have the same content but for the map; a change copies what it changes.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean hasSameRest(StateTables other) {
    return clusterId.equals(other.clusterId)
        && nextBucketId == other.nextBucketId
        && bucketsByName == other.bucketsByName
        && usersByName == other.usersByName
        && keysById == other.keysById
        && announced == other.announced
        && removedDisks == other.removedDisks
        && lostBucketIds.equals(other.lostBucketIds);
  }

  private StateTables withTargets(
      SortedMap<TargetId, AnnouncedTarget> targets, Optional<ClusterMap> newMap) {
    return new StateTables(
        clusterId,
        nextBucketId,
        bucketsByName,
        usersByName,
        keysById,
        targets,
        newMap,
        removedDisks,
        lostBucketIds);
  }

  /** The tables in which these disks belong to no target for ever. */
  StateTables withRemoved(Collection<DiskId> disks) {
    SortedSet<DiskId> removed = new TreeSet<>(removedDisks);
    removed.addAll(disks);
    return new StateTables(
        clusterId,
        nextBucketId,
        bucketsByName,
        usersByName,
        keysById,
        announced,
        map,
        removed,
        lostBucketIds);
  }

  /**
   * The tables with counters advanced past all ids that so many lost commands may have assigned.
   */
  StateTables skipping(long lostCommands) {
    return new StateTables(
        clusterId,
        nextBucketId + lostCommands,
        bucketsByName,
        usersByName,
        keysById,
        announced,
        map.map(last -> last.afterLostChanges(lostCommands)),
        removedDisks,
        lostBucketIds.and(nextBucketId, nextBucketId + lostCommands));
  }
}
