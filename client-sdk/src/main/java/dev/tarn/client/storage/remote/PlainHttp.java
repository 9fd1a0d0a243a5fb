package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
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

  private final Timeout idleTimeout;
  private final int connectTimeoutMs;
  private final Semaphore free;
  private final Map<InetSocketAddress, Deque<Connection>> kept = new ConcurrentHashMap<>();
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  PlainHttp(StorageOptions options) {
    this.idleTimeout = Timeout.of(options.idleTimeout());
    this.connectTimeoutMs = Math.toIntExact(options.connectTimeout().toMillis());
    this.free = new Semaphore(options.connectionsMax());
  }

  /** One connection, for one request at a time. */
  private static final class Connection {
    private final InetSocketAddress server;
    private final DefaultBHttpClientConnection http;
    private long usedNanos;

    Connection(InetSocketAddress server, DefaultBHttpClientConnection http) {
      this.server = server;
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
    } catch (SocketTimeoutException e) {
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
      if (System.nanoTime() - last.usedNanos < KEPT_MAX.toNanos()) {
        return Optional.of(last);
      }
      drop(last);
    }
    return Optional.empty();
  }

  private Connection connect(InetSocketAddress server) throws IOException {
    Socket socket = new Socket();
    boolean connected = false;
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
      if (resolved.isUnresolved()) {
        throw new UnknownHostException(server.getHostString());
      }
      socket.connect(resolved, connectTimeoutMs);
      DefaultBHttpClientConnection http = new DefaultBHttpClientConnection(Http1Config.DEFAULT);
      http.bind(socket);
      http.setSocketTimeout(idleTimeout);
      Connection connection = new Connection(server, http);
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

  private Answer send(StorageUrl url, SdkHttpRequest request, Connection connection)
      throws IOException {
    boolean answered = false;
    try {
      DefaultBHttpClientConnection http = connection.http;
      ClassicHttpRequest head = head(request);
      http.sendRequestHeader(head);
      http.flush();
      ClassicHttpResponse response;
      do {
        response = http.receiveResponseHeader();
      } while (response.getCode() < FINAL_STATUS_MIN);
      Answer answer = answer(url, request, connection, head, response);
      answered = true;
      return answer;
    } catch (HttpException e) {
      throw new IOException("an answer that is not HTTP: " + e.getMessage(), e);
    } finally {
      if (!answered) {
        drop(connection);
      }
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

    /** Reads the rest: what follows on the connection is another answer. */
    @Override
    public void close() throws IOException {
      if (ended.compareAndSet(false, true)) {
        boolean drained = false;
        try {
          super.close();
          drained = true;
        } finally {
          end(connection, drained && isKept);
        }
      }
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
