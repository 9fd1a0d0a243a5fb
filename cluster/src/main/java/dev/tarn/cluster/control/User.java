package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/**
 * A user, who may have key pairs and own buckets.
 *
 * @param id never changes; 1 to 64 printable ASCII characters without a space
 * @param name unique, shown to people; 1 to 64 of a-z, A-Z, 0-9 and '._@-'
 * @param admin whether the user may call the admin API and access every bucket
 */
public record User(String id, String name, boolean admin) {
  public User {
    requireNonNull(id, "id is null");
    requireNonNull(name, "name is null");
    if (!id.matches("[!-~]{1,64}")) {
      throw new IllegalArgumentException(
          "user id is '" + id + "', must be 1 to 64 printable ASCII characters without a space");
    }
    if (!name.matches("[a-zA-Z0-9._@-]{1,64}")) {
      throw new IllegalArgumentException(
          "user name is '" + name + "', must be 1 to 64 of a-z, A-Z, 0-9 and '._@-'");
    }
  }
}
