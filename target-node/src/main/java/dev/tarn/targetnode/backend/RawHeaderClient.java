package dev.tarn.targetnode.backend;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Sends requests whose headers have characters outside ASCII through a second client. Apache's
 * client replaces such characters, although the signature covers their UTF-8; the JDK's client
 * sends UTF-8. The JDK's client neither bounds nor closes its connections well: so few requests at
 * a time go through it, and the connection of a request that fails is closed.
 */
final class RawHeaderClient implements SdkHttpClient {
  private final SdkHttpClient ascii;
  private final SdkHttpClient unicode;
  private final Semaphore unicodeCalls;

  /**
   * A client over two others, which it closes.
   *
   * @param ascii for requests whose headers are ASCII
   * @param unicode for all others
   * @param unicodeCallsMax requests in progress through {@code unicode}; further ones wait
   */
  RawHeaderClient(SdkHttpClient ascii, SdkHttpClient unicode, int unicodeCallsMax) {
    this.ascii = ascii;
    this.unicode = unicode;
    this.unicodeCalls = new Semaphore(unicodeCallsMax);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    boolean isAscii =
        request.httpRequest().headers().values().stream()
            .allMatch(values -> values.stream().allMatch(RawHeaderClient::isAscii));
    return isAscii
        ? ascii.prepareRequest(request)
        : new Bounded(unicode.prepareRequest(request), unicodeCalls);
  }

  private static boolean isAscii(String value) {
    return value.chars().allMatch(character -> character < 0x80);
  }

  @Override
  public String clientName() {
    return ascii.clientName();
  }

  @Override
  public void close() {
    ascii.close();
    unicode.close();
  }

  /** A request that waits for its turn. Answers to writes are short: the SDK reads them at once. */
  private record Bounded(ExecutableHttpRequest request, Semaphore calls)
      implements ExecutableHttpRequest {
    @Override
    public HttpExecuteResponse call() throws IOException {
      calls.acquireUninterruptibly();
      boolean answered = false;
      try {
        HttpExecuteResponse response = request.call();
        answered = true;
        return response;
      } finally {
        calls.release();
        if (!answered) {
          request.abort();
        }
      }
    }

    @Override
    public void abort() {
      request.abort();
    }
  }
}
