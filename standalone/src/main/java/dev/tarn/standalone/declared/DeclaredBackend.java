package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Another S3.
 *
 * @param name by which buckets refer to it
 * @param endpoint where it is; empty for AWS
 * @param region for the signature
 * @param credentials its key pair, as of a user; empty for one that is asked unsigned
 */
public record DeclaredBackend(
    String name, Optional<URI> endpoint, Optional<String> region, Optional<Path> credentials) {
  public DeclaredBackend {
    requireNonNull(name, "name is null");
    requireNonNull(endpoint, "endpoint is null");
    requireNonNull(region, "region is null");
    requireNonNull(credentials, "credentials is null");
  }
}
