package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A declared backend: another S3 store.
 *
 * @param name the name by which buckets refer to it
 * @param endpoint its URL; empty for AWS
 * @param region the region for the signature
 * @param credentials its key pair, in the same forms as a user's; empty for unsigned requests
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
