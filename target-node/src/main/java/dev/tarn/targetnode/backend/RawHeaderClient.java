package dev.tarn.targetnode.backend;

import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Sends requests whose headers have characters outside ASCII through a second client. Apache's
 * client replaces such characters, although the signature covers their UTF-8; the JDK's client
 * sends UTF-8. The JDK's client pools few connections, so all other requests use the first one.
 *
 * @param ascii for requests whose headers are ASCII
 * @param unicode for all others
 */
record RawHeaderClient(SdkHttpClient ascii, SdkHttpClient unicode) implements SdkHttpClient {
  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    boolean isAscii =
        request.httpRequest().headers().values().stream()
            .allMatch(values -> values.stream().allMatch(RawHeaderClient::isAscii));
    return (isAscii ? ascii : unicode).prepareRequest(request);
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
}
