package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import java.net.URI;
import java.util.Optional;

/**
 * A role that has started.
 *
 * @param listener what its main listener is for
 * @param url of its main listener
 * @param admin its admin listener, which does not yet say that requests are served
 * @param adminUrl of its admin listener
 * @param madePair the first admin's pair if it was made by this start
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
