package dev.tarn.client.internal.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Sends requests over connections that it keeps open: unencrypted ones, and encrypted ones to
 * servers of {@link TrustedAuthorities}. It does little more for a request than write and parse
 * heads, by Apache HttpCore.
 *
 * <p>The server may have closed a kept connection. A request on such a connection is sent once more
 * on a new one. Safe for several threads.
 */
public final class PlainHttp implements HttpSender, AutoCloseable {
  private static final int DEFAULT_PORT = 80;
  private static final int FINAL_STATUS_MIN = 200;
  private static final Duration KEPT_MAX = Duration.ofSeconds(30);

  /** Bound of an answer's head. */
  private static final int HEAD_BYTES_MAX = 256 * 1024;

  /** Bound of a line, well below a head's, so that the same error names a line without end. */
  private static final int LINE_BYTES_MAX = 64 * 1024;

  private static final int HEADERS_MAX = 1_000;

  /** Bound of answers with a status below 200, such as 100 and 103, before the final one. */
  private static final int INTERIM_ANSWERS_MAX = 16;

  /** Up to so many unread bytes, reading them costs less than a new connection. */
  private static final int DRAIN_BYTES_MAX = 64 * 1024;

  private static final int DRAIN_STEP_BYTES = 2 * 1024;

  private static final Http1Config LIMITS =
      Http1Config.custom().setMaxLineLength(LINE_BYTES_MAX).setMaxHeaderCount(HEADERS_MAX).build();

  private final Timeout idleTimeout;

  /** Bound of the time in which a head, or the unwanted rest of an answer, must arrive. */
  private final Duration headTimeout;

  private final int connectTimeoutMs;
  private final int connectionsMax;
  private final Semaphore free;
  private final Map<Server, Deque<Connection>> kept = new ConcurrentHashMap<>();
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Makes a client without connections. */
  public PlainHttp(ConnectionLimits limits) {
    this.idleTimeout = Timeout.of(limits.idleTimeout());
    this.headTimeout = limits.idleTimeout().multipliedBy(2);
    this.connectTimeoutMs = Math.toIntExact(limits.connectTimeout().toMillis());
    this.connectionsMax = limits.connectionsMax();
    this.free = new Semaphore(connectionsMax);
  }

  /** The authorities are compared by identity: connections belong to those that verified them. */
  private record Server(InetSocketAddress address, Optional<TrustedAuthorities> authorities) {}

  /** One connection, for one request at a time. */
  private static final class Connection {
    private final Server server;
    private final GuardedSocket socket;
    private final DefaultBHttpClientConnection http;
    private long usedNanos;

    Connection(Server server, GuardedSocket socket, DefaultBHttpClientConnection http) {
      this.server = server;
      this.socket = socket;
      this.http = http;
    }
  }

  @Override
  public HttpAnswer send(SdkHttpRequest request) throws IOException {
    return send(request, Optional.empty());
  }

  /** Sends requests over encrypted connections, to servers that these authorities vouch for. */
  public HttpSender trusting(TrustedAuthorities authorities) {
    return request -> send(request, Optional.of(authorities));
  }

  private HttpAnswer send(SdkHttpRequest request, Optional<TrustedAuthorities> authorities)
      throws IOException {
    Server server =
        new Server(InetSocketAddress.createUnresolved(request.host(), port(request)), authorities);
    try {
      free.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for a connection").initCause(e);
    }
    boolean sent = false;
    try {
      HttpAnswer answer = null;
      Optional<Connection> used = takeKept(server);
      if (used.isPresent()) {
        answer = sendAgain(request, used.orElseThrow());
      }
      if (answer == null) {
        answer = send(request, connect(server));
      }
      sent = true;
      return answer;
    } finally {
      if (!sent) {
        free.release();
      }
    }
  }

