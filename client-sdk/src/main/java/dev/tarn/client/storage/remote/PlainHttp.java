package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
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
 * Requests over unencrypted connections that are kept open. Where millions of small objects are
 * read it is the client's work for each request that bounds their number: this is little but the
 * writing and parsing of heads, by Apache HttpCore.
 *
 * <p>A kept connection may have been closed by the server: a request that finds it so is sent
 * again, once, on a new one. For use by many threads at once.
 */
final class PlainHttp implements Exchange, AutoCloseable {
  private static final int DEFAULT_PORT = 80;
  private static final int FINAL_STATUS_MIN = 200;
  private static final Duration KEPT_MAX = Duration.ofSeconds(30);

  /** Of an answer's head. */
  private static final int HEAD_BYTES_MAX = 256 * 1024;

  private static final int HEADERS_MAX = 1_000;

  /** Answers before the answer, such as 100 and 103. */
  private static final int INTERIM_ANSWERS_MAX = 16;

  /** Unread bytes of an answer up to which reading on is cheaper than a new connection. */
  private static final int DRAIN_BYTES_MAX = 64 * 1024;

  private static final int DRAIN_STEP_BYTES = 2 * 1024;

  private static final Http1Config LIMITS =
      Http1Config.custom().setMaxLineLength(HEAD_BYTES_MAX).setMaxHeaderCount(HEADERS_MAX).build();

  private final Timeout idleTimeout;

  /** In which the head of an answer, or the rest of one that is not wanted, has come. */
  private final Duration headTimeout;

  private final int connectTimeoutMs;
  private final int connectionsMax;
  private final Semaphore free;
  private final Map<InetSocketAddress, Deque<Connection>> kept = new ConcurrentHashMap<>();
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  PlainHttp(StorageOptions options) {
    this.idleTimeout = Timeout.of(options.idleTimeout());
    this.headTimeout = options.idleTimeout().multipliedBy(2);
    this.connectTimeoutMs = Math.toIntExact(options.connectTimeout().toMillis());
    this.connectionsMax = options.connectionsMax();
    this.free = new Semaphore(connectionsMax);
  }

  /** One connection, for one request at a time. */
  private static final class Connection {
    private final InetSocketAddress server;
    private final GuardedSocket socket;
    private final DefaultBHttpClientConnection http;
    private long usedNanos;

    Connection(InetSocketAddress server, GuardedSocket socket, DefaultBHttpClientConnection http) {
      this.server = server;
      this.socket = socket;
      this.http = http;
    }
  }

  @Override
  public Answer send(StorageUrl url, SdkHttpRequest request) throws IOException {
    InetSocketAddress server = InetSocketAddress.createUnresolved(request.host(), port(request));
    try {
      free.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for a connection").initCause(e);
    }
    boolean sent = false;
    try {
      Answer answer = null;
      Optional<Connection> used = takeKept(server);
      if (used.isPresent()) {
        answer = sendAgain(url, request, used.orElseThrow());
      }
      if (answer == null) {
        answer = send(url, request, connect(server));
      }
      sent = true;
      return answer;
    } finally {
      if (!sent) {
        free.release();
      }
    }
  }

  /** Null if the server has closed the connection since it was used. */
  private @Nullable Answer sendAgain(StorageUrl url, SdkHttpRequest request, Connection used)
      throws IOException {
    try {
      return send(url, request, used);
    } catch (InterruptedIOException e) {
      // Timed out, too.
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  private static int port(SdkHttpRequest request) {
    return request.port() > 0 ? request.port() : DEFAULT_PORT;
  }

  private Optional<Connection> takeKept(InetSocketAddress server) {
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

  /**
   * Ends what was kept in vain, such as connections to servers that are not there any more, and as
   * many of the others as it takes to stay within the bound with one more.
   */
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

  private Connection connect(InetSocketAddress server) throws IOException {
    makeRoom();
    GuardedSocket socket = new GuardedSocket();
    boolean connected = false;
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
      if (resolved.isUnresolved()) {
        throw new UnknownHostException(server.getHostString());
      }
      InterruptibleWait.during(() -> connect(socket, resolved), () -> cut(socket));
      DefaultBHttpClientConnection http = new DefaultBHttpClientConnection(LIMITS);
      http.bind(socket);
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

  private static void cut(GuardedSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more, however it ends.
    }
  }

  private Answer send(StorageUrl url, SdkHttpRequest request, Connection connection)
      throws IOException {
    boolean answered = false;
    try {
      Answer answer =
          InterruptibleWait.during(
              () -> exchange(url, request, connection), () -> drop(connection));
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        drop(connection);
      }
    }
  }

  private Answer exchange(StorageUrl url, SdkHttpRequest request, Connection connection)
      throws IOException {
    try {
      ClassicHttpRequest head = head(request);
      connection.http.sendRequestHeader(head);
      connection.http.flush();
      return answer(url, request, connection, head, receiveHead(connection));
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
      // A status that no answer can have.
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

  private Answer answer(
      StorageUrl url,
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
    return new Answer(url, told.build(), AbortableInputStream.create(body, body::abort));
  }

  /** The bytes of an answer; its connection is free when it is closed, and cut when aborted. */
  private final class Content extends FilterInputStream {
    private final Connection connection;
    private final boolean isKept;
    private final AtomicBoolean ended = new AtomicBoolean();

    Content(InputStream content, Connection connection, boolean isKept) {
      super(content);
      this.connection = connection;
      this.isKept = isKept;
    }

    /** Reads the rest if it is short: what follows on the connection is another answer. */
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

    /** Whether the answer's end was reached. */
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

  /** Cuts all connections; what still reads from one fails. */
  @Override
  public void close() {
    closed = true;
    open.forEach(this::drop);
  }
}
