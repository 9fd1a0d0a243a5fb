package dev.tarn.client.internal.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** Sends plain http requests by {@link PlainHttp}, all others by the AWS SDK's HTTP client. */
public final class SdkSender implements HttpSender {
  /** A wait for a free connection ends before this, since the reads that hold them time out. */
  private static final Duration CONNECTION_WAIT_MAX = Duration.ofMinutes(10);

  private final SdkHttpClient client;
  private final Optional<PlainHttp> plain;

  /**
   * Makes a sender.
   *
   * @param plain for requests that are not encrypted and need no proxy
   */
  public SdkSender(SdkHttpClient client, Optional<PlainHttp> plain) {
    this.client = client;
    this.plain = plain;
  }

  /** Whether plain http requests may have to go through a proxy. */
  public static boolean hasProxy(Map<String, String> environment) {
    return System.getProperty("http.proxyHost") != null
        || environment.containsKey("http_proxy")
        || environment.containsKey("HTTP_PROXY");
  }

  /** Whether https requests may have to go through a proxy. */
  public static boolean hasSecureProxy(Map<String, String> environment) {
    return System.getProperty("https.proxyHost") != null
        || environment.containsKey("https_proxy")
        || environment.containsKey("HTTPS_PROXY");
  }

  /** Makes the AWS SDK's client, which opens its pool of connections with the first request. */
  public static SdkHttpClient client(ConnectionLimits limits) {
    return new DeferredHttpClient(() -> {
      Apache5HttpClient.Builder http =
          Apache5HttpClient.builder()
              .maxConnections(limits.connectionsMax())
              .connectionTimeout(limits.connectTimeout())
              .socketTimeout(limits.idleTimeout())
              .connectionAcquisitionTimeout(CONNECTION_WAIT_MAX)
              .expectContinueEnabled(false)
              .tcpKeepAlive(true);
      CaBundle.in(System::getenv)
          .ifPresent(bundle -> http.tlsTrustManagersProvider(bundle::trustManagers));
      return http.build();
    });
  }

  @Override
  public HttpAnswer send(SdkHttpRequest request) throws IOException {
    if (plain.isPresent() && request.protocol().equals("http")) {
      return plain.orElseThrow().send(request);
    }
    ExecutableHttpRequest prepared =
        client.prepareRequest(HttpExecuteRequest.builder().request(request).build());
    return HttpAnswer.of(InterruptibleWait.during(prepared::call, prepared::abort));
  }
}
