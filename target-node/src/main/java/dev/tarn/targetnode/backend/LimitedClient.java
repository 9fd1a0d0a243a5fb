package dev.tarn.targetnode.backend;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Sends requests when the {@link CallLimit} of their backend allows it, until the head of the
 * answer is there. Requests with a body do not count: how fast they are sent depends on clients.
 */
final class LimitedClient implements SdkHttpClient {
  static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final SdkHttpClient client;
  private final CallLimit limit;

  /** A client over another one, which it closes. */
  LimitedClient(SdkHttpClient client, CallLimit limit) {
    this.client = client;
    this.limit = limit;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = client.prepareRequest(request);
    return request.contentStreamProvider().isPresent() ? prepared : new Limited(prepared, limit);
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    client.close();
  }

  /** Sends a request that has its turn, and tells the limit how the backend bears it. */
  static HttpExecuteResponse answered(ExecutableHttpRequest request, CallLimit limit)
      throws IOException {
    try {
      HttpExecuteResponse response = request.call();
      SdkHttpResponse head = response.httpResponse();
      if (head.statusCode() == UNAVAILABLE || head.statusCode() == TOO_MANY_REQUESTS) {
        limit.overloaded(
            head.firstMatchingHeader("Retry-After")
                .map(LimitedClient::pause)
                .orElse(Duration.ZERO));
      } else {
        limit.answered();
      }
      return response;
    } catch (SocketTimeoutException e) {
      limit.overloaded(Duration.ZERO);
      throw e;
    }
  }

  /** A number of seconds; a date is not followed. */
  private static Duration pause(String retryAfter) {
    String text = retryAfter.strip();
    boolean isNumber =
        !text.isEmpty() && text.length() < 6 && text.chars().allMatch(Character::isDigit);
    return isNumber ? Duration.ofSeconds(Integer.parseInt(text)) : Duration.ZERO;
  }

  private record Limited(ExecutableHttpRequest request, CallLimit limit)
      implements ExecutableHttpRequest {
    @Override
    public HttpExecuteResponse call() throws IOException {
      limit.enter();
      try {
        return answered(request, limit);
      } finally {
        limit.leave();
      }
    }

    @Override
    public void abort() {
      request.abort();
    }
  }
}
