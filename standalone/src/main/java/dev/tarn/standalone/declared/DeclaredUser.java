package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A declared user.
 *
 * @param name the user's name
 * @param admin whether the user may call the admin API; empty means no for a new user
 * @param credentials a key pair of this user: a file in aws-cli's form, or a folder with the files
 *     access-key and secret-key, such as a mounted Kubernetes Secret
 */
public record DeclaredUser(String name, Optional<Boolean> admin, Optional<Path> credentials) {
  public DeclaredUser {
    requireNonNull(name, "name is null");
    requireNonNull(admin, "admin is null");
    requireNonNull(credentials, "credentials is null");
  }
}
