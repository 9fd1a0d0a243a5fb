package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import software.amazon.awssdk.http.SdkHttpMethod;

/**
 * Reads from the targets of a Tarn cluster, past its gateways. A gateway that is asked for it names
 * an object's target and gives a ticket that is good for some minutes and every range; a request
 * that does not go well at the target goes to the gateway, which is always right. Targets that
 * cannot be reached are left alone for a while.
 *
 * <p>Asking costs a round trip, so it is done for long ranges, and for objects that are read again;
 * where tickets are given, by one thread for each object, while others that want to read it wait.
 * For use by many threads at once.
 */
final class DirectReads {
  private static final String ASK_HEADER = "x-tarn-direct-read";
  private static final String ACCEPT = "accept";
  private static final String TICKET_HEADER = "tarn-read-ticket";
  private static final String SECONDS_HEADER = "tarn-read-ticket-seconds";

  /** What only a target's answer to a ticket has. */
  private static final String ANSWER_HEADER = "tarn-read-answer";

  private static final int REDIRECT_STATUS = 307;
  private static final int FORBIDDEN_STATUS = 403;
  private static final long WORTH_ASKING_BYTES = 256 << 10;
  private static final int OBJECTS_MAX = 10_000;

  private final Exchange exchange;
  private final LongSupplier nanoTime;
  private final Map<StorageUrl, Optional<Ticket>> objects = new RecentEntries<>(OBJECTS_MAX);
  private final ReachedTargets targets;

  /** Objects that somebody asks for a ticket of. */
  private final Set<StorageUrl> asked = new HashSet<>();

  /** Whether a ticket was ever given: else nobody waits for one. */
  private boolean anyGiven;

  /**
   * @param exchange the way to gateways and targets
   * @param nanoTime the time, as {@link System#nanoTime} tells it
   */
  DirectReads(Exchange exchange, LongSupplier nanoTime) {
    this.exchange = exchange;
    this.nanoTime = nanoTime;
    this.targets = new ReachedTargets(nanoTime);
  }

  /** How an object is read from a target until a time. */
  private record Ticket(URI url, String text, long endNanos) {
    String target() {
      return url.getAuthority();
    }
  }

  /** A GET to a gateway. */
  interface Gateway {
    Answer get(Map<String, String> headers) throws IOException;
  }

  /**
   * A GET of a part of an object, to its target where that is possible.
   *
   * @param offset of the part
   * @param lengthBytes of the part, or a number past all lengths if it is not known
   * @param headers Range and If-Match
   */
  Answer get(
      StorageUrl url, long offset, long lengthBytes, Map<String, String> headers, Gateway gateway)
      throws IOException {
    Optional<Ticket> ticket = known(url);
    if (ticket.isEmpty() && isWorthAsking(url, lengthBytes)) {
      if (mayAsk(url)) {
        return ask(url, offset, headers, gateway);
      }
      ticket = known(url);
    }
    return read(url, ticket, offset, headers, false, gateway);
  }

  private Answer ask(StorageUrl url, long offset, Map<String, String> headers, Gateway gateway)
      throws IOException {
    Optional<Ticket> given;
    try {
      Map<String, String> asking = new HashMap<>(headers);
      asking.put(ASK_HEADER, ACCEPT);
      Answer answer = gateway.get(asking);
      if (answer.status() != REDIRECT_STATUS) {
        return answer;
      }
      discard(answer);
      given = given(answer);
      if (given.isPresent()) {
        keep(url, given);
      } else {
        targets.failed("", "is at an address that cannot be read");
      }
    } finally {
      endAsking(url);
    }
    return read(url, given, offset, headers, true, gateway);
  }

  private Answer read(
      StorageUrl url,
      Optional<Ticket> ticket,
      long offset,
      Map<String, String> headers,
      boolean isFresh,
      Gateway gateway)
      throws IOException {
    Optional<Answer> answer =
        ticket.isPresent()
            ? fromTarget(url, ticket.orElseThrow(), offset, headers, isFresh)
            : Optional.empty();
    return answer.isPresent() ? answer.orElseThrow() : gateway.get(headers);
  }

  /** Whether the thread is to ask for a ticket; else it waits until another has asked for it. */
  private synchronized boolean mayAsk(StorageUrl url) throws IOException {
    boolean isFirst = asked.add(url);
    if (isFirst || !anyGiven) {
      return true;
    }
    try {
      while (asked.contains(url)) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for a ticket").initCause(e);
    }
    return false;
  }

