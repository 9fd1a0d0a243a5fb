package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.HttpBinding;
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
   * The address at which clients read from a target.
   *
   * @param url of reads
   * @param authorities that vouch for the host of an https URL, as {@link
   *     HttpBinding#AUTHORITIES_HEADER}
   */
  record ReadPlace(URI url, Optional<String> authorities) {
    public ReadPlace {
      requireNonNull(url, "url is null");
      requireNonNull(authorities, "authorities is null");
    }

    /** The place of a target that takes reads in the clear. */
    public static ReadPlace plain(TargetAddress address) {
      return new ReadPlace(
          URI.create("http://" + address + HttpBinding.READ_PATH), Optional.empty());
    }

    /** The place of a target that these authorities vouch for. */
    public static ReadPlace secured(TargetAddress address, String authorities) {
      return new ReadPlace(
          URI.create("https://" + address + HttpBinding.READ_PATH), Optional.of(authorities));
    }
  }

  /**
   * The directions to an object.
   *
   * @param place of the read
   * @param ticket that the client sends with the read; a secret until it expires
   * @param use how long the ticket may be used
   */
  record Directions(ReadPlace place, String ticket, Duration use) {
    public Directions {
      requireNonNull(place, "place is null");
      requireNonNull(ticket, "ticket is null");
      requireNonNull(use, "use is null");
    }

    /** Omits the ticket. */
    @Override
    public String toString() {
      return "Directions[" + place.url() + "]";
    }
  }
}
