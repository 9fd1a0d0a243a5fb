package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.TargetRequest.Get;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Where a client that asks for it reads an object itself, and with what. */
@FunctionalInterface
public interface ReadTickets {
  /** Every read passes through the gateway. */
  ReadTickets NONE = read -> Optional.empty();

  /**
   * The way to an object, for a client that may read it.
   *
   * @param read the whole object, without conditions
   * @return empty where the gateway has to read it for the client
   */
  Optional<Directions> directions(Get read);

  /**
   * The way to an object.
   *
   * @param url where it is read
   * @param ticket what is shown there; a secret until it expires
   * @param use how long the ticket may be used
   */
  record Directions(URI url, String ticket, Duration use) {
    public Directions {
      requireNonNull(url, "url is null");
      requireNonNull(ticket, "ticket is null");
      requireNonNull(use, "use is null");
    }

    /** Without the ticket. */
    @Override
    public String toString() {
      return "Directions[" + url + "]";
    }
  }
}
