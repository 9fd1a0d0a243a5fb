package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;

/**
 * Reads from the targets of a Tarn cluster, past its gateways. A gateway that is asked for it names
 * an object's target and gives a ticket that is good for some minutes and every range; a request
 * that does not go well at the target goes to the gateway, which is always right. Targets that
 * cannot be reached are left alone for a while.
 *
 * <p>Asking costs a round trip, so it is done for long ranges, and for objects that are read again.
 * For use by many threads at once.
 */
final class DirectReads {
  private static final Logger LOG = System.getLogger(DirectReads.class.getName());
  private static final String ASK_HEADER = "x-tarn-direct-read";
  private static final String ACCEPT = "accept";
  private static final String TICKET_HEADER = "tarn-read-ticket";
  private static final String SECONDS_HEADER = "tarn-read-ticket-seconds";
  private static final int REDIRECT_STATUS = 307;
  private static final long WORTH_ASKING_BYTES = 256 << 10;

  /** What a target says about one object, or about what the gateway knows; not about itself. */
  private static final Set<Integer> OF_OBJECTS = Set.of(400, 404, 409, 412, 416);

  private static final int OBJECTS_MAX = 10_000;
  private static final long PAUSE_NANOS_MIN = Duration.ofMinutes(1).toNanos();
  private static final long PAUSE_NANOS_MAX = Duration.ofHours(1).toNanos();

  private final Exchange exchange;
  private final LongSupplier nanoTime;
  private final Map<StorageUrl, Optional<Ticket>> objects = new RecentObjects();
  private final Map<String, Pause> pauses = new HashMap<>();
  private boolean reachedAny;

  /**
   * @param exchange the way to gateways and targets
   * @param nanoTime the time, as {@link System#nanoTime} tells it
   */
  DirectReads(Exchange exchange, LongSupplier nanoTime) {
    this.exchange = exchange;
    this.nanoTime = nanoTime;
  }

  /** How an object is read from a target until a time. */
  private record Ticket(URI target, String text, long expiresNanos) {}

  /** How long a target is left alone, and until when. */
  private record Pause(long lengthNanos, long endNanos) {}

  private static final class RecentObjects extends LinkedHashMap<StorageUrl, Optional<Ticket>> {
    private static final long serialVersionUID = 1L;

    RecentObjects() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<StorageUrl, Optional<Ticket>> eldest) {
      return size() > OBJECTS_MAX;
    }
  }

  /** A GET to a gateway. */
  interface Gateway {
    Answer get(Map<String, String> headers) throws IOException;
  }

  /**
   * A GET of a part of an object, to its target where that is possible.
   *
   * @param lengthBytes of the part, or a number past all lengths if it is not known
   * @param headers Range and If-Match
   */
  Answer get(StorageUrl url, long lengthBytes, Map<String, String> headers, Gateway gateway)
      throws IOException {
    Optional<Ticket> known = ticket(url);
    if (known.isPresent()) {
      return fromTarget(url, known.orElseThrow(), headers, gateway);
    }
    if (!isWorthAsking(url, lengthBytes)) {
      return gateway.get(headers);
    }
    Map<String, String> asking = new HashMap<>(headers);
    asking.put(ASK_HEADER, ACCEPT);
    Answer answer = gateway.get(asking);
    if (answer.status() != REDIRECT_STATUS) {
      return answer;
    }
    answer.body().close();
    Optional<Ticket> given = ticket(answer);
    if (given.isEmpty()) {
      return gateway.get(headers);
    }
    keep(url, given);
    return fromTarget(url, given.orElseThrow(), headers, gateway);
  }

  private Answer fromTarget(
      StorageUrl url, Ticket ticket, Map<String, String> headers, Gateway gateway)
      throws IOException {
    String target = ticket.target().getAuthority();
    if (isPaused(target)) {
      return gateway.get(headers);
    }
    Map<String, String> shown = new HashMap<>(headers);
    shown.put(TICKET_HEADER, ticket.text());
    Answer answer;
    try {
      answer = exchange.send(url, WebRequests.to(SdkHttpMethod.GET, ticket.target(), shown));
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      pause(target, "cannot be reached from here (" + Failures.reason(e) + ")");
      return gateway.get(headers);
    }
    if (answer.status() == 200 || answer.status() == 206) {
      reached(target);
      return answer;
    }
    // Of an older map, expired, or without the object: the gateway tells it in the words of S3.
    answer.body().close();
    keep(url, Optional.empty());
    if (!OF_OBJECTS.contains(answer.status())) {
      pause(target, "refuses direct reads (HTTP status " + answer.status() + ")");
    }
    return gateway.get(headers);
  }

  private synchronized Optional<Ticket> ticket(StorageUrl url) {
    Optional<Ticket> known = objects.getOrDefault(url, Optional.empty());
    return known.filter(ticket -> ticket.expiresNanos() - nanoTime.getAsLong() > 0);
  }

  private synchronized void keep(StorageUrl url, Optional<Ticket> ticket) {
    objects.put(url, ticket);
  }

  /** As long as no target was ever reached one that cannot be speaks for all of them. */
  private synchronized boolean isWorthAsking(StorageUrl url, long lengthBytes) {
    boolean again = objects.putIfAbsent(url, Optional.empty()) != null;
    boolean mayReach = reachedAny || pauses.keySet().stream().noneMatch(this::isPaused);
    return mayReach && (again || lengthBytes >= WORTH_ASKING_BYTES);
  }

  private Optional<Ticket> ticket(Answer answer) {
    Optional<String> text = answer.header(TICKET_HEADER);
    Optional<String> seconds =
        answer.header(SECONDS_HEADER).filter(value -> value.matches("[0-9]{1,6}"));
    Optional<URI> target = answer.header("Location").flatMap(DirectReads::target);
    if (text.isEmpty() || seconds.isEmpty() || target.isEmpty()) {
      return Optional.empty();
    }
    // A part of its time, as the ticket has been under way and has to arrive.
    long usableNanos = TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.orElseThrow())) / 10 * 9;
    return Optional.of(
        new Ticket(target.orElseThrow(), text.orElseThrow(), nanoTime.getAsLong() + usableNanos));
  }

  private static Optional<URI> target(String location) {
    try {
      URI target = URI.create(location);
      return "http".equals(target.getScheme()) && target.getHost() != null
          ? Optional.of(target)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private synchronized boolean isPaused(String target) {
    @Nullable Pause pause = pauses.get(target);
    return pause != null && pause.endNanos() - nanoTime.getAsLong() > 0;
  }

  private synchronized void pause(String target, String reason) {
    Pause before = pauses.get(target);
    long now = nanoTime.getAsLong();
    if (before != null && before.endNanos() - now > 0) {
      return;
    }
    long length =
        before == null ? PAUSE_NANOS_MIN : Math.min(PAUSE_NANOS_MAX, 2 * before.lengthNanos());
    pauses.put(target, new Pause(length, now + length));
    LOG.log(
        Level.INFO,
        "the target at {0} {1}; its objects are read through the gateway for the next {2} s",
        target,
        reason,
        TimeUnit.NANOSECONDS.toSeconds(length));
  }

  private synchronized void reached(String target) {
    reachedAny = true;
    pauses.remove(target);
  }
}
