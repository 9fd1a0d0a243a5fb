package dev.tarn.gateway.auth;

import org.jspecify.annotations.Nullable;

/** Finds key pairs. Never blocks. */
@FunctionalInterface
public interface CredentialSource {
  /** The current credential of this access key id, or null. */
  @Nullable Credential find(String accessKeyId);
}
