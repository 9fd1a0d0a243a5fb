package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageUrl;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Requests to plain http and https servers: the URL as it stands, unsigned. */
final class WebRequests implements RequestMaker {
  @Override
  public SdkHttpRequest make(SdkHttpMethod method, StorageUrl url, Map<String, String> headers) {
    return to(method, URI.create(url.toString()), headers);
  }

  static SdkHttpRequest to(SdkHttpMethod method, URI uri, Map<String, String> headers) {
    SdkHttpRequest.Builder request = SdkHttpRequest.builder().method(method).uri(uri);
    headers.forEach(request::putHeader);
    return request.build();
  }
}
