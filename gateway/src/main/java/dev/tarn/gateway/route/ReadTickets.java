package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.TargetRequest.Get;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Gives a client the URL and the ticket to read an object directly from its owner. */
@FunctionalInterface
public interface ReadTickets {
  /** Gives no tickets: every read goes through the gateway. */
  ReadTickets NONE = read -> Optional.empty();

  /**
   * The directions to an object, for a client that may read it.
   *
   * @param read the whole object, without preconditions
   * @return empty if the gateway has to read the object for the client
   */
  Optional<Directions> directions(Get read);

  /**
   * The directions to an object.
   *
   * @param url of the read
   * @param ticket that the client sends with the read; a secret until it expires
   * @param use how long the ticket may be used
   */
  record Directions(URI url, String ticket, Duration use) {
    public Directions {
      requireNonNull(url, "url is null");
      requireNonNull(ticket, "ticket is null");
      requireNonNull(use, "use is null");
    }

    /** Omits the ticket. */
    @Override
    public String toString() {
      return "Directions[" + url + "]";
    }
  }
}
