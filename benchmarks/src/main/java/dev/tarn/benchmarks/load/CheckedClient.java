package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Sends requests by the JDK's HTTP client, and checks each answer with its body. */
public final class CheckedClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final int QUOTED_CHARACTERS_MAX = 500;

  private final InetSocketAddress server;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(TIMEOUT)
          .build();

  public CheckedClient(InetSocketAddress server) {
    this.server = requireNonNull(server, "server is null");
  }

  /** Sends each request once. */
  public static void sendAll(
      InetSocketAddress server, List<PreparedRequest> requests, int connections)
      throws IOException {
    try (CheckedClient client = new CheckedClient(server)) {
      client.send(requests.iterator(), connections);
    }
  }

  /** Sends the requests again and again, until the time has passed and all answers are complete. */
  public static LoadResult repeat(
      InetSocketAddress server, List<PreparedRequest> requests, int connections, Duration duration)
      throws IOException {
    long start = System.nanoTime();
    Iterator<PreparedRequest> repeated =
        Stream.iterate(0, i -> (i + 1) % requests.size())
            .takeWhile(i -> System.nanoTime() - start < duration.toNanos())
            .map(requests::get)
            .iterator();
    try (CheckedClient client = new CheckedClient(server)) {
      LoadResult sent = client.send(repeated, connections);
      return new LoadResult(sent.operations(), sent.bytes(), System.nanoTime() - start);
    }
  }

  private LoadResult send(Iterator<PreparedRequest> requests, int connections) throws IOException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LoadResult>> lanes = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        lanes.add(threads.submit(() -> lane(requests)));
      }
      long operations = 0;
      long bytes = 0;
      for (Future<LoadResult> lane : lanes) {
        operations += lane.get().operations();
        bytes += lane.get().bytes();
      }
      return new LoadResult(operations, bytes, 0);
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause(), "a failed task has no cause");
      throw new IOException("a request failed: " + cause.getMessage(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a load", e);
    }
  }

  private LoadResult lane(Iterator<PreparedRequest> requests)
      throws IOException, InterruptedException {
    long operations = 0;
    long bytes = 0;
    for (PreparedRequest next = take(requests); next != null; next = take(requests)) {
      try {
        bytes += check(next);
      } catch (IOException e) {
        throw new IOException(
            "%s %s: %s".formatted(next.method(), next.target(), e.getMessage()), e);
      }
      operations++;
    }
    return new LoadResult(operations, bytes, 0);
  }

  private static @Nullable PreparedRequest take(Iterator<PreparedRequest> requests) {
    synchronized (requests) {
      return requests.hasNext() ? requests.next() : null;
    }
  }

  /** Returns the bytes of both bodies. */
  private long check(PreparedRequest request) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = send(request);
    CRC32C crc = new CRC32C();
    long length = 0;
    String text = "";
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream body = answer.body()) {
      for (int count; (count = body.read(buffer)) >= 0; ) {
        if (length == 0) {
          text = new String(buffer, 0, Math.min(count, QUOTED_CHARACTERS_MAX), ISO_8859_1);
        }
        crc.update(buffer, 0, count);
        length += count;
      }
    }
    if (request.method().equals("HEAD")) {
      request
          .expectation()
          .check(
              answer.statusCode(),
              answer.headers().firstValueAsLong("content-length").orElse(0),
              request.expectation().crc32c().orElse(0),
              text);
    } else {
      request.expectation().check(answer.statusCode(), length, crc.getValue(), text);
    }
    return length + request.body().remaining();
  }

  /** Sends a request; the caller reads the answer's body. */
  HttpResponse<InputStream> send(PreparedRequest request) throws IOException, InterruptedException {
    URI uri =
        URI.create(
            "http://%s:%d%s"
                .formatted(
                    server.getAddress().getHostAddress(), server.getPort(), request.target()));
    HttpRequest.Builder sent =
        HttpRequest.newBuilder(uri).timeout(TIMEOUT).method(request.method(), body(request));
    request
        .headers()
        .forEach((name, values) -> {
          // The client adds this header itself.
          if (!name.equalsIgnoreCase("host")) {
            values.forEach(value -> sent.header(name, value));
          }
        });
    return http.send(sent.build(), BodyHandlers.ofInputStream());
  }

  private static BodyPublisher body(PreparedRequest request) {
    byte[] bytes = new byte[request.body().remaining()];
    request.body().duplicate().get(bytes);
    return request.method().equals("PUT")
        ? BodyPublishers.ofByteArray(bytes)
        : BodyPublishers.noBody();
  }

  @Override
  public void close() {
    http.close();
  }
}
