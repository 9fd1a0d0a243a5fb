package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Requests by the SDK's client, which knows TLS and proxies; by the short way where that goes. */
final class SdkExchange implements Exchange {
  private final SdkHttpClient client;
  private final Optional<PlainHttp> plain;

  /**
   * @param plain for what is not encrypted and goes through no proxy
   */
  SdkExchange(SdkHttpClient client, Optional<PlainHttp> plain) {
    this.client = client;
    this.plain = plain;
  }

  /** Whether requests over plain http may have to go through a proxy. */
  static boolean hasProxy(Map<String, String> environment) {
    return System.getProperty("http.proxyHost") != null
        || environment.containsKey("http_proxy")
        || environment.containsKey("HTTP_PROXY");
  }

  @Override
  public Answer send(StorageUrl url, SdkHttpRequest request) throws IOException {
    if (plain.isPresent() && request.protocol().equals("http")) {
      return plain.orElseThrow().send(url, request);
    }
    ExecutableHttpRequest prepared =
        client.prepareRequest(HttpExecuteRequest.builder().request(request).build());
    return Answer.of(url, InterruptibleWait.during(prepared::call, prepared::abort));
  }
}
