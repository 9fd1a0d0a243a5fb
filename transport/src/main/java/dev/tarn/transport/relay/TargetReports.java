package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.transport.tls.HandshakeFailures;
import dev.tarn.transport.tls.MemberTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests reports from targets and starts scrubs, for administrators. */
public final class TargetReports {
  private static final int CONNECT_MS_MAX = 2_000;
  private static final int ANSWER_MS_MAX = 10_000;

  /** Longer than the wait for an answer, which says what is wrong. */
  private static final int SILENCE_MS_MAX = 2 * ANSWER_MS_MAX;

  private static final int REASON_BYTES_MAX = 1 << 10;

  private static final Reading<TargetReport> REPORT =
      new Reading<>(TargetReport.BYTES_MAX, TargetReport::decode);
  private static final Reading<TrafficHistory> TRAFFIC =
      new Reading<>(TrafficHistory.BYTES_MAX, TrafficHistory::decode);

  private final Vertx vertx;
  private final HttpClient plain;
  private final Map<MemberTls, HttpClient> secured = new ConcurrentHashMap<>();
  private final Capabilities capabilities;
  private final KnownTargets known;

  /**
   * Creates a client; its connections close together with this Vert.x.
   *
   * @param known tells how targets are called
   */
  public TargetReports(Vertx vertx, Capabilities capabilities, KnownTargets known) {
    this.vertx = requireNonNull(vertx, "vertx is null");
    this.capabilities = requireNonNull(capabilities, "capabilities is null");
    this.known = requireNonNull(known, "known is null");
    this.plain = vertx.createHttpClient(options());
  }

  /** How an answer is read: its greatest size, and its decoding. */
  private record Reading<T>(int bytesMax, Decoding<T> decoding) {}

  private interface Decoding<T> {
    T decode(byte[] bytes) throws WireException;
  }

  private static HttpClientOptions options() {
    return new HttpClientOptions()
        .setConnectTimeout(CONNECT_MS_MAX)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout(SILENCE_MS_MAX);
  }

  private HttpClient client(TargetAddress address) {
    Optional<MemberTls> member = known.tlsAt(address);
    return member.isEmpty()
        ? plain
        : secured.computeIfAbsent(
            member.orElseThrow(), own -> vertx.createHttpClient(own.client(options())));
  }

  /**
   * Requests the target's report. The stage fails with an {@link IOException} that says why there
   * is none.
   */
  public CompletionStage<TargetReport> report(TargetAddress address) {
    return ask(address, HttpBinding.REPORT_PATH, Grant.ofReport(), REPORT);
  }

  /** Starts a scrub of the target's disks. Returns the target's report, like {@link #report}. */
  public CompletionStage<TargetReport> scrub(TargetAddress address) {
    return ask(address, HttpBinding.SCRUB_PATH, Grant.ofScrub(), REPORT);
  }

  /** Requests what was read of a cached bucket, or of all. Fails like {@link #report}. */
  public CompletionStage<TrafficHistory> traffic(TargetAddress address, Optional<BucketId> bucket) {
    String query =
        bucket.map(id -> "?" + HttpBinding.BUCKET_PARAMETER + "=" + id.value()).orElse("");
    return ask(address, HttpBinding.TRAFFIC_PATH + query, Grant.ofReport(), TRAFFIC);
  }

  private <T> CompletionStage<T> ask(
      TargetAddress address, String path, Grant grant, Reading<T> reading) {
    try {
      return ask(client(address), address, path, grant, reading);
    } catch (IllegalStateException unknown) {
      return CompletableFuture.failedStage(failure(unknown));
    }
  }

  @SuppressWarnings("ReachabilityFenceUsage") // The request ends after this method.
  private <T> CompletionStage<T> ask(
      HttpClient client, TargetAddress address, String path, Grant grant, Reading<T> reading) {
    String capability = capabilities.issueForCall(grant);
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(address.host())
                .setPort(address.port())
                .setURI(path))
        .compose(request -> send(request, capability, reading))
        .timeout(ANSWER_MS_MAX, TimeUnit.MILLISECONDS)
        // Vert.x closes a client that the garbage collector finds, also while a request is open.
        .onComplete(ended -> Reference.reachabilityFence(client))
        .recover(cause -> Future.failedFuture(failure(cause)))
        .toCompletionStage();
  }

  /**
   * Sends a request. Its answer is awaited before it is sent: if the answer came first, its body
   * would be lost.
   */
  private static <T> Future<T> send(
      HttpClientRequest request, String capability, Reading<T> reading) {
    Future<T> report = request.response().compose(response -> whole(response, reading));
    return request
        .putHeader(HttpBinding.CAPABILITY_HEADER, capability)
        .send()
        .compose(answered -> report);
  }

  private static IOException failure(Throwable cause) {
    if (HandshakeFailures.isOfTls(cause)) {
      return new IOException("it " + HandshakeFailures.problem(cause), cause);
    }
    if (cause instanceof TimeoutException) {
      return new IOException(
          "it gave no answer within " + ANSWER_MS_MAX / 1000 + " s; it may be stopped or busy",
          cause);
    }
    if (ConnectionFailures.isRefusal(cause)) {
      return new IOException("it refuses connections", cause);
    }
    return cause instanceof IOException known ? known : new IOException(cause.getMessage(), cause);
  }

  private static <T> Future<T> whole(HttpClientResponse response, Reading<T> reading) {
    boolean refused = response.statusCode() != 200;
    String length = response.getHeader("content-length");
    if (length != null
        && length.matches("[0-9]{1,9}")
        && Integer.parseInt(length) <= (refused ? REASON_BYTES_MAX : reading.bytesMax())) {
      return response
          .body()
          .compose(
              body -> refused ? refused(response, body.toString().strip()) : decode(body, reading));
    }
    response.request().reset();
    return refused(response, "its log tells why");
  }

  private static <T> Future<T> refused(HttpClientResponse response, String reason) {
    return Future.failedFuture(
        new IOException("it answered with status " + response.statusCode() + ": " + reason));
  }

  private static <T> Future<T> decode(Buffer body, Reading<T> reading) {
    try {
      return Future.succeededFuture(reading.decoding().decode(body.getBytes()));
    } catch (WireException e) {
      return Future.failedFuture(
          new IOException("its answer cannot be read: " + e.getMessage(), e));
    }
  }
}
