package dev.tarn.e2e.clients;

import java.net.URI;
import java.util.Objects;

/** Where a client finds a Tarn, and by which key pair. */
record S3Endpoint(URI endpoint, String accessKey, String secretKey) {
  S3Endpoint {
    Objects.requireNonNull(endpoint, "endpoint is null");
    Objects.requireNonNull(accessKey, "accessKey is null");
    Objects.requireNonNull(secretKey, "secretKey is null");
  }
}
