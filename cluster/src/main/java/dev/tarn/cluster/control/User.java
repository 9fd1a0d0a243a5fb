package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/**
 * Somebody who may hold key pairs and own buckets.
 *
 * @param id never changes
 * @param name unique, shown to people
 * @param admin whether the admin API obeys this user, and every bucket is open to it
 */
public record User(String id, String name, boolean admin) {
  public User {
    requireNonNull(id, "id is null");
    requireNonNull(name, "name is null");
  }
}
