package dev.tarn.benchmarks.origin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The main class of an origin for cached buckets: GET and HEAD of {@link SyntheticObject}s in any
 * bucket, with ranges, after a latency and within a bandwidth. What is put is forgotten, since each
 * object exists anyway. It checks no signatures. {@code /-/figures} says what it has served.
 */
public final class SyntheticOrigin {
  /** The target of the figures. */
  static final String FIGURES = "/-/figures";

  private static final String NO_SUCH_KEY =
      "<Error><Code>NoSuchKey</Code><Message>There is no such object.</Message></Error>";

  private static final String EMPTY_LIST =
      "<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount>"
          + "</ListBucketResult>";

  private static final Pattern PATH = Pattern.compile("/[^/]+/(.+)");
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
  private static final String MODIFIED = "Thu, 01 Jan 2026 00:00:00 GMT";

  /** The bytes between two looks at the bandwidth: 1 ms of 256 MB/s. */
  private static final int STEP_BYTES = 256 * 1024;

  private final long latencyNanos;
  private final double nanosPerByte;
  private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** When the bandwidth is free again; guarded by this. */
  private long freeNanos = System.nanoTime();

  private SyntheticOrigin(long latencyMs, long bytesPerSecond) {
    this.latencyNanos = TimeUnit.MILLISECONDS.toNanos(latencyMs);
    this.nanosPerByte = bytesPerSecond == 0 ? 0 : 1e9 / bytesPerSecond;
  }

  /**
   * Serves until the process is ended. The arguments are a file for the port, the latency in
   * milliseconds, and the bandwidth in bytes per second, 0 for no limit.
   */
  public static void main(String[] arguments) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    System.setProperty("sun.net.httpserver.idleInterval", "600");
    SyntheticOrigin origin =
        new SyntheticOrigin(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", origin::answer);
    server.start();
    Path file = Path.of(arguments[0]);
    Path whole =
        Files.writeString(
            file.resolveSibling(file.getFileName() + ".part"),
            Integer.toString(server.getAddress().getPort()));
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals(FIGURES)) {
        sendText(
            exchange, 200, new OriginFigures(clients.size(), requests.sum(), bytes.sum()).text());
        return;
      }
      clients.add(exchange.getRemoteAddress());
      requests.increment();
      LockSupport.parkNanos(latencyNanos);
      Matcher named = PATH.matcher(path);
      Optional<SyntheticObject> object =
          named.matches() ? SyntheticObject.find(named.group(1)) : Optional.empty();
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      boolean isGet = exchange.getRequestMethod().equals("GET");
      if (!named.matches() && isHead) {
        exchange.sendResponseHeaders(200, -1); // the bucket
      } else if (!named.matches() && isGet) {
        sendText(exchange, 200, EMPTY_LIST);
      } else if (object.isEmpty() && isGet) {
        sendText(exchange, 404, NO_SUCH_KEY);
      } else if (object.isPresent() && exchange.getRequestMethod().equals("PUT")) {
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        exchange.getResponseHeaders().set("ETag", object.orElseThrow().etag());
        exchange.sendResponseHeaders(200, -1);
      } else if (object.isEmpty() || !(isHead || isGet)) {
        exchange.sendResponseHeaders(isHead ? 404 : 405, -1);
      } else {
        send(exchange, object.orElseThrow(), isHead);
      }
    }
  }

  private static void sendText(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private void send(HttpExchange exchange, SyntheticObject object, boolean isHead)
      throws IOException {
    long first = 0;
    long last = object.length() - 1;
    String asked = exchange.getRequestHeaders().getFirst("Range");
    Headers headers = exchange.getResponseHeaders();
    if (asked != null) {
      Matcher range = RANGE.matcher(asked);
      if (!range.matches() || Long.parseLong(range.group(1)) > last) {
        exchange.sendResponseHeaders(416, -1);
        return;
      }
      first = Long.parseLong(range.group(1));
      last = range.group(2).isEmpty() ? last : Math.min(last, Long.parseLong(range.group(2)));
      headers.set("Content-Range", "bytes %d-%d/%d".formatted(first, last, object.length()));
    }
    headers.set("ETag", object.etag());
    headers.set("Last-Modified", MODIFIED);
    headers.set("Accept-Ranges", "bytes");
    headers.set("Content-Type", "application/octet-stream");
    long length = last - first + 1;
    if (isHead) {
      headers.set("Content-Length", Long.toString(length));
      exchange.sendResponseHeaders(asked == null ? 200 : 206, -1);
      return;
    }
    exchange.sendResponseHeaders(asked == null ? 200 : 206, length);
    try (OutputStream body = exchange.getResponseBody();
        WritableByteChannel channel = Channels.newChannel(body)) {
      for (long at = first; at <= last; ) {
        ByteBuffer step = SyntheticObject.bytes(at, Math.min(STEP_BYTES, last - at + 1));
        int count = step.remaining();
        LockSupport.parkNanos(nanosToWait(count));
        channel.write(step);
        bytes.add(count);
        at += count;
      }
    }
  }

  /** Takes the time of bytes from the bandwidth that all answers share. */
  private synchronized long nanosToWait(int count) {
    long now = System.nanoTime();
    freeNanos = Math.max(now, freeNanos) + (long) (count * nanosPerByte);
    return freeNanos - now;
  }
}
