package dev.tarn.client.storage;

import dev.tarn.client.internal.http.HttpAnswer;
import dev.tarn.client.internal.http.HttpSender;
import dev.tarn.client.internal.http.ReachedTargets;
import dev.tarn.client.internal.http.TrustedAuthorities;
import dev.tarn.shard.LruMap;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import software.amazon.awssdk.http.SdkHttpMethod;

/**
 * Reads straight from the targets of a Tarn cluster. On request a gateway names an object's target
 * and issues a ticket, which is valid for some minutes and for all ranges. A request that fails at
 * the target goes to the gateway. {@link ReachedTargets} remembers which targets failed.
 *
 * <p>A ticket costs a round trip. So only long ranges, and objects that are read again, request
 * one. Once a cluster has issued a ticket, one thread requests the ticket of an object while others
 * wait. Safe for several threads.
 */
final class DirectReads {
  private static final String ASK_HEADER = "x-tarn-direct-read";
  private static final String ACCEPT = "accept";
  private static final String TICKET_HEADER = "tarn-read-ticket";
  private static final String AUTHORITIES_HEADER = "tarn-read-authorities";
  private static final String SECONDS_HEADER = "tarn-read-ticket-seconds";

  /** The header that marks a target's answer to a ticket. */
  private static final String ANSWER_HEADER = "tarn-read-answer";

  private static final int REDIRECT_STATUS = 307;
  private static final int FORBIDDEN_STATUS = 403;
  private static final long WORTH_ASKING_BYTES = 256 << 10;
  private static final int OBJECTS_MAX = 10_000;
  private static final int AUTHORITIES_MAX = 16;

  private final Optional<HttpSender> plain;
  private final Optional<Function<TrustedAuthorities, HttpSender>> secured;
  private final LongSupplier nanoTime;
  private final Map<String, TrustedAuthorities> authorities = new LruMap<>(AUTHORITIES_MAX);
  private final Map<StorageUrl, Optional<Ticket>> objects = new LruMap<>(OBJECTS_MAX);
  private final ReachedTargets targets;

  /** Objects whose ticket a thread is requesting. */
  private final Set<StorageUrl> asked = new HashSet<>();

  /** Whether a ticket was ever issued; until then no thread waits for one. */
  private boolean anyGiven;

  /**
   * @param plain to targets without TLS; empty if the endpoint has TLS
   * @param secured to targets that these authorities vouch for; empty if they need a proxy
   * @param nanoTime as {@link System#nanoTime}
   */
  DirectReads(
      Optional<HttpSender> plain,
      Optional<Function<TrustedAuthorities, HttpSender>> secured,
      LongSupplier nanoTime) {
    this.plain = plain;
    this.secured = secured;
    this.nanoTime = nanoTime;
    this.targets = new ReachedTargets(nanoTime);
  }

  /**
   * Permission to read an object from a target until a time, and who sends the request. Without a
   * sender, the object is read through the gateway until then.
   */
  private record Ticket(URI url, String text, Optional<HttpSender> sender, long endNanos) {
    String target() {
      return url.getAuthority();
    }
  }

  /** A GET to a gateway. */
  interface Gateway {
    HttpAnswer get(Map<String, String> headers) throws IOException;
  }

