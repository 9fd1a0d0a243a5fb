package dev.tarn.e2e.clients;

import java.net.URI;
import java.util.Objects;

/** Where a client finds a Tarn, and by which key pair. */
record Place(URI endpoint, String accessKey, String secretKey) {
  Place {
    Objects.requireNonNull(endpoint, "endpoint is null");
    Objects.requireNonNull(accessKey, "accessKey is null");
    Objects.requireNonNull(secretKey, "secretKey is null");
  }
}
