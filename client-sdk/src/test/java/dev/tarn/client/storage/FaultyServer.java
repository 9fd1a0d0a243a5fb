package dev.tarn.client.storage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A web server with ranges, ETags and preconditions, whose next answers can be made to fail. */
public final class FaultyServer implements AutoCloseable {
  /** What goes wrong with one answer. */
  public interface Fault {
    /** Answers the exchange instead of the server; false to let it. */
    boolean answer(HttpExchange exchange, byte[] content) throws IOException;

    /** An answer with that status and no body. */
    static Fault status(int status) {
      return (exchange, content) -> {
        exchange.sendResponseHeaders(status, -1);
        return true;
      };
    }

    /** A good answer that ends after so many bytes of its body. */
    static Fault cutAfter(int bytes) {
      return (exchange, content) -> {
        FaultyServer.begin(exchange, content, bytes);
        return true;
      };
    }

    /** A connection that is closed without an answer. */
    static Fault hangUp() {
      return (exchange, content) -> true;
    }

    /** A good answer of an object that is said to have so many bytes. */
    static Fault announcing(int bytes) {
      return (exchange, content) -> {
        FaultyServer.begin(exchange, Arrays.copyOf(content, bytes), bytes);
        return true;
      };
    }

    /** A good answer whose body is sent in pieces of so many bytes. */
    static Fault trickle(int bytes) {
      return (exchange, content) -> {
        FaultyServer.begin(exchange, content, Integer.MAX_VALUE, bytes);
        return true;
      };
    }

    /** No fault: the next request is answered well. */
    static Fault none() {
      return (exchange, content) -> false;
    }
  }

  static {
    // An answer's head and body are two packets: without this the second waits for an ACK.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");

  private HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
  private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile boolean etags = true;

  /** Starts on a free port of the loopback interface. */
  public FaultyServer() throws IOException {
    server = start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private HttpServer start(InetSocketAddress address) throws IOException {
    HttpServer started = HttpServer.create(address, 100);
    started.setExecutor(threads);
    started.createContext("/", this::serve);
    started.start();
    return started;
  }

  /** Cuts all connections and takes no more, as a process that is killed. */
  public void kill() {
    server.stop(0);
  }

  /** Starts again at the same address, after {@link #kill}. */
  public void restart() throws IOException {
    server = start(server.getAddress());
  }

  /** Forgets the faults that were not met yet. */
  public void recover() {
    faults.clear();
  }

  /** How many faults are still to be met. */
  public int faultsLeft() {
    return faults.size();
  }

  /** Serves bytes under a path that begins with a slash. */
  public void put(String path, byte[] content) {
    objects.put(path, content);
  }

  /** Makes the next answer fail, after those that were asked to before. */
  public void failNext(Fault fault) {
    faults.add(fault);
  }

  /** Answers without ETag from now on. */
  public void withoutEtags() {
    etags = false;
  }

  /** Method, path and range of the requests so far. */
  public List<String> requests() {
    return requests;
  }

  /** The URL of a path. */
  public String url(String path) {
    return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String range = exchange.getRequestHeaders().getFirst("Range");
      requests.add(
          "%s %s %s".formatted(exchange.getRequestMethod(), exchange.getRequestURI(), range));
      byte[] content = objects.get(exchange.getRequestURI().getPath());
      if (content == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      if (etags) {
        exchange.getResponseHeaders().set("ETag", etag(content));
      }
      Fault fault = faults.poll();
      if (fault != null && fault.answer(exchange, content)) {
        return;
      }
      String condition = exchange.getRequestHeaders().getFirst("If-Match");
      if (condition != null && !condition.equals(etag(content))) {
        exchange.sendResponseHeaders(412, -1);
        return;
      }
      begin(exchange, content, Integer.MAX_VALUE);
    }
  }

  /** The answer's head, and at most so many bytes of its body. */
  private static void begin(HttpExchange exchange, byte[] content, int bytesMax)
      throws IOException {
    begin(exchange, content, bytesMax, Integer.MAX_VALUE);
  }

  private static void begin(HttpExchange exchange, byte[] content, int bytesMax, int stepBytes)
      throws IOException {
    int from = 0;
    int to = content.length;
    int status = 200;
    @Nullable String range = exchange.getRequestHeaders().getFirst("Range");
    Matcher matcher = RANGE.matcher(range == null ? "" : range);
    if (matcher.matches()) {
      from = Integer.parseInt(matcher.group(1));
      to = matcher.group(2).isEmpty() ? to : Math.min(to, Integer.parseInt(matcher.group(2)) + 1);
      status = 206;
      if (from >= content.length) {
        exchange.getResponseHeaders().set("Content-Range", "bytes */" + content.length);
        exchange.sendResponseHeaders(416, -1);
        return;
      }
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, content.length));
    }
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(to - from));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, to - from == 0 ? -1 : to - from);
    OutputStream body = exchange.getResponseBody();
    int end = from + Math.min(bytesMax, to - from);
    for (int at = from; at < end; at += Math.min(stepBytes, end - at)) {
      body.write(content, at, Math.min(stepBytes, end - at));
      body.flush();
    }
  }

  private static String etag(byte[] content) {
    return "\"%08x\"".formatted(Arrays.hashCode(content));
  }
}