  /** Null if the server has closed the connection since its last use. */
  private @Nullable HttpAnswer sendAgain(SdkHttpRequest request, Connection used)
      throws IOException {
    try {
      return send(request, used);
    } catch (InterruptedIOException e) {
      // A timeout as well: the server may have the request.
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  private static int port(SdkHttpRequest request) {
    return request.port() > 0 ? request.port() : DEFAULT_PORT;
  }

  private Optional<Connection> takeKept(Server server) {
    Deque<Connection> connections = kept.get(server);
    if (connections == null) {
      return Optional.empty();
    }
    for (Connection last; (last = connections.pollFirst()) != null; ) {
      if (!isOld(last)) {
        return Optional.of(last);
      }
      drop(last);
    }
    return Optional.empty();
  }

  /** Closes kept connections that are too old, and others until one more is within the bound. */
  private void makeRoom() {
    for (Deque<Connection> unused : kept.values()) {
      for (Connection oldest = unused.peekLast();
          oldest != null && (isOld(oldest) || open.size() >= connectionsMax);
          oldest = unused.peekLast()) {
        if (unused.removeLastOccurrence(oldest)) {
          drop(oldest);
        }
      }
    }
  }

  private static boolean isOld(Connection connection) {
    return System.nanoTime() - connection.usedNanos >= KEPT_MAX.toNanos();
  }

  private Connection connect(Server server) throws IOException {
    makeRoom();
    GuardedSocket socket = new GuardedSocket();
    boolean connected = false;
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      String host = server.address().getHostString();
      InetSocketAddress resolved = new InetSocketAddress(host, server.address().getPort());
      if (resolved.isUnresolved()) {
        throw new UnknownHostException(host);
      }
      InterruptibleWait.during(() -> connect(socket, resolved), () -> cut(socket));
      DefaultBHttpClientConnection http = new DefaultBHttpClientConnection(LIMITS);
      if (server.authorities().isPresent()) {
        http.bind(
            InterruptibleWait.during(() -> secure(socket, server), () -> cut(socket)), socket);
      } else {
        http.bind(socket);
      }
      http.setSocketTimeout(idleTimeout);
      Connection connection = new Connection(server, socket, http);
      open.add(connection);
      connected = true;
      if (closed) {
        drop(connection);
        throw new IllegalStateException("closed");
      }
      return connection;
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }

  private GuardedSocket connect(GuardedSocket socket, InetSocketAddress server) throws IOException {
    socket.connect(server, connectTimeoutMs);
    return socket;
  }

  private SSLSocket secure(GuardedSocket socket, Server server) throws IOException {
    InetSocketAddress address = server.address();
    socket.setSoTimeout(connectTimeoutMs);
    socket.bound(HEAD_BYTES_MAX, Duration.ofMillis(connectTimeoutMs));
    SSLSocket secured =
        server
            .authorities()
            .orElseThrow()
            .secure(socket, address.getHostString(), address.getPort());
    socket.unbound();
    return secured;
  }

  private static void cut(GuardedSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The socket is discarded anyway.
    }
  }

  private HttpAnswer send(SdkHttpRequest request, Connection connection) throws IOException {
    boolean answered = false;
    try {
      HttpAnswer answer =
          InterruptibleWait.during(() -> exchange(request, connection), () -> drop(connection));
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        drop(connection);
      }
    }
  }

  private HttpAnswer exchange(SdkHttpRequest request, Connection connection) throws IOException {
    try {
      ClassicHttpRequest head = head(request);
      connection.http.sendRequestHeader(head);
      connection.http.flush();
      return answer(request, connection, head, receiveHead(connection));
    } catch (HttpException e) {
      throw new IOException("an answer that is not HTTP: " + e.getMessage(), e);
    }
  }

  private ClassicHttpResponse receiveHead(Connection connection) throws IOException, HttpException {
    connection.socket.bound(HEAD_BYTES_MAX, headTimeout);
    for (int interim = 0; interim <= INTERIM_ANSWERS_MAX; interim++) {
      ClassicHttpResponse response = receiveHeader(connection);
      if (response.getCode() >= FINAL_STATUS_MIN) {
        connection.socket.unbound();
        return response;
      }
    }
    throw new HttpException("%d answers with a status below 200", INTERIM_ANSWERS_MAX + 1);
  }

