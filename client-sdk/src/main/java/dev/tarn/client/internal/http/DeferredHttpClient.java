package dev.tarn.client.internal.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * An HTTP client that is made with its first request. Making one reads all certificates that the
 * JVM trusts, which would delay an epoch's first sample; readers over plain http do not need it.
 */
final class DeferredHttpClient implements SdkHttpClient {
  private final Supplier<SdkHttpClient> maker;
  private @Nullable SdkHttpClient made;
  private boolean closed;

  DeferredHttpClient(Supplier<SdkHttpClient> maker) {
    this.maker = maker;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return client().prepareRequest(request);
  }

  private synchronized SdkHttpClient client() {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    SdkHttpClient client = made;
    if (client == null) {
      client = maker.get();
      made = client;
    }
    return client;
  }

  @Override
  public String clientName() {
    return "Deferred";
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (made != null) {
      made.close();
    }
  }
}
