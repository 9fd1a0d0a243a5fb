package dev.tarn.gateway.http;

import static java.net.HttpURLConnection.HTTP_FORBIDDEN;

import dev.tarn.transport.body.EventLoops;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer. The state belongs to the connection's event loop. Any thread may call
 * {@link #respond}; only the first call has an effect.
 */
public final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  private final HttpServerRequest request;
  private final Context context;
  private final ClientConnection connection;
  private final String requestId = newRequestId();
  private final long startNanos = System.nanoTime();
  private final ExchangeRecord record = new ExchangeRecord();
  private final AtomicBoolean answered = new AtomicBoolean();
  private final @Nullable RequestBody body;
  private @Nullable ResponseWriter writer;
  private @Nullable Response afterDrain;
  private List<CharSequence> answerHeaders = List.of();
  private long drainStartNanos;
  private boolean begunEarly;
  private boolean finished;

  Exchange(HttpServerRequest request, Context context, ClientConnection connection) {
    this.request = request;
    this.context = context;
    this.connection = connection;
    this.body = hasBody(request) ? newBody(request, context) : null;
    request.response().exceptionHandler(this::connectionLost);
  }

  /** Sixteen hexadecimal digits, as S3's request ids have. */
  private static String newRequestId() {
    return HexFormat.of().withUpperCase().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader(HeaderNames.CONTENT_LENGTH);
    return length == null
        ? request.headers().contains(HeaderNames.TRANSFER_ENCODING)
        : !length.equals("0");
  }

  private static RequestBody newBody(HttpServerRequest request, Context context) {
    return new RequestBody(request, context, expectsContinue(request));
  }

  private static boolean expectsContinue(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_1_1
        && "100-continue".equalsIgnoreCase(request.getHeader("Expect"));
  }

  /** The request; use only its head. */
  public HttpServerRequest request() {
    return request;
  }

  /** The address of the client; empty if the connection has none. */
  public String clientAddress() {
    SocketAddress client = request.remoteAddress();
    String address = client == null ? null : client.hostAddress();
    return address == null ? "" : address;
  }

  /** Whether the client's connection is encrypted. */
  public boolean isEncrypted() {
    return request.isSSL();
  }

  ClientConnection connection() {
    return connection;
  }

  /** The length that the head declares; 0 if the head declares none or no valid number. */
  long declaredLength() {
    String length = request.getHeader(HeaderNames.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Names the request in answers and logs. */
  public String requestId() {
    return requestId;
  }

  /** When the request's head was complete, by {@link System#nanoTime()}. */
  public long startNanos() {
    return startNanos;
  }

  /** The record of this exchange for the access log and the metrics. */
  public ExchangeRecord record() {
    return record;
  }

  /**
   * Adds these headers to the answer, whatever the answer is. Call this on the event loop.
   *
   * @param namesAndValues alternating names and values
   */
  public void answerHeaders(List<CharSequence> namesAndValues) {
    answerHeaders = List.copyOf(namesAndValues);
  }

  /** Adds the headers that every answer has. */
  void writeCommonHeaders(MultiMap written) {
    written.add(HeaderNames.SERVER, HeaderNames.TARN);
    written.add(HeaderNames.DATE, HttpDates.now());
    written.add(HeaderNames.REQUEST_ID, requestId);
    for (int index = 0; index < answerHeaders.size(); index += 2) {
      written.add(answerHeaders.get(index), answerHeaders.get(index + 1));
    }
  }

  /**
   * Runs a step on the connection's event loop; immediately if the caller is on that event loop.
   */
  public void onLoop(Runnable step) {
    EventLoops.run(context, step);
  }

  /** Whether this thread is the connection's event loop. */
  public boolean isOnLoop() {
    return EventLoops.isHere(context);
  }

  /** The request's body, or null if it has none. */
  public @Nullable RequestBody body() {
    return body;
  }

  /**
   * Answers the request. The rest of the request's body is read first. A client that writes before
   * it reads then gets the answer, and the connection stays usable. If too much of the body is
   * left, the answer closes the connection. A client that still waits for {@code 100 Continue} gets
   * the answer immediately, and the connection is closed.
   */
  public void respond(Response response) {
    if (!answered.compareAndSet(false, true)) {
      response.discard();
      return;
    }
    EventLoops.run(context, () -> respondOnLoop(response));
  }

  private void respondOnLoop(Response response) {
    if (finished) {
      response.discard();
      return;
    }
    RequestBody unread = body;
    if (unread == null) {
      boolean forbidden = response.status() == HTTP_FORBIDDEN;
      boolean owesContinue = owesContinue();
      if (owesContinue && !forbidden) {
        request.response().writeContinue();
      }
      write(response, owesContinue && forbidden);
    } else if (unread.awaitsContinue()) {
      write(response, true);
    } else {
      afterDrain = response;
      drainStartNanos = System.nanoTime();
      unread.drain(connection.unreadBytesMax(), () -> write(response, !unread.ended()));
    }
  }

  /**
   * Whether an empty PUT with {@code Expect: 100-continue} still waits for the 100 response. An
   * empty body needs none, but botocore misreads the next answer of a connection on which the 100
   * response was left out. A permitted request gets it before its answer. A forbidden request gets
   * none, and the connection ends with the answer.
   */
  private boolean owesContinue() {
    return !begunEarly
        && writer == null
        && request.method().equals(HttpMethod.PUT)
        && expectsContinue(request);
  }

  /**
   * Keeps a waiting client from timing out. The first call begins a 200 answer that is an XML
   * document, and each later call adds white space. The final answer must then be a document.
   */
  public void keepAlive() {
    onLoop(() -> {
      if (!finished && writer == null) {
        EarlyAnswer.write(this, !begunEarly);
        begunEarly = true;
      }
    });
  }

  /**
   * Answers immediately and closes the connection, even if the client is still sending. If an
   * answer already waits for the end of the body, that answer is sent instead of this one.
   */
  void respondAndClose(Response response) {
    Response waiting = afterDrain;
    if (writer == null && waiting != null) {
      response.discard();
      write(waiting, true);
    } else if (answered.compareAndSet(false, true)) {
      write(response, true);
    } else {
      response.discard();
    }
  }

  private void write(Response response, boolean close) {
    ResponseWriter present = writer;
    if (finished || present != null) {
      if (present == null || !present.writes(response)) {
        response.discard();
      }
      return;
    }
    if (begunEarly) {
      record.status(EarlyAnswer.STATUS);
      EarlyAnswer.end(this, response).onComplete(result -> finish(result.succeeded()));
      return;
    }
    record.status(response.status());
    ResponseWriter started = new ResponseWriter(this, context, response, close);
    writer = started;
    try {
      started.start();
    } catch (RuntimeException e) {
      LOG.error(
          "request {} {} {}: its answer could not be written; the connection is closed",
          requestId,
          request.method(),
          request.path(),
          e);
      started.connectionLost();
    }
  }

  /** Ends the exchange: the last byte is written, or the answer broke off. */
  void finish(boolean whole) {
    if (finished) {
      return;
    }
    finished = true;
    RequestBody read = body;
    ResponseWriter written = writer;
    record.finish(
        System.nanoTime() - startNanos,
        read == null ? 0 : read.received(),
        written == null ? 0 : written.taken(),
        whole);
    connection.finished(this);
  }

  private void connectionLost(Throwable cause) {
    ResponseWriter started = writer;
    if (started == null) {
      answered.set(true);
      finish(false);
    } else {
      started.connectionLost();
    }
  }

  /**
   * Reports that the body is not valid HTTP. Returns whether an answer follows; that answer closes
   * the connection.
   */
  boolean bodyBroken(Throwable cause) {
    RequestBody read = body;
    return read != null && !finished && read.breakOff(new MalformedBodyException(cause));
  }

  /** Whether the exchange waits for the client to send or to receive bytes. */
  boolean awaitsClient() {
    RequestBody read = body;
    return writer != null || (read != null && read.awaitsClient());
  }

  /**
   * Whether an answer has waited for the end of an unwanted body since this time or longer.
   *
   * @param nanos by {@link System#nanoTime()}
   */
  boolean drainsSince(long nanos) {
    return afterDrain != null && writer == null && drainStartNanos - nanos <= 0;
  }

  /** The number of bytes that the client has sent and received. */
  long moved() {
    RequestBody read = body;
    ResponseWriter written = writer;
    return (read == null ? 0 : read.received()) + (written == null ? 0 : written.taken());
  }

  /** The bytes of the request's body that wait here, in memory. */
  long heldBytes() {
    RequestBody read = body;
    return read == null ? 0 : read.heldBytes();
  }

  /**
   * Why the request must be refused because its client holds too much memory; null if it need not
   * be. Call this on the event loop, when the record names the user.
   */
  public @Nullable String memoryRefusal() {
    return connection.memoryRefusal();
  }

  /** Whether the answer's head may have been written. */
  boolean started() {
    return writer != null;
  }
}