  private static ClassicHttpResponse receiveHeader(Connection connection)
      throws IOException, HttpException {
    try {
      return connection.http.receiveResponseHeader();
    } catch (IllegalArgumentException e) {
      // HttpCore refuses an impossible status in this way.
      throw new HttpException(e.getMessage(), e);
    }
  }

  private static ClassicHttpRequest head(SdkHttpRequest request) {
    String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
    String target = request.encodedQueryParameters().map(path.concat("?")::concat).orElse(path);
    BasicClassicHttpRequest head = new BasicClassicHttpRequest(request.method().name(), target);
    request.forEachHeader((name, values) -> values.forEach(value -> head.addHeader(name, value)));
    if (!head.containsHeader(HttpHeaders.HOST)) {
      boolean isUsual = port(request) == DEFAULT_PORT;
      head.addHeader(
          HttpHeaders.HOST, isUsual ? request.host() : request.host() + ":" + port(request));
    }
    return head;
  }

  private HttpAnswer answer(
      SdkHttpRequest request,
      Connection connection,
      ClassicHttpRequest head,
      ClassicHttpResponse response)
      throws IOException, HttpException {
    SdkHttpResponse.Builder told =
        SdkHttpResponse.builder()
            .statusCode(response.getCode())
            .statusText(response.getReasonPhrase());
    for (Header header : response.getHeaders()) {
      told.appendHeader(header.getName(), String.valueOf(header.getValue()));
    }
    boolean isKept = DefaultConnectionReuseStrategy.INSTANCE.keepAlive(head, response, null);
    if (MessageSupport.canResponseHaveBody(request.method().name(), response)) {
      connection.http.receiveResponseEntity(response);
    }
    InputStream content =
        response.getEntity() == null
            ? InputStream.nullInputStream()
            : response.getEntity().getContent();
    Content body = new Content(content, connection, isKept);
    return new HttpAnswer(told.build(), AbortableInputStream.create(body, body::abort));
  }

  /** The body of an answer. Its close frees the connection; its abort cuts the connection. */
  private final class Content extends FilterInputStream {
    private final Connection connection;
    private final boolean isKept;
    private final AtomicBoolean ended = new AtomicBoolean();

    Content(InputStream content, Connection connection, boolean isKept) {
      super(content);
      this.connection = connection;
      this.isKept = isKept;
    }

    /** Reads the rest if it is short, so that the connection can be used again. */
    @Override
    public void close() throws IOException {
      if (ended.compareAndSet(false, true)) {
        boolean isDrained = false;
        try {
          isDrained = isKept && drain();
        } finally {
          end(connection, isDrained);
        }
      }
    }

    /** Reads to the end of the answer; false if the end is too far. */
    private boolean drain() throws IOException {
      connection.socket.bound(DRAIN_BYTES_MAX, headTimeout);
      byte[] unwanted = new byte[DRAIN_STEP_BYTES];
      int left = DRAIN_BYTES_MAX;
      int count = 0;
      while (count >= 0 && left > 0) {
        count = in.read(unwanted);
        left -= count;
      }
      connection.socket.unbound();
      return count < 0;
    }

    void abort() {
      if (ended.compareAndSet(false, true)) {
        end(connection, false);
      }
    }
  }

  private void end(Connection connection, boolean isKept) {
    if (isKept && !closed) {
      connection.usedNanos = System.nanoTime();
      kept.computeIfAbsent(connection.server, server -> new ConcurrentLinkedDeque<>())
          .addFirst(connection);
      if (closed) {
        drop(connection);
      }
    } else {
      drop(connection);
    }
    free.release();
  }

  private void drop(Connection connection) {
    open.remove(connection);
    connection.http.close(CloseMode.IMMEDIATE);
  }

  /** Cuts all connections; their readers fail. */
  @Override
  public void close() {
    closed = true;
    open.forEach(this::drop);
  }
}
