package dev.tarn.gateway.route;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.wire.HttpBinding;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Calls over Vert.x's HTTP/1.1 client, with a bounded pool of kept connections. */
public final class VertxTransport implements CallTransport, SettingsTransport {
  private static final int CHUNK_BYTES_MAX = 256 << 10;

  private final HttpClient client;

  /** With these limits. */
  public VertxTransport(Vertx vertx, TransportLimits limits) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setMaxChunkSize(CHUNK_BYTES_MAX)
            .setTcpNoDelay(true)
            .setConnectTimeout(Math.toIntExact(limits.connectTimeoutMax().toMillis()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setIdleTimeout(Math.toIntExact(limits.idleTimeoutMax().toMillis()));
    PoolOptions pool =
        new PoolOptions()
            .setHttp1MaxSize(limits.connectionsMax())
            .setMaxWaitQueueSize(limits.waitingMax());
    client = vertx.createHttpClient(options, pool);
  }

  /** Closes every connection. */
  public CompletionStage<Void> close() {
    return client.close().toCompletionStage();
  }

  @Override
  public CompletionStage<Outcome<Reply>> call(TargetAddress address, Call call) {
    CompletableFuture<Outcome<Reply>> reply = new CompletableFuture<>();
    client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(address.host())
                .setPort(address.port())
                .setURI(HttpBinding.CALL_PATH))
        .onFailure(cause -> reply.complete(Outcome.failed(failure(address, cause))))
        .onSuccess(request -> send(address, request, call, reply));
    return reply;
  }

  @Override
  public CompletionStage<Optional<String>> publish(
      TargetAddress address, long version, byte[] table, String capability) {
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(address.host())
                .setPort(address.port())
                .setURI(HttpBinding.SETTINGS_PATH))
        .compose(request ->
            request
                .putHeader(HttpBinding.SETTINGS_VERSION_HEADER, Long.toString(version))
                .putHeader(HttpBinding.CAPABILITY_HEADER, capability)
                .send(Buffer.buffer(table)))
        .map(response -> refusal(response.statusCode()))
        .otherwise(cause -> Optional.of(failure(address, cause).message()))
        .toCompletionStage();
  }

  private static Optional<String> refusal(int status) {
    return switch (status) {
      case 204 -> Optional.empty();
      case 403 -> Optional.of("it refuses the capability; the cluster secrets or clocks differ");
      case 409 -> Optional.of("it has newer ones; this control plane is behind or another one");
      default -> Optional.of("it answered with status " + status + "; its log tells why");
    };
  }

  private static void send(
      TargetAddress address,
      HttpClientRequest request,
      Call call,
      CompletableFuture<Outcome<Reply>> reply) {
    request
        .putHeader(HttpBinding.LENGTH_HEADER, Integer.toString(call.message().length))
        .putHeader(HttpBinding.CAPABILITY_HEADER, call.capability());
    request
        .response()
        .onFailure(cause -> reply.complete(Outcome.failed(failure(address, cause))))
        .onSuccess(response -> new ReplyReader(address, request, response, reply).start());
    Buffer message = Buffer.buffer(call.message());
    if (call.body().isEmpty()) {
      request.end(message);
      return;
    }
    IncomingBody body = call.body().orElseThrow();
    request.setChunked(true);
    if (body.length() != IncomingBody.UNKNOWN_LENGTH) {
      request.putHeader(HttpBinding.BODY_LENGTH_HEADER, Long.toString(body.length()));
    }
    request.write(message);
    FrameSender sender = new FrameSender(request, body);
    request.response().onComplete(answered -> sender.stop());
    sender.start();
  }

  static Failure failure(TargetAddress address, Throwable cause) {
    return cause instanceof ConnectionPoolTooBusyException
        ? new Failure.Overloaded("Too many calls wait for the target at " + address + ".")
        : new Failure.Unavailable(
            "The target at " + address + " did not answer: " + cause.getMessage() + ".");
  }
}
