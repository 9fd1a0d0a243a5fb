package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.ClusterMap;
import java.util.Objects;
import java.util.Optional;

/**
 * What a member of the cluster lacks of the newest state. The cluster map travels apart from the
 * rest: a change of one does not send the other. Immutable.
 */
public final class StateChange {
  private final long version;
  private final Optional<String> clusterId;
  private final Optional<StateTables> rest;
  private final Optional<ClusterMap> map;

  /**
   * Makes a change.
   *
   * @param version of the newest state
   * @param clusterId of the newest state
   * @param rest everything but the map; empty if the member has it
   * @param map empty if the member has it, or if there is none
   */
  StateChange(
      long version,
      Optional<String> clusterId,
      Optional<StateTables> rest,
      Optional<ClusterMap> map) {
    this.version = version;
    this.clusterId = requireNonNull(clusterId, "clusterId is null");
    this.rest = requireNonNull(rest, "rest is null");
    this.map = requireNonNull(map, "map is null");
  }

  /** The version of the newest state. */
  public long version() {
    return version;
  }

  /** The id of the cluster; empty before it was assigned. */
  public Optional<String> clusterId() {
    return clusterId;
  }

  /** The map, if the member lacks it. */
  public Optional<ClusterMap> map() {
    return map;
  }

  Optional<StateTables> rest() {
    return rest;
  }

  /** Whether the member lacks nothing. */
  public boolean isEmpty() {
    return rest.isEmpty() && map.isEmpty();
  }

  /** This change without users and key pairs, which targets do not need. */
  public StateChange withoutIdentities() {
    return new StateChange(version, clusterId, rest.map(StateTables::withoutIdentities), map);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StateChange change
        && version == change.version
        && clusterId.equals(change.clusterId)
        && rest.equals(change.rest)
        && map.equals(change.map);
  }

  @Override
  public int hashCode() {
    return Objects.hash(version, clusterId, rest, map);
  }

  @Override
  public String toString() {
    return "change to version " + version;
  }
}
