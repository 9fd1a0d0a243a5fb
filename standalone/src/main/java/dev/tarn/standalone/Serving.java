package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import java.net.URI;
import java.util.Optional;

/**
 * A role that has started.
 *
 * @param listener the kind of the main listener
 * @param url the main listener's URL
 * @param admin the admin listener, whose readiness probe still fails
 * @param adminUrl the admin listener's URL
 * @param madePair the first admin's key pair if this start generated it
 */
record Serving(
    ReadyLine.Listener listener,
    URI url,
    AdminListener admin,
    URI adminUrl,
    Optional<KeyPair> madePair) {
  Serving {
    requireNonNull(listener, "listener is null");
    requireNonNull(url, "url is null");
    requireNonNull(admin, "admin is null");
    requireNonNull(adminUrl, "adminUrl is null");
    requireNonNull(madePair, "madePair is null");
  }
}
