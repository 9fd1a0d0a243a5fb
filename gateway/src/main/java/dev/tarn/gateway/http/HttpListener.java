package dev.tarn.gateway.http;

import static java.util.Objects.requireNonNull;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP/1.1 on all event loops and enforces the limits: size of heads and bodies, number
 * of connections, and the minimum transfer rate of a client.
 *
 * <p>The listener also limits the memory that all clients together hold. Each event loop counts
 * periodically what its connections hold, for each client: the user's access key, or the address of
 * a client without one. If memory or connections are short, clients with more than a fair share are
 * refused new requests, and lose idle and slow connections. A client that holds less is not
 * affected.
 */
public final class HttpListener {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

  /**
   * The maximum that one read from a socket returns. A body that nobody reads holds a few such
   * chunks.
   */
  private static final int CHUNK_BYTES_MAX = 64 << 10;

  /** The share of a limit that must be free before a shortage ends. */
  private static final int RELIEF_SHARE = 8;

  /** Identifies the free port that the event loops share. */
  private static final int FREE_PORT_ID = 1;

  private final Vertx vertx;
  private final HttpSettings settings;
  private final ExchangeHandler handler;
  private final List<LoopListener> loops = new CopyOnWriteArrayList<>();
  private final AtomicInteger openConnections = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final ReadMemory readMemory = new ReadMemory();
  private volatile Set<String> greedy = Set.of();
  private volatile long heldBytes;
  private volatile int boundPort;

  public HttpListener(Vertx vertx, HttpSettings settings, ExchangeHandler handler) {
    this.vertx = requireNonNull(vertx, "vertx is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.handler = requireNonNull(handler, "handler is null");
  }

  /** Starts to listen on this number of event loops. The future gives the port. */
  public Future<Integer> listen(int eventLoops) {
    return vertx
        .deployVerticle(this::newLoop, new DeploymentOptions().setInstances(eventLoops))
        .map(ignored -> boundPort);
  }

  private LoopListener newLoop() {
    LoopListener loop = new LoopListener(this);
    loops.add(loop);
    return loop;
  }

  /**
   * Accepts no more connections, closes idle connections and lets requests in flight end. The
   * future gives whether all requests ended in time; the other requests are cut off.
   */
  public Future<Boolean> drain(long timeoutMs) {
    return Future.join(loops.stream().map(loop -> loop.shutdown(timeoutMs)).toList())
        .transform(ignored -> Future.succeededFuture(inFlight.get() == 0));
  }

  /** The number of open connections. */
  public int openConnections() {
    return openConnections.get();
  }

  /** The number of requests in flight. */
  public int inFlight() {
    return inFlight.get();
  }

  /** The memory that connections and requests hold, as last counted. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Whether memory or connections are short, and this client holds more than its fair share. */
  boolean isGreedy(String client) {
    Set<String> known = greedy;
    return !known.isEmpty() && known.contains(client);
  }

  /** Whether memory or connections are short. */
  boolean isShort() {
    return !greedy.isEmpty();
  }

  /**
   * Finds the clients that hold too much, after an event loop has counted anew. An eighth of the
   * connections stays free for clients that hold few. A shortage ends when an eighth of the limit
   * is free.
   */
  void judgeShares() {
    Holdings all = new Holdings();
    loops.forEach(loop -> all.addAll(loop.holdings()));
    heldBytes = all.sumBytes();
    boolean wasShort = isShort();
    long bytesMax = settings.limits().heldBytesMax();
    long sharedMax = lessAnEighth(settings.limits().connectionsMax());
    greedy =
        wasShort
            ? all.above(lessAnEighth(bytesMax), lessAnEighth(sharedMax))
            : all.above(bytesMax, sharedMax);
    if (isShort() && !wasShort) {
      LOG.warn(
          "{}; {} users or addresses above their fair share get 503 SlowDown until some are free",
          clientsHold(),
          greedy.size());
    } else if (wasShort && !isShort()) {
      LOG.info("{}; all requests are accepted again", clientsHold());
    }
  }

  private static long lessAnEighth(long limit) {
    return limit - limit / RELIEF_SHARE;
  }

  /** Describes the memory and connections of all clients together, and the limits. */
  String clientsHold() {
    return "clients hold "
        + heldBytes
        + " bytes of memory (limit "
        + settings.limits().heldBytesMax()
        + ") and "
        + openConnections()
        + " connections (limit "
        + settings.limits().connectionsMax()
        + ")";
  }

  HttpSettings settings() {
    return settings;
  }

  ExchangeHandler handler() {
    return handler;
  }

  ReadMemory readMemory() {
    return readMemory;
  }

  int connectionOpened() {
    return openConnections.incrementAndGet();
  }

  void connectionClosed() {
    openConnections.decrementAndGet();
  }

  void exchangeBegan() {
    inFlight.incrementAndGet();
  }

  void exchangeFinished(Exchange exchange) {
    handler.finished(exchange);
    inFlight.decrementAndGet();
  }

  void boundTo(int port) {
    boundPort = port;
  }

  SocketAddress address() {
    return settings.port() == 0
        ? SocketAddress.sharedRandomPort(FREE_PORT_ID, settings.host())
        : SocketAddress.inetSocketAddress(settings.port(), settings.host());
  }

  HttpServerOptions serverOptions() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxInitialLineLength(settings.limits().initialLineBytesMax())
            .setMaxHeaderSize(settings.limits().headerBytesMax())
            .setMaxChunkSize(CHUNK_BYTES_MAX)
            // Without this setting, data that the client does not take waits in a message queue.
            // That
            // queue does not count bytes and does not free their memory when the client
            // disconnects.
            .setStrictThreadMode(true)
            .setHandle100ContinueAutomatically(false)
            .setCompressionSupported(false)
            .setDecompressionSupported(false)
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHttp2ClearTextEnabled(false)
            .setTcpNoDelay(true)
            .setTcpKeepAlive(true);
    Path chain = settings.certificateChain();
    Path key = settings.privateKey();
    if (chain != null && key != null) {
      options
          .setSsl(true)
          .setUseAlpn(false)
          .setKeyCertOptions(
              new PemKeyCertOptions().setCertPath(chain.toString()).setKeyPath(key.toString()));
    }
    return options;
  }
}
