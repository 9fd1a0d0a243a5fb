package dev.tarn.cluster.control.remote;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/** Calls the control node at a URL, by http or https. */
public final class HttpControlTransport implements ControlTransport {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
  private static final int OK = 200;
  private static final int REFUSAL_BYTES_MAX = 4 << 10;

  private final URI url;
  private final HttpClient client;

  /**
   * The transport to this URL.
   *
   * @param url {@code http://HOST:PORT} or {@code https://HOST:PORT}
   * @param trust verifies the host's certificate; if empty, the JVM's own certificates do
   */
  public HttpControlTransport(URI url, Optional<SSLContext> trust) {
    this.url = requireNonNull(url, "url is null");
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_MAX);
    trust.ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  @Override
  public String address() {
    return url.toString();
  }

  @Override
  public CompletionStage<Answer> exchange(String path, byte[] request, Duration timeoutMax) {
    HttpRequest http =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(timeoutMax)
            .header("content-type", "application/octet-stream")
            .POST(HttpRequest.BodyPublishers.ofByteArray(request))
            .build();
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(http, head -> new BoundedBody(bytesMax(head.statusCode())));
    // The time-out of the request ends with the head of its answer; this one covers the whole.
    CompletableFuture<HttpResponse<byte[]>> whole =
        sent.copy().orTimeout(timeoutMax.toMillis(), TimeUnit.MILLISECONDS);
    return whole
        .whenComplete((response, failure) -> {
          if (failure != null) {
            sent.cancel(true);
          }
        })
        .thenApply(response -> new Answer(response.statusCode(), response.body()))
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(explained(failure)));
  }

  private static int bytesMax(int status) {
    return status == OK ? ControlBinding.ANSWER_BYTES_MAX : REFUSAL_BYTES_MAX;
  }

  private Throwable explained(Throwable failure) {
    Throwable wrapped = failure instanceof CompletionException ? failure.getCause() : failure;
    Throwable cause = wrapped == null ? failure : wrapped;
    return isNotSent(cause) ? notSent(cause) : cause;
  }

  private NotSentException notSent(Throwable cause) {
    return new NotSentException(url + " cannot be reached: " + Failure.reasonOf(cause), cause);
  }

  private static boolean isNotSent(Throwable cause) {
    return cause instanceof ConnectException
        || cause instanceof HttpConnectTimeoutException
        || cause instanceof UnresolvedAddressException
        || cause instanceof SSLHandshakeException;
  }
}