  private synchronized void endAsking(StorageUrl url) {
    asked.remove(url);
    notifyAll();
  }

  /** An answer that came broke off: if it was a target's, the gateway is to be asked next. */
  void brokeOff(StorageUrl url, String reason) {
    known(url)
        .ifPresent(
            ticket -> targets.failed(ticket.target(), "broke off an answer (" + reason + ")"));
  }

  /** Empty where the gateway is to be asked. */
  private Optional<Answer> fromTarget(
      StorageUrl url, Ticket ticket, long offset, Map<String, String> headers, boolean isFresh)
      throws IOException {
    if (!targets.mayTry(ticket.target())) {
      return Optional.empty();
    }
    Map<String, String> shown = new HashMap<>(headers);
    shown.put(TICKET_HEADER, ticket.text());
    Answer answer;
    try {
      answer = exchange.send(url, WebRequests.to(SdkHttpMethod.GET, ticket.url(), shown));
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        targets.notTold(ticket.target());
      } else {
        String reason = Failures.reason(e);
        targets.failed(ticket.target(), "cannot be reached from here (" + reason + ")");
      }
      return Optional.empty();
    } catch (IllegalStateException e) {
      // A closed storage fails at the gateway, too, in its words, as an interrupted thread does.
      targets.notTold(ticket.target());
      return Optional.empty();
    }
    if (answer.header(ANSWER_HEADER).isEmpty()) {
      discard(answer);
      targets.failed(ticket.target(), "answers as none (HTTP status " + answer.status() + ")");
      return Optional.empty();
    }
    if (isPart(answer, offset, headers.containsKey("Range"))) {
      targets.reached(ticket.target());
      return Optional.of(answer);
    }
    discard(answer);
    if (isFresh && answer.status() == FORBIDDEN_STATUS) {
      targets.failed(ticket.target(), "refuses tickets that are new: check the servers' clocks");
    } else {
      targets.reached(ticket.target());
    }
    if (answer.status() != 412 && answer.status() != 416) {
      // Expired, of an older map, or without the object: the gateway tells it in the words of S3.
      forget(url, ticket);
    }
    return Optional.empty();
  }

  /** Whether the answer is what was asked for, and says all that a reader needs to know of it. */
  private static boolean isPart(Answer answer, long offset, boolean ofRange) {
    boolean isRight =
        ofRange
            ? answer.status() == 206
                && answer.contentRange().filter(part -> part.start() == offset).isPresent()
            : answer.status() == 200;
    return isRight && answer.header("ETag").isPresent() && answer.contentLength().isPresent();
  }

  /** Keeps the connection of an answer that nobody reads, if that is easy. */
  private static void discard(Answer answer) {
    try {
      answer.body().close();
    } catch (IOException e) {
      answer.body().abort();
    }
  }

  private synchronized Optional<Ticket> known(StorageUrl url) {
    Optional<Ticket> known = objects.getOrDefault(url, Optional.empty());
    return known.filter(ticket -> ticket.endNanos() - nanoTime.getAsLong() > 0);
  }

  private synchronized void keep(StorageUrl url, Optional<Ticket> ticket) {
    anyGiven = true;
    objects.put(url, ticket);
  }

  /** A newer one stays. */
  private synchronized void forget(StorageUrl url, Ticket ticket) {
    objects.replace(url, Optional.of(ticket), Optional.empty());
  }

  private boolean isWorthAsking(StorageUrl url, long lengthBytes) {
    boolean again;
    synchronized (this) {
      again = objects.putIfAbsent(url, Optional.empty()) != null;
    }
    return (again || lengthBytes >= WORTH_ASKING_BYTES) && targets.areWorthAsking();
  }

  private Optional<Ticket> given(Answer answer) {
    Optional<String> text = answer.header(TICKET_HEADER);
    Optional<String> seconds =
        answer.header(SECONDS_HEADER).filter(value -> value.matches("[0-9]{1,6}"));
    Optional<URI> url = answer.header("Location").flatMap(DirectReads::address);
    if (text.isEmpty() || seconds.isEmpty() || url.isEmpty()) {
      return Optional.empty();
    }
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.orElseThrow()));
    return Optional.of(
        new Ticket(url.orElseThrow(), text.orElseThrow(), nanoTime.getAsLong() + nanos));
  }

  private static Optional<URI> address(String location) {
    try {
      URI url = URI.create(location);
      return "http".equals(url.getScheme()) && url.getHost() != null
          ? Optional.of(url)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
