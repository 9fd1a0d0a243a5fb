package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A user.
 *
 * @param name the user's name
 * @param admin whether the admin API obeys this user; a new one is none unless this says so
 * @param credentials a key pair of this user: a file in aws-cli's form, or a folder with the files
 *     access-key and secret-key, as a Secret of Kubernetes is mounted
 */
public record DeclaredUser(String name, Optional<Boolean> admin, Optional<Path> credentials) {
  public DeclaredUser {
    requireNonNull(name, "name is null");
    requireNonNull(admin, "admin is null");
    requireNonNull(credentials, "credentials is null");
  }
}
