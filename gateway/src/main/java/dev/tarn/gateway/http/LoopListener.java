package dev.tarn.gateway.http;

import dev.tarn.transport.body.ReceiveBuffers;
import dev.tarn.transport.connection.DecodingFailures;
import dev.tarn.transport.connection.ReceivedBytes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The part of the listener that runs on one event loop: its connections and their periodic checks.
 */
final class LoopListener extends VerticleBase {
  /**
   * How many connections beyond the limit still get an answer. Further connections are closed
   * without one.
   */
  private static final int SURPLUS_CONNECTIONS_MAX = 64;

  private static final long CHECK_PERIOD_MS_MAX = 1000;

  /** Netty reads an undeclared body of eight bytes after a head with this header. */
  private static final CharSequence HIXIE_KEY = HttpHeaders.createOptimized("Sec-WebSocket-Key1");

  private final HttpListener shared;
  private final IdentityHashMap<HttpConnection, ClientConnection> connections =
      new IdentityHashMap<>();
  private volatile Holdings holdings = new Holdings();
  private @Nullable HttpServer server;

  LoopListener(HttpListener shared) {
    this.shared = shared;
  }

  @Override
  public Future<?> start() {
    HttpServer created = vertx.createHttpServer(shared.serverOptions());
    server = created;
    created.connectionHandler(this::connected);
    created.requestHandler(this::requested);
    created.invalidRequestHandler(this::malformed);
    HttpSettings settings = shared.settings();
    long period =
        Math.clamp(
            Math.min(settings.limits().idleMsMax(), settings.limits().progressPeriodMs()) / 4,
            1,
            CHECK_PERIOD_MS_MAX);
    vertx.setPeriodic(period, ignored -> checkConnections());
    return created.listen(shared.address()).onSuccess(bound -> shared.boundTo(bound.actualPort()));
  }

  /** Accepts no more connections, closes idle ones, and ends when the last answer is written. */
  Future<Void> shutdown(long timeoutMs) {
    HttpServer listening = server;
    return listening == null
        ? Future.succeededFuture()
        : listening.shutdown(timeoutMs, TimeUnit.MILLISECONDS);
  }

  /** The holdings of each client on this event loop, as last counted. */
  Holdings holdings() {
    return holdings;
  }

  private void connected(HttpConnection connection) {
    int open = shared.connectionOpened();
    connection.closeHandler(ignored -> {
      connections.remove(connection);
      shared.connectionClosed();
    });
    int max = shared.settings().limits().connectionsMax();
    if (open > max + SURPLUS_CONNECTIONS_MAX) {
      connection.close();
      return;
    }
    ReceiveBuffers.use(connection);
    ClientConnection client = new ClientConnection(connection, shared, open > max);
    ReceivedBytes.watch(connection, client);
    connections.put(connection, client);
  }

  private void requested(HttpServerRequest request) {
    Exchange exchange = begin(request);
    if (exchange == null) {
      return;
    }
    ListenerRefusal refusal = refusalOf(exchange);
    if (refusal == null) {
      shared.handler().handle(exchange);
    } else {
      exchange.respondAndClose(shared.handler().refusal(exchange, refusal));
    }
  }

  private @Nullable ListenerRefusal refusalOf(Exchange exchange) {
    if (exchange.connection().surplus()) {
      return ListenerRefusal.TOO_MANY_CONNECTIONS;
    }
    if (exchange.request().version() == HttpVersion.HTTP_1_1
        && exchange.request().headers().getAll(HttpHeaders.HOST).size() != 1) {
      return ListenerRefusal.WRONG_HOST;
    }
    if (!isTransferEncodingKnown(exchange.request())) {
      return ListenerRefusal.TRANSFER_ENCODING;
    }
    if (exchange.request().headers().contains(HIXIE_KEY)) {
      return ListenerRefusal.WEB_SOCKET;
    }
    return exchange.declaredLength() > shared.settings().limits().bodyBytesMax()
        ? ListenerRefusal.BODY_TOO_LONG
        : null;
  }

  /**
   * With any other encoding, the end of the body and the start of the next request are undefined.
   */
  private static boolean isTransferEncodingKnown(HttpServerRequest request) {
    if (!request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      return true;
    }
    List<String> encodings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    return encodings.size() == 1 && encodings.getFirst().strip().equalsIgnoreCase("chunked");
  }

  private void malformed(HttpServerRequest request) {
    Exchange exchange = begin(request);
    if (exchange != null) {
      ListenerRefusal refusal =
          DecodingFailures.isTooLong(request)
              ? ListenerRefusal.HEAD_TOO_LONG
              : ListenerRefusal.MALFORMED_HEAD;
      exchange.respondAndClose(shared.handler().refusal(exchange, refusal));
    }
  }

  private @Nullable Exchange begin(HttpServerRequest request) {
    ClientConnection connection = connections.get(request.connection());
    Context context = Vertx.currentContext();
    if (connection == null || context == null || connection.closing()) {
      request.connection().close();
      return null;
    }
    Exchange exchange = new Exchange(request, context, connection);
    connection.began(exchange);
    shared.exchangeBegan();
    return exchange;
  }

  private void checkConnections() {
    long now = System.nanoTime();
    Holdings counted = new Holdings();
    for (ClientConnection connection : List.copyOf(connections.values())) {
      counted.add(connection.client(), connection.heldBytes(), 1);
      connection.check(now);
    }
    holdings = counted;
    shared.judgeShares();
  }
}
