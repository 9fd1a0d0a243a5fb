package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As much of S3 as a pack needs, with one bucket in memory, whose answers can be made to fail. */
final class FaultyS3 implements AutoCloseable {
  /** What goes wrong. */
  enum Fault {
    INTERNAL_ERROR,
    SLOW_DOWN,
    ACCESS_DENIED,
    /** The connection is cut in the middle of the answer's body. */
    RESET
  }

  /** Does something to the objects, once. */
  private record Interference(String request, Runnable action, AtomicBoolean done) {}

  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");

  /** Requests that begin so fail so many times. */
  private static final class Failing {
    private final String request;
    private final Fault fault;
    private int left;

    Failing(String request, Fault fault, int times) {
      this.request = request;
      this.fault = fault;
      this.left = times;
    }

    synchronized boolean takes(String other) {
      return other.startsWith(request) && left-- > 0;
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final List<Failing> failing = new CopyOnWriteArrayList<>();
  private final List<Interference> interferences = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicLong bytesSent = new AtomicLong();

  FaultyS3() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Objects by path: the bucket's name, a slash and the key. */
  Map<String, byte[]> objects() {
    return objects;
  }

  /** Makes requests fail that begin so, such as {@code GET bucket/key}. */
  void fail(String request, Fault fault, int times) {
    failing.add(new Failing(request, fault, times));
  }

  /** Does something before the first request is answered that begins so. */
  void before(String request, Runnable action) {
    interferences.add(new Interference(request, action, new AtomicBoolean()));
  }

  /** How many bytes of objects were sent. */
  long bytesSent() {
    return bytesSent.get();
  }

  /** How many requests began so. */
  long count(String request) {
    return requests.stream().filter(seen -> seen.startsWith(request)).count();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = URLDecoder.decode(exchange.getRequestURI().getRawPath().substring(1), UTF_8);
      boolean listing = !path.contains("/") || path.endsWith("/");
      String request = (listing ? "LIST" : exchange.getRequestMethod()) + " " + path;
      requests.add(request);
      for (Interference next : interferences) {
        if (request.startsWith(next.request) && !next.done.getAndSet(true)) {
          next.action.run();
        }
      }
      for (Failing next : failing) {
        if (next.takes(request)) {
          fail(exchange, next.fault, objects.getOrDefault(path, new byte[100]));
          return;
        }
      }
      if (listing) {
        list(exchange, path);
      } else if (exchange.getRequestMethod().equals("PUT")) {
        put(exchange, path, body);
      } else if (exchange.getRequestMethod().equals("DELETE")) {
        objects.remove(path);
        answer(exchange, 204, new byte[0]);
      } else {
        get(exchange, path);
      }
    }
  }

  private void fail(HttpExchange exchange, Fault fault, byte[] content) throws IOException {
    switch (fault) {
      case INTERNAL_ERROR ->
          answer(exchange, 500, error("InternalError", "We encountered an internal error."));
      case SLOW_DOWN ->
          answer(exchange, 503, error("SlowDown", "Please reduce your request rate."));
      case ACCESS_DENIED -> answer(exchange, 403, error("AccessDenied", "Access Denied"));
      case RESET -> content(exchange, content, 2);
    }
  }

  private static byte[] error(String code, String message) {
    return "<Error><Code>%s</Code><Message>%s</Message></Error>"
        .formatted(code, message)
        .getBytes(UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private void list(HttpExchange exchange, String path) throws IOException {
    String bucket = path.replace("/", "");
    String query = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), UTF_8);
    Matcher prefix = Pattern.compile("(?:^|&)prefix=([^&]*)").matcher(query);
    String from = bucket + "/" + (prefix.find() ? prefix.group(1) : "");
    StringBuilder xml = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
    objects.forEach((name, content) -> {
      if (name.startsWith(from)) {
        xml.append("<Contents><Key>")
            .append(name.substring(bucket.length() + 1))
            .append("</Key><Size>")
            .append(content.length)
            .append("</Size><ETag>")
            .append(etag(content).replace("\"", "&quot;"))
            .append("</ETag></Contents>");
      }
    });
    answer(exchange, 200, xml.append("</ListBucketResult>").toString().getBytes(UTF_8));
  }

  private void get(HttpExchange exchange, String path) throws IOException {
    byte[] content = objects.get(path);
    if (content == null) {
      answer(exchange, 404, error("NoSuchKey", "The specified key does not exist."));
      return;
    }
    String condition = exchange.getRequestHeaders().getFirst("If-Match");
    if (condition != null && !condition.equals(etag(content))) {
      answer(exchange, 412, error("PreconditionFailed", "It is another."));
      return;
    }
    content(exchange, content, 1);
  }

  /**
   * Answers with the range that was asked for.
   *
   * @param part the answer ends after that part of its bytes
   */
  private void content(HttpExchange exchange, byte[] content, int part) throws IOException {
    exchange.getResponseHeaders().set("ETag", etag(content));
    String range = exchange.getRequestHeaders().getFirst("Range");
    Matcher matcher = RANGE.matcher(range == null ? "" : range);
    boolean ranged = matcher.matches();
    int from = ranged ? Integer.parseInt(matcher.group(1)) : 0;
    if (ranged && from >= content.length) {
      exchange.getResponseHeaders().set("Content-Range", "bytes */" + content.length);
      answer(exchange, 416, new byte[0]);
      return;
    }
    int to = content.length;
    if (ranged) {
      String last = matcher.group(2);
      to = (int) Math.min(to - 1L, last.isEmpty() ? to : Long.parseLong(last)) + 1;
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, content.length));
    }
    boolean head = exchange.getRequestMethod().equals("HEAD");
    if (head) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(to - from));
    }
    exchange.sendResponseHeaders(ranged ? 206 : 200, head || to == from ? -1 : to - from);
    if (!head) {
      exchange.getResponseBody().write(content, from, (to - from) / part);
      bytesSent.addAndGet((to - from) / part);
      exchange.getResponseBody().flush();
    }
  }

  private void put(HttpExchange exchange, String path, byte[] body) throws IOException {
    String sha256 = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
    byte[] content = sha256 != null && sha256.startsWith("STREAMING-") ? unchunked(body) : body;
    objects.put(path, content);
    exchange.getResponseHeaders().set("ETag", etag(content));
    answer(exchange, 200, new byte[0]);
  }

  /** The data of chunks, each behind a line of its length in hexadecimal digits. */
  private static byte[] unchunked(byte[] body) throws IOException {
    InputStream in = new ByteArrayInputStream(body);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    while (true) {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        line.append((char) next);
      }
      int length = Integer.parseInt(line.toString().replaceFirst("[;\r].*", "").strip(), 16);
      if (length == 0) {
        return content.toByteArray();
      }
      content.write(in.readNBytes(length));
      in.skipNBytes(2);
    }
  }

  private static String etag(byte[] content) {
    return "\"%08x\"".formatted(Arrays.hashCode(content));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
