package dev.tarn.benchmarks.server;

import static java.util.Objects.requireNonNull;

/** The key pair that requests are signed with. */
public record Credentials(String accessKey, String secretKey) {
  public Credentials {
    requireNonNull(accessKey, "accessKey is null");
    requireNonNull(secretKey, "secretKey is null");
  }

  @Override
  public String toString() {
    return "Credentials[" + accessKey + "]";
  }
}