  /**
   * Gets a range of an object, from its target if possible.
   *
   * @param offset of the part
   * @param lengthBytes of the part, or a number past all lengths if it is not known
   * @param headers Range and If-Match
   */
  HttpAnswer get(
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

  private HttpAnswer ask(StorageUrl url, long offset, Map<String, String> headers, Gateway gateway)
      throws IOException {
    Optional<Ticket> given;
    try {
      Map<String, String> asking = new HashMap<>(headers);
      asking.put(ASK_HEADER, ACCEPT);
      HttpAnswer answer = gateway.get(asking);
      if (answer.status() != REDIRECT_STATUS) {
        return answer;
      }
      discard(answer);
      given = given(answer);
      if (given.isPresent()) {
        keep(url, given.orElseThrow());
      } else {
        String location = answer.header("Location").orElse("no address");
        targets.failed(location, "was named by an answer that this client cannot use");
      }
    } finally {
      endAsking(url);
    }
    return read(url, given, offset, headers, true, gateway);
  }

  private HttpAnswer read(
      StorageUrl url,
      Optional<Ticket> ticket,
      long offset,
      Map<String, String> headers,
      boolean isFresh,
      Gateway gateway)
      throws IOException {
    Optional<HttpAnswer> answer =
        isUsable(ticket)
            ? fromTarget(url, ticket.orElseThrow(), offset, headers, isFresh)
            : Optional.empty();
    return answer.isPresent() ? answer.orElseThrow() : gateway.get(headers);
  }

  private static boolean isUsable(Optional<Ticket> ticket) {
    return ticket.flatMap(Ticket::sender).isPresent();
  }

  /** True if this thread shall request the ticket; otherwise waits until another thread has. */
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

  /** Reports that an answer broke off; if a target sent it, the gateway gets the next request. */
  void brokeOff(StorageUrl url, String reason) {
    known(url)
        .filter(ticket -> ticket.sender().isPresent())
        .ifPresent(
            ticket -> targets.failed(ticket.target(), "broke off an answer (" + reason + ")"));
  }

  /** Empty if the request must go to the gateway. */
  private Optional<HttpAnswer> fromTarget(
      StorageUrl url, Ticket ticket, long offset, Map<String, String> headers, boolean isFresh)
      throws IOException {
    if (!targets.mayTry(ticket.target())) {
      return Optional.empty();
    }
    Map<String, String> shown = new HashMap<>(headers);
    shown.put(TICKET_HEADER, ticket.text());
    HttpAnswer answer;
    try {
      answer =
          ticket
              .sender()
              .orElseThrow()
              .send(HttpSender.request(SdkHttpMethod.GET, ticket.url(), shown));
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        targets.unknown(ticket.target());
      } else {
        String reason = HttpSender.reason(e);
        targets.failed(ticket.target(), "cannot be reached from here (" + reason + ")");
      }
      return Optional.empty();
    } catch (IllegalStateException e) {
      // The storage is closed: the request to the gateway reports it.
      targets.unknown(ticket.target());
      return Optional.empty();
    }
    if (answer.header(ANSWER_HEADER).isEmpty()) {
      discard(answer);
      targets.failed(
          ticket.target(), "does not answer like a target (HTTP status " + answer.status() + ")");
      return Optional.empty();
    }
    if (isPart(answer, offset, headers.containsKey("Range"))) {
      targets.reached(ticket.target());
      return Optional.of(answer);
    }
    discard(answer);
    if (isFresh && answer.status() == FORBIDDEN_STATUS) {
      targets.failed(ticket.target(), "refuses new tickets (check the servers' clocks)");
    } else {
      targets.reached(ticket.target());
    }
    if (answer.status() != 412 && answer.status() != 416) {
      // Expired, of an older map, or without the object: the gateway answers in terms of S3.
      forget(url, ticket);
    }
    return Optional.empty();
  }

  /** Whether the answer is the requested range and has the headers that a reader needs. */
  private static boolean isPart(HttpAnswer answer, long offset, boolean ofRange) {
    boolean isRight =
        ofRange
            ? answer.status() == 206
                && answer.contentRange().filter(part -> part.start() == offset).isPresent()
            : answer.status() == 200;
    return isRight && answer.header("ETag").isPresent() && answer.contentLength().isPresent();
  }

  /** Closes an answer that nobody reads, and keeps its connection if possible. */
  private static void discard(HttpAnswer answer) {
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

  private void keep(StorageUrl url, Ticket ticket) {
    if (ticket.sender().isEmpty()) {
      targets.failed(ticket.target(), whyUnusable(ticket.url()));
    }
    synchronized (this) {
      anyGiven = true;
      objects.put(url, Optional.of(ticket));
    }
  }

  /** Forgets a ticket unless a newer one has replaced it. */
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

  private Optional<Ticket> given(HttpAnswer answer) {
    Optional<String> text = answer.header(TICKET_HEADER);
    Optional<String> seconds =
        answer.header(SECONDS_HEADER).filter(value -> value.matches("[0-9]{1,6}"));
    Optional<URI> url = answer.header("Location").flatMap(DirectReads::address);
    if (text.isEmpty() || seconds.isEmpty() || url.isEmpty()) {
      return Optional.empty();
    }
    Optional<HttpSender> sender = sender(url.orElseThrow(), answer.header(AUTHORITIES_HEADER));
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.orElseThrow()));
    return Optional.of(
        new Ticket(url.orElseThrow(), text.orElseThrow(), sender, nanoTime.getAsLong() + nanos));
  }

  /** The sender of requests to this address; empty if there is none. */
  private Optional<HttpSender> sender(URI url, Optional<String> named) {
    if ("http".equals(url.getScheme())) {
      return plain;
    }
    try {
      return secured.flatMap(trusting -> named.map(this::trusted).map(trusting));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private String whyUnusable(URI url) {
    if ("http".equals(url.getScheme())) {
      return "takes reads in the clear only, but the endpoint is https";
    }
    return secured.isEmpty()
        ? "takes reads over https only, but https.proxyHost or HTTPS_PROXY is set"
        : "has no authorities that this client can use";
  }

  /** The same object for the same text, because connections belong to it. */
  private synchronized TrustedAuthorities trusted(String text) {
    return authorities.computeIfAbsent(text, TrustedAuthorities::parse);
  }

  private static Optional<URI> address(String location) {
    try {
      URI url = URI.create(location);
      boolean isKnown = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      return isKnown && url.getHost() != null ? Optional.of(url) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
