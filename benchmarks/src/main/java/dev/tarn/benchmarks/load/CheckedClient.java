package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Sends requests by the JDK's HTTP client, and checks each answer with its body. */
public final class CheckedClient implements AutoCloseable {
  static {
    // By default the client repeats a request whose kept connection the server has closed.
    System.setProperty("jdk.httpclient.redirects.retrylimit", "1");
  }

  private static final Duration CONNECT_TIME_MAX = Duration.ofMinutes(1);

  /** Bound of a whole answer: 64 clients may share a slow disk. */
  private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(5);

  private static final int QUOTED_CHARACTERS_MAX = 500;

  private final InetSocketAddress server;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT_TIME_MAX)
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

  /** Sends each request once, and returns how long each answer took, in nanoseconds, sorted. */
  public static long[] timeAll(
      InetSocketAddress server, List<PreparedRequest> requests, int connections)
      throws IOException {
    try (CheckedClient client = new CheckedClient(server)) {
      Queue<Long> times = new ConcurrentLinkedQueue<>();
      client.send(requests.iterator(), connections, times::add);
      return times.stream().mapToLong(Long::longValue).sorted().toArray();
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
      long answers = client.send(repeated, connections);
      return new LoadResult(answers, System.nanoTime() - start);
    }
  }

  private long send(Iterator<PreparedRequest> requests, int connections) throws IOException {
    return send(requests, connections, nanos -> {});
  }

  /** Returns the number of answers. */
  private long send(Iterator<PreparedRequest> requests, int connections, LongConsumer times)
      throws IOException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> lanes = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        lanes.add(threads.submit(() -> lane(requests, times)));
      }
      long answers = 0;
      for (Future<Long> lane : lanes) {
        answers += lane.get();
      }
      return answers;
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause(), "a failed task has no cause");
      throw new IOException("a request failed: " + cause.getMessage(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a load", e);
    }
  }

  private long lane(Iterator<PreparedRequest> requests, LongConsumer times)
      throws IOException, InterruptedException {
    long answers = 0;
    for (PreparedRequest next = take(requests); next != null; next = take(requests)) {
      long start = System.nanoTime();
      try {
        check(next);
      } catch (IOException e) {
        throw new IOException(
            "%s %s: %s".formatted(next.method(), next.target(), e.getMessage()), e);
      }
      times.accept(System.nanoTime() - start);
      answers++;
    }
    return answers;
  }

  private static @Nullable PreparedRequest take(Iterator<PreparedRequest> requests) {
    synchronized (requests) {
      return requests.hasNext() ? requests.next() : null;
    }
  }

  private void check(PreparedRequest request) throws IOException, InterruptedException {
    SeenBody body = new SeenBody();
    HttpResponse<Void> answer = send(request, BodyHandlers.ofByteArrayConsumer(body));
    boolean isHead = request.method().equals("HEAD");
    request
        .expectation()
        .check(
            answer.statusCode(),
            isHead ? answer.headers().firstValueAsLong("content-length").orElse(0) : body.length,
            isHead ? request.expectation().crc32c().orElse(0) : body.crc.getValue(),
            body.beginning);
  }

  /** The facts of an answer's body that are compared. */
  private static final class SeenBody implements Consumer<Optional<byte[]>> {
    private final CRC32C crc = new CRC32C();
    private long length;
    private String beginning = "";

    @Override
    public void accept(Optional<byte[]> piece) {
      byte[] bytes = piece.orElse(new byte[0]);
      if (length == 0) {
        beginning = new String(bytes, 0, Math.min(bytes.length, QUOTED_CHARACTERS_MAX), ISO_8859_1);
      }
      crc.update(bytes);
      length += bytes.length;
    }
  }

  /**
   * Sends a request.
   *
   * @throws IOException also if the whole answer takes more than five minutes
   */
  <T> HttpResponse<T> send(PreparedRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    URI uri =
        URI.create(
            "http://%s:%d%s"
                .formatted(
                    server.getAddress().getHostAddress(), server.getPort(), request.target()));
    HttpRequest.Builder sent = HttpRequest.newBuilder(uri).method(request.method(), body(request));
    request
        .headers()
        .forEach((name, values) -> {
          // The client adds this header itself.
          if (!name.equalsIgnoreCase("host")) {
            values.forEach(value -> sent.header(name, value));
          }
        });
    CompletableFuture<HttpResponse<T>> answer = http.sendAsync(sent.build(), handler);
    try {
      return answer.get(ANSWER_TIME_MAX.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException("no whole answer within " + ANSWER_TIME_MAX, e);
    }
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
